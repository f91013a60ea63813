"""Composition: rows in parts, and what is fitted on what."""

import numpy as np
import pytest

from explorer.data import Dataset
from explorer.data.transforms import MSC, SNV, Baseline, Compose, Derivative, MeanCentre
from explorer.data.transforms import base as base_module


@pytest.fixture
def data() -> Dataset:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 400)).cumsum(axis=1) + 5.0
    return Dataset("walks", X, np.arange(500) % 2, ("a", "b"))


def test_rows_in_parts_give_the_same_as_step_after_step(data):
    steps = (Baseline(method="linear"), SNV(), Derivative(), MSC(), MeanCentre())
    fitted = Compose(steps).fitted(data)
    assert data.X.size > 2 * base_module._VALUES_AT_ONCE
    whole = data.X
    for step in fitted.steps:
        whole = step.map(whole)
    # the sums of a matrix product may be taken in another order
    np.testing.assert_allclose(fitted.map(data.X), whole, rtol=1e-12, atol=1e-12)


def test_a_bad_spectrum_is_counted_from_the_first_row(data):
    X = data.X.copy()
    X[431] = 7.0
    with pytest.raises(ValueError, match="Spectrum 432 is constant"):
        Compose((Baseline(method="constant"), SNV())).map(X)


def test_steps_are_fitted_on_what_the_steps_before_leave(data):
    fitted = Compose((SNV(), MeanCentre(), Derivative())).fitted(data)
    np.testing.assert_allclose(fitted.steps[1].mean, SNV().map(data.X).mean(axis=0), atol=1e-12)
    assert fitted.is_fitted
