import time

import pytest
from bokeh.document import Document

from app.screen import screen_of
from app.settling import settle
from explorer.app.pages.evaluate import CV, OOB, EvaluatePage
from explorer.app.work.evaluate_work import Contest, Results, m_try_values, with_rival
from explorer.app.work.requests import Source
from explorer.data import load
from explorer.engine import FAMILIES


@pytest.fixture
def open_page(new_session):
    def make(query="page=Evaluate&data=moons"):
        session = new_session(query)
        page = EvaluatePage(session)
        session.refresh()
        settle(session)
        return session, page

    return make


def test_out_of_bag_numbers_are_those_of_the_maps(open_page):
    session, page = open_page()
    shares = [e.error for e in page.results[OOB].evaluations]
    assert len(page.error.lines[1].data["y"]) > 90
    assert page.curves[0].n_curves == 1
    screen = screen_of(session)
    session.open_page("Boundaries")
    settle(session)
    assert shares == pytest.approx([card.record.oob_error for card in screen.cards])


def test_trying_them_ends_with_a_verdict_over_all_runs(open_page):
    session, page = open_page("page=Evaluate")
    page.contest.folds.value, page.contest.repeats.value = 3, 2
    page.contest.run()
    assert page.contest.stop.visible
    settle(session)
    assert not page.contest.stop.visible
    assert page.results[CV].done == page.results[CV].wanted == 6
    assert page.results[CV].verdict.winner == "B oRF-ridge"
    assert "does better" in page.contest.card.words.object
    assert page.judged.visible
    assert page.curves[0].n_curves == 6


def test_stopping_keeps_the_runs_that_are_done(open_page):
    session, page = open_page()
    page.contest.repeats.value = 20
    page.contest.run()
    end = time.monotonic() + 60
    while page.contest.results is None and time.monotonic() < end:
        time.sleep(0.01)
    page.contest.halt()
    settle(session)
    assert 0 < page.contest.results.done < page.contest.results.wanted
    assert "Stopped after" in page.contest.progress.object
    assert page.contest.start.visible


def test_what_is_shown_of_one_run_says_that_it_is_one_run(open_page):
    session, page = open_page()
    whole = []
    page.contest.folds.value, page.contest.repeats.value = 3, 1
    page.contest.arrived = whole.append
    page.contest.run()
    settle(session)
    page.show(CV, next(r for r in whole if r.done == 1))
    settle(session)
    assert page.judged.value == CV
    assert "One cross-validation run." in page.curve_cards["ROC"].words.object
    assert "1 of 3 runs so far. 3-fold cross-validation" in page.table_card.words.object
    page.show(CV, whole[-1])
    settle(session)
    assert "Mean of 3 curves" in page.curve_cards["ROC"].words.object
    assert "so far" not in page.table_card.words.object
    page.judged.value = OOB
    settle(session)
    assert "Out of bag." in page.curve_cards["ROC"].words.object


def test_other_data_drop_the_verdict(open_page):
    session, page = open_page()
    page.contest.folds.value, page.contest.repeats.value = 2, 1
    page.contest.run()
    settle(session)
    session.data.turn("noise", 0.4)
    settle(session)
    assert CV not in page.results
    assert "changed" in page.contest.card.words.object
    assert not page.judged.visible


def test_what_a_client_must_not_send_becomes_a_notice(open_page):
    session, page = open_page()
    page.contest.folds.value = 10_000
    page.contest.run()
    assert "folds" in screen_of(session).notice.pane.object
    assert not page.contest.stop.visible


def test_too_few_samples_for_the_folds_are_said_beside_the_button(open_page):
    points = "page=Evaluate&data=clouds&d.n=20"
    session, page = open_page(points)
    page.contest.folds.value = 10
    page.contest.run()
    settle(session)
    words = page.contest.card.words.object
    assert "too few" in words or "runs" in words


def test_a_forest_without_bags_says_so_and_the_others_are_judged(open_page):
    _, page = open_page("page=Evaluate&data=moons&model=RF&model=oblique-tree")
    assert page.results[OOB].evaluations[1] is None
    assert "out of a bag" in page.error_card.words.object
    page.forest.value = 1
    assert "out of a bag" in page.confusion_card.words.object


def test_another_positive_class_is_another_curve(open_page):
    session, page = open_page("page=Evaluate&data=iris")
    page.positive.value = 0
    settle(session)
    assert page.curves[0].positive == page.maps.source.data.class_names[0]


def test_every_picture_gives_its_numbers_as_csv(open_page):
    _, page = open_page()
    assert page._error_csv().startswith("trees,A RF,B oRF-ridge")
    assert "true_positive" in page._curves_csv()
    assert len(page._frame("class_frame")) == 2


@pytest.mark.parametrize(
    ("families", "names"),
    [
        (["oRF-ridge"], ["RF, for comparison", "A oRF-ridge"]),
        (["RF"], ["A RF", "oRF-ridge, for comparison"]),
        (["F-RC", "RF"], ["B RF", "A F-RC"]),
    ],
)
def test_a_verdict_always_weighs_a_straight_forest_against_another(families, names):
    moons = load("moons")
    called = tuple(f"{'ABC'[i]} {f}" for i, f in enumerate(families))
    contest = Contest(Source(moons, moons.digest()), called, tuple(FAMILIES[f] for f in families))
    assert with_rival(contest)[0] == names


