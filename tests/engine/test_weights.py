"""Sample weights: only their ratios count, and a weight of three is a row three times."""

import numpy as np
import pytest

from explorer.engine import FAMILIES, Forest, Scaling, grow
from explorer.engine.check import comparable_weights
from explorer.engine.forest import ARRAYS


def _data(rng: np.random.Generator, n: int = 80) -> tuple[np.ndarray, np.ndarray]:
    X = rng.normal(size=(n, 5))
    return X, (X[:, 0] + 0.5 * X[:, 1] + 0.7 * rng.normal(size=n) > 0) + (X[:, 2] > 1)


def _same(one: Forest, other: Forest) -> None:
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@pytest.mark.parametrize("family", FAMILIES)
def test_whole_weights_equal_repeated_rows(family: str, rng: np.random.Generator) -> None:
    X, y = _data(rng)
    spec = FAMILIES[family].replace(n_tree=8, bootstrap="none", prune=0)
    if spec.tuning is not None:  # "loo" leaves out a row with all its weight, repeats one by one
        spec = spec.replace(tuning="gain")
    new = rng.normal(size=(300, 5))
    for most in (2, 5):
        times = rng.integers(0, most, 80)
        weighted = grow(spec, X, y, sample_weight=times)
        repeated = grow(spec, np.repeat(X, times, axis=0), np.repeat(y, times))
        np.testing.assert_allclose(
            weighted.predict_proba(new), repeated.predict_proba(new), atol=1e-12
        )
        assert len(weighted.feature) > 8  # trees, not leaves


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("factor", [2.0, 1e-3, 7.3])
def test_a_common_factor_changes_nothing(
    family: str, factor: float, rng: np.random.Generator
) -> None:
    X, y = _data(rng)
    spec = FAMILIES[family].replace(n_tree=8)
    for weight in (rng.uniform(0.1, 2.0, 80), rng.integers(0, 4, 80)):
        _same(
            grow(spec, X, y, sample_weight=weight),
            grow(spec, X, y, sample_weight=factor * weight),
        )


def test_equal_weights_are_no_weights(rng: np.random.Generator) -> None:
    X, y = _data(rng)
    spec = FAMILIES["oRF-log"].replace(n_tree=5)
    _same(grow(spec, X, y), grow(spec, X, y, sample_weight=np.full(80, 0.37)))


def test_weights_are_counted_in_samples() -> None:
    np.testing.assert_array_equal(comparable_weights(np.array([0.0, 0.2, 0.6])), [0, 1, 3])
    mixed = comparable_weights(np.array([0.0, 1.0, 1.7, 3.1]))
    assert mixed[1:].mean() == pytest.approx(1.0, abs=1e-7)
    np.testing.assert_allclose(mixed[1:] / mixed[1], [1, 1.7, 3.1], rtol=1e-7)
    np.testing.assert_array_equal(comparable_weights(np.zeros(3)), np.zeros(3))


def test_a_tiny_weight_stays_positive() -> None:
    assert (comparable_weights(np.array([1e-20, 1.0, 1.7])) > 0).all()


@pytest.mark.parametrize("kind", ["rank", "zscore", "percentile"])
def test_scaling_counts_a_row_as_often_as_it_weighs(kind: str, rng: np.random.Generator) -> None:
    X, times = np.round(rng.normal(size=(40, 3)), 1), rng.integers(1, 5, 40)
    weighted = Scaling.fit(kind, X, times.astype(float))
    repeated = Scaling.fit(kind, np.repeat(X, times, axis=0))
    new = rng.normal(size=(50, 3)) * 2
    np.testing.assert_allclose(weighted.transform(new), repeated.transform(new), atol=1e-12)


def test_a_weighted_rank_forest_survives_its_file(tmp_path, rng: np.random.Generator) -> None:
    X, y = _data(rng)
    spec = FAMILIES["FRANK"].replace(n_tree=3)
    forest = grow(spec, X, y, sample_weight=rng.uniform(0.5, 2.0, 80))
    forest.save(tmp_path / "forest.npz")
    again = Forest.load(tmp_path / "forest.npz")
    np.testing.assert_array_equal(again.predict_proba(3 * X), forest.predict_proba(3 * X))
