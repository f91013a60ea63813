from types import SimpleNamespace

import numpy as np
import pytest

from explorer.analysis.proximity_picture import OUTLYING
from explorer.app.pages import proximity_text as words
from explorer.app.work.insight_work import Nearness
from explorer.data import Dataset


@pytest.fixture
def data(rng):
    names = ("<b>one</b>", "two", "three", "four")
    return Dataset(
        "own",
        X=rng.normal(size=(4, 2)),
        y=[0, 0, 1, 1],
        class_names=("a", "b"),
        sample_names=names,
    )


@pytest.fixture
def made():
    votes = SimpleNamespace(
        margin=np.array([-0.5, 0.4, np.nan, 0.9]),
        wrong=np.array([True, False, False, False]),
        votes=np.array([[0.2, 0.8], [0.7, 0.3], [np.nan, np.nan], [0.05, 0.95]]),
    )
    record = SimpleNamespace(
        outlyingness=np.array([1.0, 1.0, 1.0, OUTLYING + 1]), label="out-of-bag votes"
    )
    return Nearness((record,), (votes,))


def test_the_worst_samples_are_listed_first(made):
    assert words.remarkable(made) == [0, 3]


def test_the_table_escapes_names_and_marks_errors_and_outliers(data, made):
    what, html = words.sample_table(data, made, [])
    assert what == "2 misclassified or outlying, worst first"
    assert "<b>one" not in html
    assert html.count('class="bad"') == 1
    assert html.count(words.CROSS) == 1
    assert not html.split(words.CROSS)[0].endswith("<td>")  # never before its number


def test_chosen_samples_are_listed_instead(data, made):
    what, html = words.sample_table(data, made, [1, 2])
    assert what == "2 selected"
    assert "none" in html  # a sample that was never out of bag


def test_nothing_remarkable_says_so(data, made):
    calm = SimpleNamespace(margin=np.ones(4), wrong=np.zeros(4, bool), votes=np.ones((4, 2)))
    still = SimpleNamespace(outlyingness=np.zeros(4), label="")
    _, html = words.sample_table(data, Nearness((still,), (calm,)), [])
    assert words.NOTHING in html


def test_the_line_under_a_picture_counts_what_is_marked():
    place = SimpleNamespace(explained=np.array([0.5, 0.25]), bars=np.array([0.5, 0.25, 0.05]))
    assert words.of_map(place, 0, 3, None) == "○ 3 wrong. This plane explains 75 %."
    assert "aligned with A" in words.of_map(place, 1, None, 2)
    assert words.of_bars(["A"], [place]) == "First three: A 80 %."
    assert "Below: A" in words.of_heat(["A", "B"], 1)
