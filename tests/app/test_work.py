import threading

import numpy as np
import pytest

from explorer.app import measure, work
from explorer.app.cache import Cache
from explorer.app.plane import Window, home_window
from explorer.app.request import MapRequest, Pictures
from explorer.app.state import DataState, ModelState
from explorer.app.work import pictures
from explorer.data import load
from explorer.data.transforms import TRANSFORMS
from explorer.engine import Plane, grow


def ask(data="clouds", families=("RF", "oRF-ridge"), n_tree=20, **more):
    state = DataState()
    state.choose(data)
    models = [ModelState(family=f, knobs={"n_tree": n_tree}) for f in families]
    more.setdefault("pixels", (40, 30))
    return MapRequest(state.recipe(), tuple(m.spec(2) for m in models), **more)


def last(request, cache=None):
    *_, shown = (
        p
        for p in pictures(request, Cache() if cache is None else cache, threading.Event())
        if isinstance(p, Pictures)
    )
    return shown


def test_a_map_shows_what_the_engine_says():
    shown = last(ask())
    data = load("clouds")
    w = shown.window
    plane = Plane.axes(0, 1, (w.x0, w.x1), (w.y0, w.y1))
    for spec, record in zip(shown.request.specs, shown.records, strict=True):
        forest = grow(spec, data.X, data.y)
        np.testing.assert_allclose(record.posterior, forest.posterior_on(plane, 40, 30), atol=1e-7)
        assert record.oob_error == forest.oob_error[-1]


def test_fewer_trees_shown_are_the_first_trees_of_the_same_forest():
    shown = last(ask(trees=5))
    data = load("clouds")
    forest = grow(shown.request.specs[0].replace(n_tree=5), data.X, data.y)
    record = shown.records[0]
    assert (record.trees, record.n_tree) == (5, 20)
    assert record.oob_error == pytest.approx(forest.oob_error[-1], nan_ok=True)


def test_the_second_session_of_one_link_costs_no_fit():
    cache = Cache()
    first = last(ask(), cache)
    second = last(ask(), cache)
    assert all(a is b for a, b in zip(first.records, second.records, strict=True))


def test_a_large_forest_comes_in_pictures_that_get_better():
    request = ask("mixture", n_tree=2000)
    shown = [p for p in pictures(request, Cache(), threading.Event()) if isinstance(p, Pictures)]
    assert shown[0].done <= shown[-1].done == shown[-1].wanted
    assert shown[-1].finished


def test_of_a_growing_forest_only_the_last_picture_is_kept(monkeypatch):
    monkeypatch.setattr(work, "REFINE_SECONDS", 0.0)
    cache = Cache()
    many = pictures(ask("mixture", n_tree=2000), cache, threading.Event())
    assert sum(isinstance(p, Pictures) for p in many) > 1
    assert sum(key[0] == "map" for key in cache._held) == 2


def test_growing_in_chunks_gives_the_same_forest_as_growing_at_once():
    request = ask("mixture", n_tree=2000)
    shown = last(request)
    data = load("mixture")
    forest = grow(request.specs[0], data.X, data.y)
    assert shown.records[0].oob_error == forest.oob_error[-1]


def test_a_request_beyond_the_budget_is_refused_in_words():
    state = DataState()
    state.choose("mixture")
    state.turn_knob("n", 20000)
    spec = ModelState().spec(2).replace(n_tree=1_000_000)
    with pytest.raises(ValueError, match="fewer trees"):
        last(MapRequest(state.recipe(), (spec,)))


def test_turning_the_clouds_leaves_the_window_where_it_is():
    turned = [load("clouds", angle=a) for a in (0.0, 20.0, 45.0, 90.0)]
    windows = [home_window(data, data.X, 1.2) for data in turned]
    for w in windows:
        assert w.x1 == pytest.approx(windows[0].x1)
    assert windows[0].width / windows[0].height == pytest.approx(1.2)


def test_the_better_model_is_named_only_beyond_one_standard_error(rng):
    wrong = (rng.random(1000) < 0.2).astype(float)
    assert measure.best([wrong, wrong]) is None
    assert measure.best([wrong, (rng.random(1000) < 0.02).astype(float)]) == 1
    one_off = wrong.copy()
    one_off[np.flatnonzero(wrong)[0]] = 0
    assert measure.best([wrong, one_off]) is None


def test_the_learned_boundary_lies_where_the_winner_changes():
    p = np.zeros((20, 40, 2), np.float32)
    p[:, :20, 0] = p[:, 20:, 1] = 1
    x, y = measure.boundary_lines(p, Window(0, 4, 0, 2))
    np.testing.assert_allclose(x, 2.0)
    assert y.min() < 0.1
    assert y.max() > 1.9


def test_a_border_of_three_classes_is_drawn_once():
    p = np.zeros((20, 30, 3), np.float32)
    for k in range(3):
        p[:, 10 * k : 10 * (k + 1), k] = 1
    x, _ = measure.boundary_lines(p, Window(0, 3, 0, 2))
    kept = x[~np.isnan(x)]
    assert len(kept) == 2 * 2  # two lines, each from end to end


def test_straight_boundaries_and_stairs_are_told_apart():
    shown = last(ask(n_tree=100, pixels=(300, 300)))
    words = [measure.boundary_in_words(r) for r in shown.records]
    assert "straight" in words[1]
    assert "stairs" in words[0] or "pieces" in words[0]


def test_data_turned_about_the_origin_keep_their_window_to_the_last_bit():
    data = load("mixture")
    windows = set()
    for angle in range(0, 90, 7):
        turned = TRANSFORMS["turn"](angle=angle).apply(data)
        windows.add(home_window(turned, turned.X, 1.2))
    assert len(windows) == 1
