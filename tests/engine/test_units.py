"""Which forests depend on units, and when that is worth a remark."""

import numpy as np
import pytest

from explorer.engine import FAMILIES, grow
from explorer.engine.units import depends_on_units, uneven_spreads, units_remark

MIXING = {"F-RC", "F-RC-sparse", "RR-RF", "RDF-CAP", "RDF-PER"}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_depends_on_units_if_a_factor_changes_its_forest(
    family: str, rng: np.random.Generator
) -> None:
    X = rng.normal(size=(120, 4))
    y = (X @ [1.0, 0.8, -0.5, 0.3] + 0.6 * rng.normal(size=120) > 0).astype(int)
    units = np.array([1.0, 1024.0, 1.0, 2.0**-8])
    spec = FAMILIES[family].replace(n_tree=5, prune=0)
    new = rng.normal(size=(400, 4))
    grams = grow(spec, X, y).predict_proba(new)
    tons = grow(spec, X * units, y).predict_proba(new * units)
    # Ho's perceptron standardises, and mixes units only where it falls back to the central axis
    if family != "RDF-PER":
        assert (np.abs(grams - tons).max() > 0.05) == depends_on_units(spec)
    assert depends_on_units(spec) == (family in MIXING)
    assert not depends_on_units(spec.replace(scaling="zscore"))


def test_spreads_that_differ_a_hundredfold_are_found() -> None:
    X = np.random.default_rng(0).normal(size=(500, 4)) * [1.0, 90.0, 5.0, 1.0]
    X[:, 3] = 7.0  # a constant column has no spread to compare
    assert uneven_spreads(X) is None
    X[:, 1] *= 2.0
    found = uneven_spreads(X)
    assert found is not None
    assert (found.widest, found.narrowest) == (1, 0)
    assert found.ratio == pytest.approx(180.0, rel=0.2)


def test_huge_numbers_are_compared_too() -> None:
    X = np.random.default_rng(0).normal(size=(50, 2)) * [1.0, 1e200]
    found = uneven_spreads(X)
    assert found is not None
    assert found.widest == 1


def test_a_remark_names_the_columns_and_the_remedy() -> None:
    X = np.random.default_rng(0).normal(size=(50, 2)) * [1.0, 1e4]
    text = units_remark("RR-RF", FAMILIES["RR-RF"], X, ["height", "salary"])
    assert text is not None
    assert "RR-RF mixes features in their own units" in text
    assert "salary outweighs height" in text
    assert "scaling='zscore' or scaling='rank'" in text
    assert units_remark("RF", FAMILIES["RF"], X, ["height", "salary"]) is None
