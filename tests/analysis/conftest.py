import pytest

from explorer import data
from explorer.data import Dataset
from explorer.engine import FAMILIES, grow


@pytest.fixture(scope="session")
def mixture() -> Dataset:
    """Two features, truth known."""
    return data.load("mixture")


@pytest.fixture(scope="session")
def ten() -> Dataset:
    """Ten features, truth known (Tomita's sparse parity)."""
    return data.load("parity", n=200, p=10)


@pytest.fixture(scope="session")
def blobs() -> Dataset:
    """More than two classes."""
    return data.load("blobs")


@pytest.fixture(scope="session")
def forests():
    """Small forests by (family, data set), grown once; the key is (family, data, trees)."""
    grown: dict = {}

    def get(family: str, dataset: Dataset, n_tree: int = 30):
        key = (family, dataset.digest(), n_tree)
        if key not in grown:
            spec = FAMILIES[family].replace(n_tree=n_tree)
            grown[key] = grow(spec, dataset.X, dataset.y)
        return grown[key]

    return get
