"""What ridge regression gets wrong of samples left out equals what fits without them get wrong."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from explorer.engine.spec import PATH

from . import calls, naive

SHAPES = {"tall": (70, 5), "one more": (9, 8), "square": (12, 12), "wide": (14, 40), "one": (30, 1)}
LONG = (1300, 3)  # more rows than are taken at once


def problem(shape, seed=0):
    n, m = shape
    rng = np.random.default_rng(seed)
    target = np.where(rng.random(n) < 0.4, -1.0, 1.0)
    w = rng.choice([1.0, 2.0, 3.0, 0.25], n)
    X = rng.normal(size=(n, m)) + 0.7 * target[:, None] * rng.normal(size=m)
    return naive.standardise(X, w)[0], target, w


@pytest.mark.parametrize("shape", SHAPES)
def test_errors_equal_those_of_fits_without_the_sample(shape):
    Z, target, w = problem(SHAPES[shape])
    found = calls.left_out_errors(Z, target, w, PATH)
    twin = [naive.left_out_error(Z, target, w, penalty) for penalty in PATH]
    np.testing.assert_allclose(found, twin, rtol=1e-12)


@pytest.mark.parametrize("sizes", [[1] * 70, [3, 1, 6, 2, 4, 20, 1, 30, 3], [69, 1]])
def test_groups_are_left_out_together(sizes):
    groups = np.repeat(np.arange(len(sizes)), sizes)
    for m in (1, 5, 40):
        Z, target, w = problem((70, m), seed=m)
        found = calls.left_out_errors(Z, target, w, PATH, groups)
        twin = [naive.left_out_error(Z, target, w, penalty, groups) for penalty in PATH]
        np.testing.assert_allclose(found, twin, rtol=1e-12)


def test_groups_in_a_wide_node_are_left_out_together():
    groups = np.repeat(np.arange(4), [5, 1, 6, 2])
    Z, target, w = problem(SHAPES["wide"], seed=3)
    found = calls.left_out_errors(Z, target, w, PATH, groups)
    twin = [naive.left_out_error(Z, target, w, penalty, groups) for penalty in PATH]
    np.testing.assert_allclose(found, twin, rtol=1e-12)


def test_groups_of_one_are_samples():
    for shape in (*SHAPES.values(), LONG):
        Z, target, w = problem(shape, seed=5)
        alone = calls.left_out_errors(Z, target, w, PATH)
        grouped = calls.left_out_errors(Z, target, w, PATH, np.arange(len(Z)))
        np.testing.assert_allclose(alone, grouped, rtol=1e-12)


def test_a_node_of_a_single_group_leaves_its_samples_out_one_by_one():
    Z, target, w = problem(SHAPES["tall"])
    one = calls.left_out_errors(Z, target, w, PATH, np.zeros(len(Z), int))
    np.testing.assert_array_equal(one, calls.left_out_errors(Z, target, w, PATH))


def test_scikit_learn_finds_the_same_errors():
    Z, target, _ = problem((150, 6), seed=8)
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0)
    found = calls.left_out_errors(Z, target, np.ones(len(Z)), PATH)
    for penalty, errors in zip(PATH[::5], found[::5], strict=True):
        model = Ridge(alpha=penalty)
        theirs = cross_val_predict(model, Z, target, cv=LeaveOneOut())
        assert errors == ((theirs > 0) != (target > 0)).sum()


def test_copies_of_a_sample_are_left_out_together():
    """A row of weight 2 is a row drawn twice: not one that stays when its copy is left out."""
    Z, target, w = problem(SHAPES["tall"], seed=9)
    w = np.ceil(w)
    Z = naive.standardise(Z, w)[0]
    often = np.repeat(np.arange(len(Z)), w.astype(int))
    copies = calls.left_out_errors(Z[often], target[often], np.ones(often.size), PATH, often)
    np.testing.assert_allclose(calls.left_out_errors(Z, target, w, PATH), copies, rtol=1e-12)


def test_columns_are_turned_as_the_matrix_is(rng):
    for n in (1, 2, 3, 9):
        B = rng.normal(size=(n, 2 * n))
        G, b, A = B @ B.T, rng.normal(size=n), rng.normal(size=(n, 700))
        T, turned, columns = calls.reduced(G, b, A)
        np.testing.assert_allclose(np.linalg.eigvalsh(T), np.linalg.eigvalsh(G), rtol=1e-8)
        np.testing.assert_allclose(columns.T @ turned, A.T @ b, rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(
            np.einsum("ij,ik,kj->j", columns, T, columns),
            np.einsum("ij,ik,kj->j", A, G, A),
            rtol=1e-7,
        )
