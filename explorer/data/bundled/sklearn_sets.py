"""Owns the tables that come with scikit-learn: breast cancer, wine, iris."""

from __future__ import annotations

from typing import Any

from explorer.data.dataset import Dataset
from explorer.data.entry import entry


def _from_sklearn(bunch: Any, name: str, title: str, citation: str) -> Dataset:
    return Dataset(
        name=name,
        title=title,
        X=bunch.data,
        y=bunch.target,
        class_names=tuple(str(c) for c in bunch.target_names),
        feature_names=tuple(str(f) for f in bunch.feature_names),
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
        load_wine(), "wine", "Wine", "Forina et al. 1988; UCI, by way of scikit-learn"
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
