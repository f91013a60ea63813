import json

import numpy as np
import pytest

from explorer.analysis import (
    Cancelled,
    component_plane,
    feature_plane,
    hellinger,
    marginal_plane,
    posterior_map,
    true_posterior,
)
from explorer.analysis.boundary import bisecting, rooting
from explorer.baselines import Knn
from explorer.data import load


def test_hellinger_is_its_formula_on_known_posteriors():
    p = np.array([[0.5, 0.5], [1.0, 0.0], [0.9, 0.1], [0.3, 0.7]])
    q = np.array([[0.5, 0.5], [0.0, 1.0], [0.6, 0.4], [1.0, 0.0]])
    by_hand = np.sqrt(1 - np.sqrt(p * q).sum(axis=1))
    np.testing.assert_allclose(hellinger(p, q), by_hand, atol=1e-15)
    assert hellinger(p, q)[0] == 0.0
    assert hellinger(p, q)[1] == 1.0


@pytest.mark.parametrize("family", ["RF", "oRF-ridge", "FRANK"])
def test_a_map_is_the_posterior_at_every_pixel_centre(family, ten, forests):
    forest = forests(family, ten)
    for plane in (feature_plane(ten, 3, 6), feature_plane(ten, 0, 1, at=5), component_plane(ten)):
        found = posterior_map(forest, ten, plane, 23, 17, boundary="none", truth=False)
        x, y = plane.pixels(23, 17)
        points = plane.points(np.column_stack([np.tile(x, 17), np.repeat(y, 23)]))
        expected = forest.predict_proba(points).reshape(17, 23, 2)
        assert np.abs(found.posterior - expected).max() < 1e-6
        assert found.label == plane.label


def test_fewer_trees_are_the_first_ones(mixture, forests):
    forest = forests("RF", mixture)
    few = posterior_map(forest, mixture, None, 20, 20, trees=7)
    taken = posterior_map(forest.take(7), mixture, None, 20, 20)
    np.testing.assert_array_equal(few.posterior, taken.posterior)
    assert few.n_tree == 7


def test_a_marginal_map_is_the_mean_over_planes_through_the_samples(ten, forests):
    forest = forests("oRF-ridge", ten)
    plane = marginal_plane(ten, 1, 2, samples=9, seed=3)
    found = posterior_map(forest, ten, plane, 12, 8)
    x, y = plane.pixels(12, 8)
    total = np.zeros((96, 2))
    for row in plane.rows:
        points = np.tile(ten.X[row], (96, 1))
        points[:, 1], points[:, 2] = np.tile(x, 8), np.repeat(y, 12)
        total += forest.predict_proba(points)
    np.testing.assert_allclose(found.posterior.reshape(-1, 2), total / 9, atol=1e-6)
    assert found.boundary_kind == "raster"


def test_truth_and_its_distance_stand_beside_the_estimate(ten, forests):
    plane = feature_plane(ten, 0, 1, at={2: -0.5})
    found = posterior_map(forests("RF", ten), ten, plane, 30, 20)
    points = plane.plane.points(30, 20).reshape(-1, 10)
    truth = ten.truth.posterior(points).reshape(20, 30, 2)
    np.testing.assert_allclose(found.true_posterior, truth, atol=1e-6)
    np.testing.assert_allclose(found.difference, found.posterior - truth, atol=1e-6)
    by_hand = np.sqrt(np.maximum(1 - np.sqrt(found.posterior * truth).sum(axis=2), 0))
    np.testing.assert_allclose(found.hellinger, by_hand, atol=1e-3)
    assert found.mean_hellinger == pytest.approx(found.hellinger.mean(), rel=1e-6)


