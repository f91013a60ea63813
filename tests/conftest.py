import numpy as np
import pytest


@pytest.fixture
def rng() -> np.random.Generator:
    """One seeded source of randomness per test."""
    return np.random.default_rng(20110905)
