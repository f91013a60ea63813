"""The Papers page: studies in a child process, shared; words; what is shown and when."""

import json
import sys
import threading
import time
from html import unescape

import pytest

from explorer.app.pages.papers import PapersPage
from explorer.app.pages.study_text import (
    claims_html,
    going_words,
    number,
    page_html,
    side_html,
    tables_csv,
    tally,
)
from explorer.app.session.session import Session
from explorer.app.state import link
from explorer.app.state.visitor import State
from explorer.app.work import study_work
from explorer.app.work.cache import Cache
from explorer.app.work.scheduler import Rest, Scheduler
from explorer.app.work.study_work import Going, Runner, Shown, StudyRun, key, study_steps
from explorer.studies import Claim, find
from explorer.studies.study import Cause

NAME = "sazonau-fig1"


@pytest.fixture(scope="module")
def result():
    return find(NAME).run("tiny")


def says(*lines, then=""):
    """A command that prints lines of JSON, whatever study it is asked for."""
    code = f"import time\nfor line in {[json.dumps(v) for v in lines]!r}: print(line, flush=True)\n"
    return lambda name: [sys.executable, "-c", code + then]


def until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def walk(steps):
    """All but the rests, which are waited for."""
    for step in steps:
        if isinstance(step, Rest):
            time.sleep(0.02)
        else:
            yield step


# ---- running


def test_a_study_is_run_once_and_then_comes_out_of_the_cache(result):
    cache = Cache()
    told = [{"done": 1, "wanted": 2, "what": "half"}, {"result": result.to_text()}]
    *going, shown = walk(study_steps(NAME, "light", cache, Runner(says(*told))))
    assert all(isinstance(g, Going) for g in going)
    assert isinstance(shown, Shown)
    assert shown.result.digest() == result.digest()
    assert shown.figures.keys() == {"heart", "breast_cancer"}

    def refuse(name):
        raise AssertionError("it must not run again")

    (again,) = walk(study_steps(NAME, "dark", cache, Runner(refuse)))
    assert again.figures["heart"] is not shown.figures["heart"]


def test_two_who_ask_share_one_run_and_it_stops_when_both_have_left():
    runner = Runner(says({"done": 0, "wanted": 5, "what": "a"}, then="time.sleep(60)"))
    first, second = runner.join(NAME), runner.join(NAME)
    assert first is second
    until(lambda: first.going().wanted == 5)
    runner.leave(first)
    assert not first.stopped.is_set()
    runner.leave(second)
    until(first.ended.is_set)
    assert first.stopped.is_set()
    third = runner.join(NAME)
    assert third is not first
    runner.leave(third)


def test_a_study_stops_and_its_process_ends_soon_after_its_page_was_closed(monkeypatch):
    monkeypatch.setattr(study_work, "ALONE_SECONDS", 0.1)
    runner = Runner(says({"done": 0, "wanted": 5, "what": "a"}, then="time.sleep(60)"))
    closed = threading.Event()
    steps = walk(study_steps(NAME, "light", Cache(), runner, closed.is_set))
    while next(steps).wanted == 0:
        pass
    run = runner._runs[NAME]
    closed.set()
    with pytest.raises(ValueError, match="Press Run to start again"):
        list(steps)
    until(run.ended.is_set)
    assert run._process.poll() is not None


def test_a_page_that_was_cut_off_for_a_moment_still_gets_its_study(monkeypatch, result):
    monkeypatch.setattr(study_work, "ALONE_SECONDS", 1e9)
    told = says({"done": 0, "wanted": 5, "what": "a"}, {"result": result.to_text()})
    *_, shown = walk(study_steps(NAME, "light", Cache(), Runner(told), lambda: True))
    assert isinstance(shown, Shown)


def test_a_study_stopped_while_its_process_starts_is_ended_at_once():
    late = 'import time; time.sleep(20); print(\'{"result": "late"}\', flush=True)'
    run = StudyRun("menze-fig2")

    def command(name):
        run.stop()
        return [sys.executable, "-c", late]

    run.work(command)
    assert run.ended.is_set()
    assert (run.text, run.error) == ("", "")


def test_a_study_that_is_refused_or_dies_gives_a_sentence():
    refused = study_steps(NAME, "light", Cache(), Runner(says({"error": "There is no such file."})))
    with pytest.raises(ValueError, match="no such file"):
        list(walk(refused))
    died = study_steps(NAME, "light", Cache(), Runner(says(then="import os; os._exit(3)")))
    with pytest.raises(ValueError, match="before it was done"):
        list(walk(died))


