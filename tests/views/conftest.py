"""Small records that several pictures are drawn of, made once."""

import pytest

from explorer import analysis
from explorer.analysis.proximity import proximity
from explorer.data import load
from explorer.engine import FAMILIES, grow


@pytest.fixture(scope="session")
def moons():
    return load("moons")


@pytest.fixture(scope="session")
def evaluation(moons):
    spec = FAMILIES["RF"].replace(n_tree=10)
    return analysis.evaluate(spec, moons, analysis.Protocol(folds=2, repeats=3), name="A RF")


@pytest.fixture(scope="session")
def forest(moons):
    return grow(FAMILIES["oRF-ridge"].replace(n_tree=2, m_try=2), moons.X, moons.y)


@pytest.fixture(scope="session")
def clouds():
    return load("clouds")


@pytest.fixture(scope="session")
def records(clouds):
    """Proximity in two forests on the same samples."""
    specs = [FAMILIES[f].replace(n_tree=40, m_try=2) for f in ("RF", "oRF-ridge")]
    return [proximity(grow(spec, clouds.X, clouds.y), clouds) for spec in specs]
