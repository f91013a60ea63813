"""One small forest, its data and one record of every kind, shared by all tests of pictures."""

import numpy as np
import pytest

import explorer as fx
from explorer import analysis, data
from explorer.analysis import Protocol
from explorer.engine import FAMILIES

SMALL = {"n_tree": 8, "seed": 1}


@pytest.fixture(scope="session")
def mixture():
    return data.load("mixture", n=60)


@pytest.fixture(scope="session")
def forest(mixture):
    return fx.grow("oRF-ridge", mixture, **SMALL)


@pytest.fixture(scope="session")
def spectra():
    rng = np.random.default_rng(3)
    axis = data.SpectralAxis.of_unit(np.linspace(1000.0, 1200.0, 24), "cm-1")
    y = np.repeat([0, 1], 15)
    X = rng.normal(size=(30, 24)) + np.outer(y, np.exp(-((np.arange(24) - 9) ** 2) / 8))
    return data.Dataset(name="toy", X=X, y=y, class_names=("a", "<b>"), axis=axis)


@pytest.fixture(scope="session")
def records(mixture, forest, spectra):
    """Class name -> a record of that kind."""
    twice = Protocol(kind="k-fold", folds=2, repeats=2)
    spec = FAMILIES["RF"].replace(n_tree=5)
    tried = analysis.evaluate(spec, mixture, twice, name="RF")
    other = analysis.evaluate(FAMILIES["oRF-ridge"].replace(n_tree=5), mixture, twice)
    made = [
        analysis.attribution(forest, mixture, 0),
        analysis.averaged_roc(tried),
        analysis.band_importance(forest, mixture, repeats=1, nulls=2),
        analysis.bias_variance(tried),
        analysis.strength(forest, mixture),
        analysis.calibration(tried),
        analysis.class_spectra(spectra),
        analysis.compare([tried, other]),
        analysis.directions(mixture, kinds=("lda", "ridge")),
        tried,
        analysis.importance(forest, mixture, ("permutation", "weight")),
        analysis.partition(forest, mixture),
        analysis.posterior_map(forest, mixture, width=30, height=30),
        analysis.precision_recall(tried),
        analysis.projection(forest, mixture),
        analysis.proximity(forest, mixture),
        analysis.sweep(spec, mixture, "m_try", [1, 2], twice),
        analysis.tree_drawing(forest, mixture, max_depth=3),
        analysis.true_posterior(mixture, width=30, height=30),
        analysis.judge_unknowns(forest, mixture, mixture.X[:3]),
        analysis.judge([tried, other]),
    ]
    return {type(one).__name__: one for one in made}
