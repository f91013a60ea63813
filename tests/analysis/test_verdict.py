import numpy as np
import pytest
from scipy import stats

from explorer import data
from explorer.analysis import Cancelled, Protocol, verdict
from explorer.analysis.verdict import _part, corrected_interval
from explorer.engine import FAMILIES

TWO = {name: FAMILIES[name].replace(n_tree=30) for name in ("RF", "oRF-ridge")}
TIMES = Protocol(folds=3, repeats=4)


def test_oblique_splits_win_on_spectra_with_an_offset():
    found = verdict(data.load("spectra_ir", p=80, offset=1.0), TWO, TIMES)
    assert found.winner == "oRF-ridge"
    assert found.gain_low[1] > 0
    assert found.sentence.startswith("oRF-ridge does better than RF: ")
    assert "of the nodes" in found.sentence


def test_axis_splits_are_enough_where_classes_part_along_an_axis(rng):
    from explorer.data import Dataset

    X = rng.normal(size=(400, 6))
    d = Dataset("axis", X, (X[:, 2] > 0.3).astype(int), ("a", "b"))
    found = verdict(d, TWO, TIMES)
    assert found.winner is None
    assert found.sentence.startswith("Axis splits are ")


def test_a_gain_that_may_be_chance_is_not_called_a_gain():
    found = verdict(data.load("twonorm", n=40), TWO, Protocol(folds=2, repeats=2))
    assert found.winner is None
    assert not found.sentence.startswith("oRF-ridge does better")


def test_the_interval_is_students_with_the_variance_of_overlapping_training_sets(rng):
    away = rng.normal(0.02, 0.05, 12)
    mean, low, high = corrected_interval(away, 0.5, 0.95)
    error = away.std(ddof=1) * np.sqrt(1 / 12 + 0.5)
    expected = stats.t.interval(0.95, 11, away.mean(), error)
    assert (low, high) == pytest.approx(expected)
    plain = stats.t.interval(0.95, 11, away.mean(), stats.sem(away))
    assert corrected_interval(away, 0.0, 0.95)[1:] == pytest.approx(plain)
    assert mean == pytest.approx(away.mean())


def test_a_verdict_is_the_same_for_any_number_of_threads():
    d = data.load("mixture")
    one, two = (verdict(d, TWO, TIMES, threads=k) for k in (1, 2))
    np.testing.assert_array_equal(one.gain, two.gain)
    np.testing.assert_array_equal(one.error, two.error)


def test_a_verdict_reports_progress_can_be_stopped_and_goes_to_pandas():
    d = data.load("mixture")
    seen = []
    found = verdict(d, TWO, Protocol(folds=2, repeats=2), progress=lambda *a: seen.append(a))
    assert seen[-1] == (8, 8, "oRF-ridge")
    assert list(found.to_frame()["model"]) == ["RF", "oRF-ridge"]
    assert '"sentence"' in found.to_json()
    with pytest.raises(Cancelled):
        verdict(d, TWO, TIMES, cancel=lambda: True)


def test_one_model_alone_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="at least one other"):
        verdict(data.load("mixture"), {"RF": TWO["RF"]})


@pytest.mark.parametrize(
    ("ratio", "said"),
    [
        (1.0, "the time"),
        (0.5, "half the time"),
        (0.21, "a fifth of the time"),
        (0.42, "42 % of the time"),
        (3.16, "3.2 times the time"),
        (0.0, "0 % of the time"),
    ],
)
def test_a_ratio_is_said_as_people_say_it(ratio: float, said: str) -> None:
    assert _part(ratio, "the time") == said
