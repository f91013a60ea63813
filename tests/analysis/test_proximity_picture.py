from dataclasses import replace

import numpy as np
import pytest

from explorer.analysis.proximity import proximity
from explorer.analysis.proximity_picture import (
    paired_places,
    sample_votes,
    sorted_proximity,
    turned_places,
)
from explorer.data import load
from explorer.engine import FAMILIES, grow


@pytest.fixture(scope="module")
def clouds():
    return load("clouds")


@pytest.fixture(scope="module")
def forests(clouds):
    return [
        grow(FAMILIES[f].replace(n_tree=40, m_try=2), clouds.X, clouds.y)
        for f in ("RF", "oRF-ridge")
    ]


@pytest.fixture(scope="module")
def records(clouds, forests):
    return [proximity(f, clouds) for f in forests]


def test_turning_a_model_onto_another_keeps_all_distances(records):
    _, second = turned_places(records)
    before = records[1].coordinates[:, :2]
    gaps = [np.linalg.norm(p[:, None] - p[None], axis=2) for p in (before, second.xy)]
    assert np.allclose(*gaps)


def test_the_first_model_is_not_turned_and_explains_what_its_components_do(records):
    first, _ = turned_places(records)
    assert np.array_equal(first.xy, records[0].coordinates[:, :2])
    assert np.allclose(first.explained, records[0].explained[:2])


def test_turning_shares_out_the_same_variance_anew(records):
    _, second = turned_places(records)
    assert np.isclose(second.explained.sum(), records[1].explained[:2].sum())


def test_a_mirrored_model_is_turned_back(records):

    mirrored = replace(records[0], coordinates=-records[0].coordinates)
    first, second = turned_places([records[0], mirrored])
    assert np.allclose(first.xy, second.xy)


def test_the_matrix_shows_one_model_below_the_diagonal_and_the_other_above(records):
    both = sorted_proximity(*records)
    below, above = (sorted_proximity(r) for r in records)
    assert np.array_equal(np.tril(both.cells), np.tril(below.cells))
    order = np.argsort(both.position)
    upper = records[1].landmark_proximity[np.ix_(order, order)]
    assert np.array_equal(np.triu(both.cells, 1), np.triu(upper, 1))
    assert above.n == both.n


def test_samples_of_a_class_stand_together_in_the_matrix(records, clouds):
    record = sorted_proximity(records[0])
    assert record.edges.tolist() == [0, *np.cumsum(clouds.class_counts)]
    assert (np.diff(clouds.y[np.argsort(record.position)]) >= 0).all()


def test_a_large_matrix_is_averaged_in_blocks(records):
    small = sorted_proximity(records[0], most=10)
    whole = sorted_proximity(records[0])
    assert small.cells.shape == (10, 10)
    assert np.isclose(small.cells.mean(), whole.cells.mean())


def test_margins_below_zero_are_the_misclassified_samples(clouds, forests):
    votes = sample_votes(forests[0], clouds)
    assert np.array_equal(votes.margin < 0, votes.wrong & (votes.margin != 0))
    assert np.isclose(votes.wrong.mean(), forests[0].oob_error[-1], atol=0.02)


def test_a_forest_without_out_of_bag_samples_has_no_margins(clouds):
    forest = grow(FAMILIES["RF"].replace(n_tree=3, bootstrap="none", m_try=2), clouds.X, clouds.y)
    votes = sample_votes(forest, clouds)
    assert np.isnan(votes.margin).all()
    assert not votes.wrong.any()


def test_a_mirrored_component_is_mirrored_back_in_the_pairs(records):

    turned = records[0].coordinates * np.where(np.arange(10) == 1, -1.0, 1.0)
    record = paired_places(records[0], replace(records[0], coordinates=turned))
    assert np.allclose(record.below, record.above)
    assert np.allclose(record.explained[0], records[0].explained[:3])
