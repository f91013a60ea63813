"""The interface that every model has: forests of the engine and the baselines alike.

A *recipe* is what can be fitted: a ``ForestSpec``, or anything with ``fit(X, y, seed=, threads=,
progress=, cancel=)`` and a ``name`` (the baselines); a data set's groups are given to it as
``groups=`` where there are any. A *model* is what comes out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data import Dataset
from explorer.engine import Cancelled, Forest, ForestSpec, Plane, grow

Progress = Callable[[int, int, str], Any]


@runtime_checkable
class Model(Protocol):
    """What can be asked of a fitted model."""

    @property
    def classes(self) -> np.ndarray: ...

    @property
    def n_features(self) -> int: ...

    def predict_proba(self, X: Any) -> np.ndarray: ...

    def predict(self, X: Any) -> np.ndarray: ...

    def posterior_on(self, plane: Plane, width: int, height: int) -> np.ndarray: ...


def is_cancelled(cancel: Any) -> bool:
    """``cancel`` is None, a function that says whether to stop, or a threading.Event."""
    if cancel is None:
        return False
    return bool(cancel.is_set() if hasattr(cancel, "is_set") else cancel())


def stop_if(cancel: Any) -> None:
    """Raise ``Cancelled`` once ``cancel`` says so."""
    if is_cancelled(cancel):
        raise Cancelled


def derived_seed(*numbers: int) -> int:
    """A seed (31 bits) that depends on all the numbers, each >= 0."""
    return int(np.random.SeedSequence(list(numbers)).generate_state(1)[0] >> 1)


def fit(
    recipe: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    seed: int | None = None,
    threads: int | None = None,
    cancel: Any = None,
) -> Any:
    """A model from a recipe; ``seed`` replaces the recipe's own.

    groups: equal for replicates of one object; whatever is left out to choose something is left
    out by whole groups.
    """
    if isinstance(recipe, ForestSpec):
        spec = recipe if seed is None else recipe.replace(seed=seed)
        return grow(spec, X, y, groups=groups, threads=threads, cancel=cancel)
    if hasattr(recipe, "fit"):
        options: dict[str, Any] = {"threads": threads, "cancel": cancel}
        if groups is not None:
            options["groups"] = groups
        return recipe.fit(X, y, seed=0 if seed is None else seed, **options)
    raise ValueError(
        f"{recipe!r} is no recipe; give a ForestSpec (see FAMILIES) or one of the baselines."
    )


def class_columns(model: Any, dataset: Dataset) -> NDArray[np.intp]:
    """Where each class of the model stands among the data set's classes, intp[k].

    The model was fitted on the data set's codes, or on its class names.
    """
    classes = np.asarray(model.classes)
    if classes.dtype.kind in "iub":
        if classes.min() < 0 or classes.max() >= dataset.n_classes:
            raise ValueError(
                f"The model knows classes {classes.min()} to {classes.max()}, but data set "
                f"'{dataset.name}' has codes 0 to {dataset.n_classes - 1}."
            )
        return classes.astype(np.intp)
    where = {name: k for k, name in enumerate(dataset.class_names)}
    unknown = [str(c) for c in classes if str(c) not in where]
    if unknown:
        raise ValueError(
            f"The model knows a class '{unknown[0]}' that data set '{dataset.name}' has not."
        )
    return np.array([where[str(c)] for c in classes], np.intp)


def spread(posterior: np.ndarray, columns: np.ndarray, n_classes: int) -> np.ndarray:
    """Posterior [..., k] over the model's classes as [..., K] over the data set's."""
    if columns.size == n_classes and (columns == np.arange(n_classes)).all():
        return posterior
    out = np.zeros((*posterior.shape[:-1], n_classes), posterior.dtype)
    out[..., columns] = posterior
    return out


def check_features(model: Any, dataset: Dataset) -> None:
    if model.n_features != dataset.n_features:
        raise ValueError(
            f"The model was fitted on {model.n_features} features, but data set "
            f"'{dataset.name}' has {dataset.n_features}."
        )


def check_training(forest: Any, dataset: Dataset) -> NDArray[np.intp]:
    """Columns of the classes, after making sure that the forest was grown on this data set."""
    if not isinstance(forest, Forest):
        raise ValueError(
            f"This needs a forest, not a {type(forest).__name__}: it looks at trees and leaves."
        )
    check_features(forest, dataset)
    columns = class_columns(forest, dataset)
    codes = forest.training.codes
    if codes.size != dataset.n_samples or not np.array_equal(columns[codes], dataset.y):
        raise ValueError(
            f"This forest was not grown on data set '{dataset.name}' as it is; grow it again."
        )
    return columns