def test_curves_are_chosen_and_each_has_its_card(open_page):
    session, page = open_page(
        "page=Evaluate&data=moons&model=RF~n_tree:10&model=oRF-ridge~n_tree:10"
    )
    for name, record in (
        ("Precision and recall", "PrecisionRecall"),
        ("Calibration", "Calibration"),
    ):
        page.curve.value = name
        settle(session)
        assert type(page.curves[0]).__name__ == record
        seen = [n for n, c in page.curve_cards.items() if "hidden" not in c.view.css_classes]
        assert seen == [name]
    page.forest.value = 1
    settle(session)
    most = page.curves[1].count.max()
    assert f"up to {most}" in page.curve_cards["Calibration"].words.object
    assert "count" in page._curves_csv()


def test_m_try_is_turned_value_by_value_and_can_be_stopped(open_page):
    session, page = open_page("page=Evaluate&data=twonorm&model=RF~n_tree:10&model=F-RC~n_tree:10")
    page.by.value = "Error by m_try"
    assert "hidden" in page.error_card.view.css_classes
    page.sweep.run()
    end = time.monotonic() + 60
    while page.sweep.results is None and time.monotonic() < end:
        time.sleep(0.005)
    page.sweep.halt()
    kept = page.sweep.results
    assert kept.done >= 1
    assert page.sweep.start.visible
    page.sweep.run()
    settle(session)
    found = page.sweep.results
    assert found.done == found.wanted == len(found.values)
    assert found.sweeps[1] is None
    assert "No m_try: B" in page.sweep.card.words.object
    assert "Least: A" in page.sweep.card.words.object
    assert "m_try" in page.sweep._csv()


def test_forests_without_m_try_say_that_there_is_nothing_to_turn(open_page):
    session, page = open_page("page=Evaluate&data=moons&model=F-RC~n_tree:5")
    page.sweep.run()
    settle(session)
    assert "m_try is no knob" in page.sweep.card.words.object
    assert page.sweep.start.visible


def test_values_of_m_try_run_from_one_to_all_features():
    assert m_try_values(2) == (1, 2)
    assert m_try_values(100)[0] == 1
    assert m_try_values(100)[-1] == 100
    assert 10 in m_try_values(100)
    assert len(m_try_values(4000)) <= 8


def test_selected_samples_are_counted_in_the_confusion(open_page):
    session, page = open_page("page=Evaluate&data=moons&model=RF~n_tree:10")
    session.selected.choose([0, 1, 2], "lasso")
    assert "Of the selected:" in page.confusion_card.words.object
    assert " of 3." in page.confusion_card.words.object


def test_what_is_asked_for_while_forests_grow_starts_when_they_are_grown(new_session):
    session = new_session("page=Evaluate&model=RF~n_tree:5")
    page = EvaluatePage(session)
    page.contest.folds.value, page.contest.repeats.value = 2, 1
    page.contest.run()
    assert page.contest.pending
    assert not page.contest.stop.visible
    session.refresh()
    settle(session)
    assert page.contest.results.done == 2


def test_a_baseline_as_the_first_model_shows_no_numbers_of_another_one(open_page):
    session, page = open_page()
    assert page.confusion.cells.data["count"]
    session.models.choose_family(0, "knn")
    settle(session)
    assert list(page.confusion.cells.data["count"]) == []
    assert "<td" not in page.table_card.body.object
    for card in (page.table_card, page.confusion_card):
        assert "A knn" in card.head.object
        assert "A RF" not in card.head.object
        assert "no trees" in card.words.object
    page.forest.value = 1
    assert "B oRF-ridge" in page.confusion_card.head.object
    assert page.confusion.cells.data["count"]


def test_a_button_stays_lit_when_models_come_and_go(open_page):
    """A document that holds its messages back calls its listeners late, as a live session does."""
    session, page = open_page()
    document = Document()
    root = page.forest.get_root(document)
    document.add_root(root)
    for act in (session.models.add, lambda: session.models.remove(0), session.models.add):
        document.hold("combine")
        act()
        settle(session)
        document.unhold()
        assert root.active == 0
        assert page.forest.value == 0
        assert len(root.labels) == len(session.state.models.models)


def test_a_contest_stopped_before_a_verdict_says_so(open_page):
    _, page = open_page()
    contest = page._now()
    page.contest.say("", running=True)
    some = Results(contest, "cv", (None, None), ("", ""), (0, 1), None, 1, 25)
    page.contest.results = some
    page.contest.halt()
    words = page.contest.card.words.object
    assert "on their way" not in words
    assert "Stopped after 1 of 25 runs" in words
    page.contest.results = None
    page.contest.halt()
    assert "Stopped before the first result" in page.contest.card.words.object


def test_a_contest_without_a_verdict_yet_says_what_is_missing(open_page):
    _, page = open_page()
    page.contest.say("", running=True)
    page.contest.figure.update = lambda *given: None
    page.contest.take(Results(page._now(), "cv", (None, None), ("", ""), (0, 1), None, 1, 25))
    assert "1 of 25 runs are done" in page.contest.card.words.object


def test_a_sweep_that_was_stopped_says_so(open_page):
    _, page = open_page()
    page.sweep.say("", running=True)
    page.sweep.halt()
    assert "Stopped" in page.sweep.card.words.object
