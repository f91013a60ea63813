import numpy as np
import pytest

from explorer.analysis import feature_plane, fresh_rows, marginal_plane, posterior_map
from explorer.app.state.plane_choice import Window
from explorer.app.work.map_record import MapRecord, cell_lines, draw, judge, leaders
from explorer.data import load
from explorer.engine import FAMILIES, grow


@pytest.fixture(scope="module")
def moons():
    return load("moons")


@pytest.fixture(scope="module")
def forest(moons):
    return grow(FAMILIES["RF"].replace(n_tree=10), moons.X, moons.y)


def test_a_record_has_the_picture_of_posterior_map(moons, forest):
    plane = feature_plane(moons)
    record = draw(forest, 4, 0.0, moons, plane, (30, 20))
    whole = posterior_map(forest, moons, plane, 30, 20, trees=4, truth=False, boundary="none")
    np.testing.assert_array_equal(record.shares, whole.posterior[..., :-1])
    np.testing.assert_array_equal(record.index, whole.index)
    np.testing.assert_allclose(record.posterior.sum(axis=-1), 1.0, atol=1e-6)
    assert record.at(3, 5) == pytest.approx(whole.posterior[3, 5].tolist(), abs=1e-6)
    assert record.trees == 4


def test_judging_adds_the_numbers_on_fresh_rows_and_keeps_the_picture(moons, forest):
    plane, test = feature_plane(moons), fresh_rows(moons, 200, 1)
    record = draw(forest, 10, 0.0, moons, plane, (30, 20))
    done = judge(record, forest, moons, plane, test)
    assert done.judged
    assert done.shares is record.shares
    assert done.test_error == pytest.approx((forest.predict(test.X) != test.y).mean())
    assert 0 <= done.hellinger <= 1
    assert done.words


def test_a_marginal_map_is_rough_until_it_is_judged():
    data = load("trunk", p=4)
    forest = grow(FAMILIES["RF"].replace(n_tree=3), data.X, data.y)
    plane = marginal_plane(data)
    first = draw(forest, 3, 0.0, data, plane, (12, 10))
    assert first.rough
    assert not judge(first, forest, data, plane, None).rough


def test_cells_of_a_tree_that_is_not_there_are_refused_in_words(moons, forest):
    lines, why = cell_lines(forest, moons, feature_plane(moons), 99)
    assert lines[0].size == 0
    assert "no tree 100" in why
    lines, why = cell_lines(forest, moons, feature_plane(moons), 0)
    assert lines[0].size > 0
    assert why == ""


def record(wrong, n_tree=5):
    none = np.empty(0)
    return MapRecord(
        Window(0.0, 1.0, 0.0, 1.0), np.zeros((1, 1, 1), np.float32), np.zeros((1, 1), np.uint8),
        (none, none), n_tree, n_tree, 1, 0.1, 9.0, 0.1, np.zeros(1, bool),
        np.asarray(wrong, float), np.arange(5.0),
    )  # fmt: skip


def test_a_clear_winner_stands_alone_and_equal_models_tie():
    good, bad = record([0.0] * 100), record([1.0] * 100)
    assert leaders([good, bad], [5, 5])["oob"] == {0}
    assert leaders([good, good], [5, 5])["oob"] == {0, 1}


def test_nobody_leads_before_all_forests_are_finished():
    good, growing = record([0.0] * 100), record([1.0] * 100, n_tree=2)
    assert "oob" not in leaders([good, growing], [5, 5])
    assert "oob" not in leaders([good, None], [5, 5])
