"""The tables that come with scikit-learn: breast cancer, wine, iris."""

from __future__ import annotations

from typing import Any

from explorer.data.dataset import Dataset
from explorer.data.entry import entry

WINE_GROWERS = ("grower 1", "grower 2", "grower 3")  # the table does not name them
WINE_MEASURES = {
    "malic_acid": "malic acid",
    "alcalinity_of_ash": "alkalinity of ash",
    "total_phenols": "total phenols",
    "nonflavanoid_phenols": "nonflavanoid phenols",
    "color_intensity": "colour intensity",
    "od280/od315_of_diluted_wines": "OD280/OD315",
}


def _from_sklearn(
    bunch: Any,
    name: str,
    title: str,
    citation: str,
    classes: tuple[str, ...] | None = None,
    features: dict[str, str] | None = None,
) -> Dataset:
    """classes, features: names that people use, where scikit-learn's are codes."""
    names = features or {}
    return Dataset(
        name=name,
        title=title,
        X=bunch.data,
        y=bunch.target,
        class_names=classes or tuple(str(c) for c in bunch.target_names),
        feature_names=tuple(names.get(str(f), str(f)) for f in bunch.feature_names),
        citation=citation,
    )


def breast_cancer() -> Dataset:
    """569 biopsies, 30 features of cell nuclei; malignant or benign."""
    from sklearn.datasets import load_breast_cancer

    return _from_sklearn(
        load_breast_cancer(),
        "breast_cancer",
        "Breast cancer",
        "Wolberg, Street, Mangasarian 1995; UCI, by way of scikit-learn",
    )


def wine() -> Dataset:
    """178 wines of three growers, 13 chemical features."""
    from sklearn.datasets import load_wine

    return _from_sklearn(
        load_wine(),
        "wine",
        "Wine",
        "Forina et al. 1988; UCI, by way of scikit-learn",
        WINE_GROWERS,
        WINE_MEASURES,
    )


def iris() -> Dataset:
    """150 irises of three species, 4 measures."""
    from sklearn.datasets import load_iris

    return _from_sklearn(load_iris(), "iris", "Iris", "Fisher 1936; by way of scikit-learn")


ENTRIES = (
    entry(breast_cancer, "Breast cancer", "real", "Malignant or benign, 30 correlated features."),
    entry(wine, "Wine", "real", "Three growers from 13 chemical measures."),
    entry(iris, "Iris", "real", "Three species from four measures."),
)
