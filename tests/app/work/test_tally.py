import json
import logging
from types import SimpleNamespace

from explorer.app.work.scheduler import Ended
from explorer.app.work.tally import Histogram, Tally, hit, line, listen, log


def ended(kind="maps", outcome="done", trees=0):
    return Ended(SimpleNamespace(name="abcdef"), kind, 3, outcome, 0.02, 0.2, 4, trees)


def test_a_histogram_counts_up_to_each_end():
    found = Histogram()
    for seconds in (0.001, 0.02, 100.0):
        found.add(seconds)
    lines = found.lines("wait")
    assert lines[0] == 'wait_bucket{le="0.005"} 1'
    assert lines[-3] == 'wait_bucket{le="+Inf"} 3'
    assert lines[-2:] == ["wait_sum 100.021000", "wait_count 3"]


def test_requests_are_counted_by_kind_and_outcome():
    tally = Tally()
    for one in (ended(), ended(trees=50), ended("bayes 2", "dropped")):
        tally.hear(one)
    assert tally.outcomes == {("maps", "done"): 2, ("bayes", "dropped"): 1}
    assert (tally.trees, tally.from_cache) == (50, 1)


def test_maps_without_a_new_tree_came_out_of_the_cache():
    assert hit(ended())
    assert not hit(ended(trees=1))
    assert not hit(ended("forests"))


def test_a_line_names_no_data_and_no_value():
    record = json.loads(line(ended()))
    assert record["session"] == "abcdef"
    assert record["cache"] == "hit"
    assert set(record) == {
        *("at", "session", "kind", "number", "outcome", "waited_ms", "worked_ms"),
        *("chunks", "trees", "cache"),
    }


def test_a_scheduler_is_listened_to_without_lines_unless_they_are_wanted():
    scheduler = SimpleNamespace(listener=None)
    before = list(log.handlers)
    listen(scheduler)
    assert callable(scheduler.listener)
    assert log.handlers == before
    assert log.getEffectiveLevel() >= logging.INFO or not before
