import json
import sys

import pytest

from explorer.app.work.cache import Cache
from explorer.app.work.scheduler import Rest
from explorer.app.work.study_work import Going, Runner, Shown, key, study_steps
from explorer.studies import find


def child(*lines):
    """A command that says lines as a study's process does."""
    said = "; ".join(f"print({json.dumps(line)!r}, flush=True)" for line in lines)
    return lambda name: [sys.executable, "-c", said]


@pytest.fixture(scope="module")
def result():
    return find("menze-fig2").run("tiny")


def test_a_study_says_how_far_it_is_and_is_drawn_at_the_end(result):
    runner = Runner(child({"done": 1, "wanted": 2, "what": "a"}, {"result": result.to_text()}))
    cache = Cache()
    steps = list(study_steps("menze-fig2", "light", cache, runner))
    assert all(isinstance(step, Going | Rest) for step in steps[:-1])
    shown = steps[-1]
    assert isinstance(shown, Shown)
    assert shown.result.digest() == result.digest()
    assert cache.get(key("menze-fig2")) is shown.result


def test_a_result_that_is_kept_is_drawn_without_a_run(result):
    cache = Cache()
    cache.put(key("menze-fig2"), result, 100)
    (shown,) = study_steps("menze-fig2", "dark", cache, Runner(child()))
    assert shown.result is result


def test_a_study_that_fails_says_why():
    runner = Runner(child({"error": "The data are missing."}))
    with pytest.raises(ValueError, match="The data are missing"):
        list(study_steps("menze-fig2", "light", Cache(), runner))


def test_a_process_that_ends_early_is_told_in_a_sentence():
    with pytest.raises(ValueError, match="ended before it was done"):
        list(study_steps("menze-fig2", "light", Cache(), Runner(child())))


def test_two_who_watch_share_one_run():
    runner = Runner(lambda name: [sys.executable, "-c", "import sys; sys.stdin.read()"])
    one, two = runner.join("menze-fig2"), runner.join("menze-fig2")
    assert one is two
    runner.leave(one)
    assert not one.stopped.is_set()
    runner.leave(two)
    assert one.stopped.is_set()
    assert one.ended.wait(60)
