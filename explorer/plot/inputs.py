"""What callers may hand over as a model and as data, turned into a forest and a `Dataset`."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from explorer.analysis import (
    LabelledPlane,
    best_pair,
    component_plane,
    discriminant_plane,
    feature_plane,
    first_plane,
)
from explorer.analysis.record import Record
from explorer.data import Dataset
from explorer.engine import FAMILIES, Forest, ForestSpec, grow

ABSENT = (
    "A picture needs data: a Dataset or a pair (X, y). Write for example "
    "fx.plot.boundary(forest, data)."
)


def dataset_of(X: Any, y: Any, name: str = "own data") -> Dataset:
    """A `Dataset` of a table and its labels, as scikit-learn takes them.

    Parameters
    ----------
    X : array-like or DataFrame, shape (n_samples, n_features)
        Numbers; a data frame's column names become the names of the features.
    y : array-like, shape (n_samples,)
        One label per sample: numbers or texts.
    name : str
        What to call the data.
    """
    columns = getattr(X, "columns", None)
    names = () if columns is None else tuple(map(str, columns))
    classes, codes = np.unique(np.asarray(y), return_inverse=True)
    values = np.asarray(X, np.float64)
    return Dataset(
        name=name,
        X=values,
        y=codes.reshape(-1),
        class_names=tuple(str(label) for label in classes.tolist()),
        feature_names=names,
    )


def as_dataset(data: Any) -> Dataset:
    """A Dataset as it is, or made from a pair (X, y)."""
    if isinstance(data, Dataset):
        return data
    if isinstance(data, (tuple, list)) and len(data) == 2:
        return dataset_of(*data)
    raise ValueError(ABSENT)


def spec_of(model: Any) -> ForestSpec | None:
    """The spec that a family's name or a ForestSpec stands for; None for anything else."""
    if isinstance(model, str):
        if model not in FAMILIES:
            raise ValueError(f"There is no family {model!r}; there are: {', '.join(FAMILIES)}.")
        return FAMILIES[model]
    return model if isinstance(model, ForestSpec) else None


def family_of(spec: ForestSpec) -> str:
    """The family that a spec comes from: the one it differs from in fewest knobs."""
    names = [field.name for field in fields(ForestSpec)]

    def away(family: str) -> int:
        return sum(getattr(spec, name) != getattr(FAMILIES[family], name) for name in names)

    same = [family for family in FAMILIES if FAMILIES[family].split == spec.split]
    return min(same, key=away) if same else spec.split


def as_model(model: Any, data: Dataset, **knobs: Any) -> Any:
    """A forest or a baseline: as it is, taken from a fitted estimator, or grown on the data.

    knobs: settings of the spec that differ (n_tree, m_try, seed, ...), for what is grown here.
    """
    spec = spec_of(model)
    if spec is not None:
        if knobs:
            spec = spec.replace(**knobs)
        return grow(spec, data.raw, data.y, groups=data.groups)
    if knobs:
        raise ValueError(
            f"{', '.join(knobs)} can be set for a family's name or a ForestSpec only; a forest "
            "that is grown stays as it is."
        )
    return getattr(model, "forest_", model)


def plane_of(data: Dataset, model: Any = None) -> LabelledPlane:
    """The plane that the app shows first: two telling features, components or a discriminant.

    Splits of a forest scaled by ranks are lines on planes of two features only.
    """
    chosen = first_plane(data)
    scaling = getattr(getattr(model, "spec", None), "scaling", "none")
    if chosen.kind == "features" or scaling in ("rank", "percentile"):
        pair = (chosen.across, chosen.up) if chosen.kind == "features" else best_pair(data)
        return feature_plane(data, *pair)
    made = component_plane if chosen.kind == "components" else discriminant_plane
    return made(data)


def forest_and_data(model: Any, data: Any, **knobs: Any) -> tuple[Forest, Dataset]:
    """A forest (not a baseline) and its data."""
    dataset = as_dataset(data)
    forest = as_model(model, dataset, **knobs)
    if not isinstance(forest, Forest):
        raise ValueError(f"A {type(forest).__name__} has no trees; this picture needs a forest.")
    return forest, dataset


def is_record(value: Any, *kinds: type) -> bool:
    """Whether a caller handed over a finished record of one of these kinds.

    Any other record is an error that names what is wanted.
    """
    if isinstance(value, Record) and not isinstance(value, kinds):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise ValueError(f"This picture shows a {wanted}, not a {type(value).__name__}.")
    return isinstance(value, kinds)


def grown(model: Any, data: Any, **knobs: Any) -> Forest:
    """Grow a forest on data.

    Parameters
    ----------
    model : str or ForestSpec
        A family's name, such as "RF" or "oRF-ridge", or a spec.
    data : Dataset or (X, y)
        The samples.
    **knobs
        Settings that differ from the family's: n_tree, m_try, seed, ...

    Returns
    -------
    Forest
        The same bits for the same data, settings and seed, on any number of threads.
    """
    dataset = as_dataset(data)
    spec = spec_of(model)
    if spec is None:
        raise ValueError("Name a family, such as 'oRF-ridge', or hand over a ForestSpec.")
    forest: Forest = as_model(spec, dataset, **knobs)
    return forest
