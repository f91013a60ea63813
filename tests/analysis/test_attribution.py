"""Attribution: why this sample, among bands or features."""

import numpy as np
import pytest

from explorer import analysis
from explorer.data import load
from explorer.engine import FAMILIES, grow


@pytest.fixture(scope="module")
def wine():
    data = load("wine")
    return grow(FAMILIES["oRF-ridge"].replace(n_tree=20, seed=0), data.X, data.y), data


@pytest.fixture(scope="module")
def tecator():
    data = load("tecator")
    return grow(FAMILIES["oRF-ridge"].replace(n_tree=20, seed=0), data.X, data.y), data


def test_features_share_out_the_posterior(wine):
    forest, data = wine
    found = analysis.attribution(forest, data, 3, target=0.01)
    assert found.names == data.feature_names
    np.testing.assert_allclose(found.values.sum(0), found.posterior - found.base, atol=1e-9)
    frame = found.to_frame()
    assert len(frame) == data.n_features
    assert frame[data.class_names[0]].to_numpy() == pytest.approx(found.values[:, 0])


def test_spectra_are_explained_by_twenty_bands_that_hold_every_channel(tecator):
    forest, data = tecator
    found = analysis.attribution(forest, data, 0, target=0.02)
    assert len(found.names) == 20
    assert sorted(np.concatenate(found.features)) == list(range(data.n_features))
    assert found.rounds > 0
    assert found.error.max() <= 0.02


def test_a_sample_measured_later_is_explained_by_its_values(wine):
    forest, data = wine
    here = analysis.attribution(forest, data, 3, target=0.05)
    there = analysis.attribution(forest, data, data.X[3], target=0.05)
    assert np.array_equal(here.values, there.values)


def test_the_background_holds_every_class_in_its_share(wine):
    forest, data = wine
    rows = analysis.attribution(forest, data, 0, target=0.05).background
    assert len(rows) == 100
    shares = np.bincount(data.y[rows]) / 100
    assert abs(shares - np.bincount(data.y) / data.n_samples).max() <= 0.011


def test_bands_that_leave_a_feature_out_or_share_one_are_refused(wine):
    forest, data = wine
    with pytest.raises(ValueError, match="in no band"):
        analysis.attribution(forest, data, 0, [("a", [0, 1])])
    with pytest.raises(ValueError, match="of another band"):
        analysis.attribution(forest, data, 0, [("a", range(13)), ("b", [2])])
    with pytest.raises(ValueError, match="There is no sample 999"):
        analysis.attribution(forest, data, 999)