def test_time_left_is_reckoned_from_the_parts_alone():
    runner = Runner(says({"done": 2, "wanted": 4, "what": "a"}, then="time.sleep(60)"))
    run = runner.join(NAME)
    until(lambda: run.going().done == 2)
    assert run.going().left <= 2
    runner.leave(run)


# ---- words


def test_a_verdict_has_a_sign_and_a_word_and_nothing_runs_as_html():
    claims = [
        Claim("It <b>falls</b>.", "s.1", True, {"x": 0.123456}),
        Claim("It rises.", "s.2", False, {"y": "<i>"}, "Because & so."),
        Claim("It stays.", "s.3", None, {}, "Not here."),
    ]
    html = claims_html(claims)
    for words in ("✓", "Holds.", "✗", "Does not hold.", "–", "Not tested.", "0.1235"):
        assert words in html
    assert "<b>falls" not in html
    assert "<i>" not in html
    assert tally(claims) == "1 of 3 hold, 1 not, 1 not tested"


def test_a_claim_that_fails_says_why():
    failed = Claim("It rises.", "s.2", False, {}, "They are exchanged.", Cause.PAPER)
    assert "<b>Why: the paper's own numbers.</b> They are exchanged." in unescape(
        claims_html([failed])
    )
    assert "This small run does not show it" in claims_html([Claim("It rises.", "s.2", False)])
    assert "Why" not in claims_html([Claim("It rises.", "s.2", True, cause=Cause.PAPER)])


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.05, "0.05"), (1234567, "1 234 567"), (float("nan"), "none"), ("8, 0, 2", "8, 0, 2")],
)
def test_numbers_are_short(value, words):
    assert number(value) == words


def test_progress_says_what_is_left():
    assert going_words(Going(NAME)) == "Waiting for its turn"
    assert going_words(Going(NAME, 2, 10, "", 8, 31)) == "2 of 10 parts, about 31 s left"


def test_what_is_missing_stands_beside_the_result():
    study = find("ho-table1")
    missing = [{"name": "NIST", "why": "Gone."}]
    result = find(NAME).run("tiny")
    html = side_html(study, result, [])
    assert "missing" not in html
    object.__setattr__(result, "missing", missing)
    assert "One data set of the paper is missing" in side_html(study, result, [])


def test_files_hold_every_table_and_claim(result):
    study = find(NAME)
    rows = tables_csv(result).decode().splitlines()
    assert len(rows) == 1 + sum(len(t) for t in result.tables.values())
    page = page_html(study, result, study.claims(result)).decode()
    assert study.claims(result)[0].sentence in page
    assert "id='seen'" in page


# ---- the page


@pytest.fixture
def open_page():
    work = Scheduler(workers=1)
    sessions = []

    def make(query=f"page=Papers&study={NAME}", cache=None):
        session = Session(query, None, cache or Cache(), work)
        sessions.append(session)
        return session, PapersPage(session)

    yield make
    for session in sessions:
        session.close()
    work.close()


def test_before_a_run_the_page_says_what_a_click_will_do(open_page):
    _, page = open_page()
    assert "about 5 s" in page.run.label
    assert "Not run yet" in page.empty.object
    assert page.run.visible
    assert not page.save.visible


def test_a_result_that_others_made_is_shown_at_once(open_page, result):
    cache = Cache()
    cache.put(key(NAME), result, 1000)
    session, page = open_page(cache=cache)
    until(lambda: page.shown is not None and not session.worker.busy)
    assert len(page.holders) == 2
    assert not page.run.visible
    assert page.save.visible
    assert 'class="mark"' in page.words.object
    assert any("hold" in label for label in page.figures_of.options)
    page.part.value = "breast_cancer"
    assert "gone" in page.holders["heart"].css_classes
    assert "gone" not in page.holders["breast_cancer"].css_classes


def test_another_paper_opens_its_first_figure_and_the_link_keeps_it(open_page):
    session, page = open_page()
    page.paper.value = "ho"
    assert page.chosen == "ho-table1"
    state = State()
    assert link.read(link.write(session.state), state) == []
    assert (state.view.page, state.view.study) == ("Papers", "ho-table1")


def test_a_link_to_an_unknown_study_opens_the_first(open_page):
    _, page = open_page("page=Papers&study=menze-fig99")
    assert page.chosen == next(iter(page.known))
    state = State()
    link.read("page=Papers&study=%3Cscript%3E", state)
    assert state.view.study == "script"


def test_a_door_opens_the_study_s_data_and_keeps_the_theme(open_page):
    session, page = open_page(f"page=Papers&study={NAME}&theme=dark")
    door = find(NAME).opens[0]
    page._open(door.query)
    assert session.state.view.page == door.page
    assert session.state.view.theme == "dark"
    assert session.state.data.source == "heart"