def test_a_truth_taken_once_serves_many_maps_but_only_on_its_plane(mixture, forests):
    truth = true_posterior(mixture, None, 40, 30)
    forest = forests("RF", mixture)
    again = posterior_map(forest, mixture, None, 40, 30, truth=truth)
    fresh = posterior_map(forest, mixture, None, 40, 30)
    assert again.mean_hellinger == fresh.mean_hellinger
    with pytest.raises(ValueError, match="taken at 40 x 30 pixels"):
        posterior_map(forest, mixture, None, 30, 30, truth=truth)
    moved = feature_plane(mixture, x_range=(0.0, 1.0))
    with pytest.raises(ValueError, match="another plane"):
        posterior_map(forest, mixture, moved, 40, 30, truth=truth)


def test_the_bayes_boundary_lies_on_the_level_set_of_the_true_posterior(mixture):
    lines = true_posterior(mixture, None, 60, 60).boundary
    p = mixture.truth.posterior(np.concatenate(lines))
    assert len(lines) > 0
    assert np.abs(p[:, 0] - p[:, 1]).max() < 1e-6


def test_the_bayes_boundary_agrees_with_the_one_traced_by_the_truth(mixture):
    plane = feature_plane(mixture)
    mine = np.concatenate(true_posterior(mixture, plane, 150, 150).boundary)
    lo, hi = np.array([plane.x_range, plane.y_range]).T
    other = np.concatenate(mixture.truth.boundary(lo, hi))
    gap = np.sqrt(((mine[:, None] - other[None]) ** 2).sum(axis=2)).min(axis=1)
    assert gap.max() < 0.05


@pytest.mark.parametrize("family", ["RF", "oRF-ridge", "FRANK", "RDF-CAP", "RF-thresholds"])
def test_every_vertex_of_an_exact_boundary_lies_where_the_class_changes(family, mixture, forests):
    forest = forests(family, mixture)
    found = posterior_map(forest, mixture, None, 80, 60)
    assert found.boundary_kind == "exact"
    vertices = np.concatenate(found.boundary)
    step = 1e-7 * found.plane.size
    sides = []
    for dx, dy in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)]:
        sides.append(forest.predict(vertices + step * [dx, dy]))
    sides = np.array(sides)
    meets = (sides != sides[0]).any(axis=0)
    assert meets.all()


@pytest.mark.parametrize("plane", ["components", "features"])
def test_boundaries_of_high_dimensional_forests_lie_on_the_change_too(plane, ten, forests):
    forest = forests("oRF-ridge", ten)
    plane = component_plane(ten) if plane == "components" else feature_plane(ten, 1, 4, at=3)
    found = posterior_map(forest, ten, plane, 50, 50)
    vertices = np.concatenate(found.boundary)
    step = 1e-7 * plane.size
    moves = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)]
    sides = np.array([forest.predict(plane.points(vertices + step * m)) for m in np.array(moves)])
    assert (sides != sides[0]).any(axis=0).all()


def test_boundaries_of_an_axis_tree_run_along_the_axes(mixture, forests):
    found = posterior_map(forests("CART", mixture, 1), mixture, None, 90, 90)
    slanted = 0
    for line in found.boundary:
        moves = np.abs(np.diff(line, axis=0)) / found.plane.size
        slanted += (moves.min(axis=1) > 1e-6).sum()
    assert slanted <= 2  # two steps in one pixel


def test_a_raster_boundary_parts_every_pair_of_unlike_neighbours(blobs, forests):
    plane = feature_plane(blobs)
    found = posterior_map(forests("RF", blobs), blobs, plane, 40, 40, boundary="raster")
    w = found.winner
    crossings = (w[:, 1:] != w[:, :-1]).sum() + (w[1:] != w[:-1]).sum()
    unit = np.concatenate([plane.unit(line) for line in found.boundary]) * 40
    twice = np.round(unit * 2).astype(int)
    on_edge = (np.abs(unit * 2 - twice) < 1e-9).all(axis=1) & (twice.sum(axis=1) % 2 == 1)
    assert len(np.unique(twice[on_edge], axis=0)) == crossings


