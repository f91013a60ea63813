"""Dense ranks are the places of a value among the distinct ones."""

import numpy as np
import pytest

from explorer.engine.check import read_only
from explorer.engine.kernels.ranks import dense_ranks, transpose

from . import naive


def ranked(X):
    out = np.empty(X.T.shape, np.uint32)
    levels = np.empty(X.shape[1], np.int64)
    dense_ranks(read_only(np.ascontiguousarray(X)), 0, X.shape[1], out, levels)
    assert levels.tolist() == [np.unique(column).size for column in X.T]
    return out


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 300])
def test_ranks_equal_the_twin_with_and_without_ties(n, rng):
    X = np.column_stack(
        [
            rng.normal(size=n),
            rng.integers(-3, 3, n),
            np.full(n, 7.0),
            rng.normal(size=n) * 10.0 ** rng.integers(-300, 300, n),
        ]
    )
    for f, ranks in enumerate(ranked(X)):
        np.testing.assert_array_equal(ranks, naive.dense_ranks(X[:, f]))


@pytest.mark.parametrize("repeat", [1, 40])
def test_both_zeros_are_equal_and_extremes_keep_their_order(repeat):
    tiny, huge = np.nextafter(0.0, 1.0), np.finfo(float).max
    column = np.array([0.0, -0.0, tiny, -tiny, huge, -huge, 1.0, -1.0] * repeat)
    expected = np.array([3, 3, 4, 2, 6, 0, 5, 1] * repeat)
    np.testing.assert_array_equal(ranked(column[:, None])[0], expected)


def test_columns_are_ranked_in_any_pieces(rng):
    X = rng.integers(0, 9, (100, 5)).astype(float)
    out = np.zeros((5, 100), np.uint32)
    for a, b in [(0, 2), (2, 2), (2, 5)]:
        dense_ranks(read_only(X), a, b, out, np.empty(5, np.int64))
    np.testing.assert_array_equal(out, ranked(X))


def test_the_transpose_is_one(rng):
    X = rng.normal(size=(150, 3))
    out = np.zeros((3, 150))
    transpose(read_only(X), 0, 70, out)
    transpose(read_only(X), 70, 150, out)
    np.testing.assert_array_equal(out, X.T)
