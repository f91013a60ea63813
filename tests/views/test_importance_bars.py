import numpy as np
import pytest

from explorer.analysis import band_importance
from explorer.data import load
from explorer.engine import FAMILIES, grow
from explorer.views.importance_bars import MOST_BARS, ImportanceBars, sorted_parts


@pytest.fixture(scope="module")
def records():
    iris = load("iris")
    specs = [FAMILIES[name].replace(n_tree=20) for name in ("RF", "oRF-ridge")]
    return [band_importance(grow(s, iris.X, iris.y), iris, repeats=2, seed=0) for s in specs]


def test_features_are_sorted_by_their_mean_importance_over_the_models(records):
    order = sorted_parts(records)
    mean = np.mean([r.drop for r in records], axis=0)
    assert (np.diff(mean[order]) <= 0).all()
    assert sorted_parts([]) == []


def test_every_feature_has_a_bar_per_model_and_the_first_row_is_on_top(records):
    drawn = ImportanceBars()
    n = drawn.update([(0, records[0]), (2, records[1])])
    assert n == min(MOST_BARS, len(records[0].names))
    assert len(drawn.bars.data["y"]) == 2 * n
    assert drawn.figure.y_range.start > drawn.figure.y_range.end
    first = drawn.figure.yaxis[0].major_label_overrides[0]
    assert first[:20] == records[0].names[sorted_parts(records)[0]][:20]


def test_another_theme_changes_the_colours_and_keeps_the_bars(records):
    drawn = ImportanceBars("light")
    drawn.update([(0, records[0])])
    before = dict(drawn.bars.data)
    drawn.restyle("dark")
    assert list(drawn.bars.data["right"]) == list(before["right"])
    assert list(drawn.bars.data["colour"]) != list(before["colour"])
