"""One reduction to a tridiagonal matrix solves a ridge problem for every penalty."""

import numpy as np
import pytest
import scipy.linalg

from explorer.engine.spec import PATH

from . import calls


@pytest.mark.parametrize("n", [1, 2, 3, 5, 12, 40])
def test_the_path_solves_every_system(n, rng):
    A = rng.normal(size=(n, 2 * n))
    G, b = A @ A.T, rng.normal(size=n)
    for penalty, x in zip(PATH, calls.ridge_path(G, b, PATH), strict=True):
        expected = scipy.linalg.solve(G + penalty * np.eye(n), b, assume_a="pos")
        np.testing.assert_allclose(x, expected, rtol=1e-7, atol=1e-12)


@pytest.mark.parametrize("n", [2, 7, 30])
def test_matrices_that_are_diagonal_already_or_zero_are_no_exception(n):
    d = np.arange(1.0, n + 1)
    for penalty, x in zip((0.5, 2.0), calls.ridge_path(np.diag(d), d, (0.5, 2.0)), strict=True):
        np.testing.assert_allclose(x, d / (d + penalty), rtol=1e-12)
    np.testing.assert_allclose(calls.ridge_path(np.zeros((n, n)), d, (2.0,))[0], d / 2)


@pytest.mark.parametrize(("n", "rank"), [(6, 2), (20, 7), (20, 19)])
def test_no_penalty_on_a_singular_system_gives_the_shortest_solution(n, rank, rng):
    A = rng.normal(size=(n, rank))
    G = A @ A.T
    b = G @ rng.normal(size=n)
    x = calls.ridge_path(G, b, (0.0,))[0]
    np.testing.assert_allclose(x, np.linalg.pinv(G, rcond=1e-9) @ b, rtol=1e-3, atol=1e-3)


def test_twin_features_share_their_weight(rng):
    z = rng.normal(size=50)
    Z = np.vstack([z, z, rng.normal(size=50)])
    for x in calls.ridge_path(Z @ Z.T, Z @ np.sign(z), (0.0, 1e-5, 1.0)):
        assert x[0] == pytest.approx(x[1], rel=1e-4)