def test_more_than_two_classes_meet_in_points_and_the_boundary_stays_connected(blobs, forests):
    assert blobs.n_classes > 2
    found = posterior_map(forests("oRF-ridge", blobs), blobs, None, 60, 60)
    ends = np.array([p for line in found.boundary for p in (line[0], line[-1])])
    unit = found.plane.unit(ends)
    inner = ((unit > 0.02) & (unit < 0.98)).all(axis=1)
    for k in np.flatnonzero(inner):  # an end inside the picture is shared by another line's end
        same = np.isclose(ends, ends[k]).all(axis=1).sum()
        assert same >= 2


def test_a_baseline_is_drawn_by_evaluating_its_pixels(mixture):
    model = Knn().fit(mixture.X, mixture.y)
    found = posterior_map(model, mixture, None, 25, 20)
    points = found.plane.plane.points(25, 20).reshape(-1, 2)
    np.testing.assert_allclose(
        found.posterior.reshape(-1, 2), model.predict_proba(points), atol=1e-6
    )
    with pytest.raises(ValueError, match="has no trees"):
        posterior_map(model, mixture, trees=3)


def test_a_model_of_fewer_classes_keeps_the_columns_of_the_data(blobs):
    from explorer.engine import FAMILIES, grow

    some = blobs.y != 0
    forest = grow(FAMILIES["RF"].replace(n_tree=5), blobs.X[some], blobs.y[some])
    found = posterior_map(forest, blobs, None, 10, 10, truth=False)
    assert found.posterior.shape[2] == blobs.n_classes
    assert (found.posterior[:, :, 0] == 0).all()
    np.testing.assert_allclose(found.posterior.sum(axis=2), 1, atol=1e-5)


def test_a_map_goes_to_pandas_and_json_and_is_read_only(mixture, forests):
    found = posterior_map(forests("RF", mixture), mixture, None, 6, 4)
    frame = found.to_frame()
    assert len(frame) == 24
    assert frame["x"].iloc[1] > frame["x"].iloc[0]
    np.testing.assert_allclose(
        frame[f"P({mixture.class_names[0]})"], found.posterior[:, :, 0].ravel()
    )
    back = json.loads(found.to_json())
    assert back["record"] == "PosteriorMap"
    np.testing.assert_allclose(back["posterior"], found.posterior)
    with pytest.raises(ValueError, match="read-only"):
        found.posterior[0, 0, 0] = 1.0


def test_a_marginal_map_can_be_stopped(ten, forests):
    with pytest.raises(Cancelled):
        posterior_map(forests("RF", ten), ten, marginal_plane(ten), 10, 10, cancel=lambda: True)


def test_the_number_of_threads_changes_nothing(ten, forests):
    forest = forests("oRF-ridge", ten)
    one = posterior_map(forest, ten, None, 70, 70, threads=1)
    two = posterior_map(forest, ten, None, 70, 70, threads=2)
    np.testing.assert_array_equal(one.posterior, two.posterior)
    for a, b in zip(one.boundary, two.boundary, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", ["twonorm", "parity", "spectra_ir", "threenorm"])
def test_the_true_boundary_lies_where_a_bisection_finds_it(name):
    d = load(name, **({"p": 40} if name == "spectra_ir" else {}))
    plane = feature_plane(d)
    base = plane.plane

    def posterior_at(st):
        return d.truth.posterior(base.origin + st[:, :1] * base.u + st[:, 1:] * base.v)

    truth = true_posterior(d, plane, 40, 30, boundary=False).posterior.argmax(axis=2)
    rows, columns = np.nonzero(truth[:, :-1] != truth[:, 1:])
    a = np.column_stack([(columns + 0.5) / 40, (rows + 0.5) / 30])
    b = a + np.array([1 / 40, 0.0])
    exact = bisecting(lambda st: posterior_at(st).argmax(axis=1), 48)(a, b)
    assert len(a)
    np.testing.assert_allclose(rooting(posterior_at)(a, b), exact, atol=1e-12)
