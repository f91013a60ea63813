"""What may enter the engine: arrays are checked once, at the door, and errors are sentences."""

from typing import Any

import numpy as np


def matrix(X: Any, what: str = "X", features: int | None = None) -> np.ndarray:
    """X as a finite, C-contiguous float64[n, P] that kernels may read; copies only if it must."""
    return table(X, what, features)[0]


def table(
    X: Any, what: str = "X", features: int | None = None, missing: str | None = None
) -> tuple[np.ndarray, bool]:
    """X as ``matrix`` gives it, and whether it has missing values (NaN), if these are accepted.

    missing: what the spec of the forest says; None where no forest could accept them.
    """
    if hasattr(X, "to_numpy"):
        X = X.to_numpy()
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"{what} has {X.ndim} dimension(s); give a table of samples x features.")
    n, P = X.shape
    if n == 0:
        raise ValueError(f"{what} has no rows; give at least one sample.")
    if P == 0:
        raise ValueError(f"{what} has no columns; give at least one feature.")
    if features is not None and features != P:
        raise ValueError(f"{what} has {P} features, but the forest was grown on {features}.")
    if X.dtype.kind == "c":
        raise ValueError(f"{what} holds complex numbers; give real ones.")
    if X.dtype.kind not in "fiub":
        X = _numbers(X, what)
    X = np.ascontiguousarray(X, dtype=np.float64)
    # one sum finds all but the rarest bad tables without a mask as large as the data
    with np.errstate(over="ignore", invalid="ignore"):
        total = X.sum()
    if np.isfinite(total) or np.isfinite(X).all():
        return read_only(X), False
    bad = np.isinf(X) if missing == "accept" else ~np.isfinite(X)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        value = X[row, column]
        name = "a missing value (NaN)" if np.isnan(value) else f"an infinite value ({value})"
        choice = missing == "refuse" and np.isnan(value)
        remedy = ", or set missing='accept'" if choice else ""
        raise ValueError(
            f"{what} has {name} in row {row}, column {column} (counting from 0); "
            f"impute, correct or drop it first{remedy}."
        )
    # one kind of NaN, so that all have the same rank and equal data the same digest
    return read_only(np.where(np.isnan(X), np.nan, X)), True


def _numbers(X: np.ndarray, what: str) -> np.ndarray:
    try:
        return X.astype(np.float64)
    except (TypeError, ValueError):
        pass
    for row in range(X.shape[0]):
        for column in range(X.shape[1]):
            try:
                float(X[row, column])
            except (TypeError, ValueError):
                raise ValueError(
                    f"{what} has {X[row, column]!r} in row {row}, column {column} (counting from "
                    "0), which is not a number; encode or drop that column."
                ) from None
    raise ValueError(f"{what} is not a table of numbers.")


def read_only(a: np.ndarray) -> np.ndarray:
    """A view that cannot be written: kernels compile once, for read-only inputs."""
    view = a.view()
    view.flags.writeable = False
    return view


def labels(y: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    """(classes, codes): the sorted classes and the code of each sample (int32[n])."""
    if hasattr(y, "to_numpy"):
        y = y.to_numpy()
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1:
        raise ValueError(f"y has {y.ndim} dimensions; give one label per sample.")
    if y.size != n:
        raise ValueError(f"y has {y.size} labels, but X has {n} rows; they must match.")
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        row = int(np.argmax(~np.isfinite(y)))
        raise ValueError(
            f"y has {y[row]} in row {row} (counting from 0); every sample needs a label."
        )
    if y.dtype.kind == "O":
        missing = [i for i, v in enumerate(y) if v is None or v != v]
        if missing:
            raise ValueError(f"y has no label in row {missing[0]} (counting from 0).")
        y = np.array(y.tolist())  # whole numbers stay numbers; a mixture becomes text
        if y.dtype.kind == "O":
            y = y.astype(str)
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes.astype(np.int32)


def sample_weights(w: Any, n: int) -> np.ndarray:
    """float64[n], finite, not negative; scaled by a power of two where squares could overflow."""
    if w is None:
        return np.ones(n)
    try:
        w = np.array(w, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("sample_weight is not a list of numbers; give one per row.") from None
    if w.shape != (n,):
        raise ValueError(
            f"sample_weight has shape {w.shape}; give one weight for each of {n} rows."
        )
    if not np.isfinite(w).all() or (w < 0).any():
        row = int(np.argmax(~np.isfinite(w) | (w < 0)))
        raise ValueError(
            f"sample_weight is {w[row]} in row {row} (counting from 0); use finite weights >= 0."
        )
    top = w.max(initial=0.0)
    if top > 0 and not 2.0**-20 < top < 2.0**40:
        w = np.ldexp(w, -int(np.frexp(top)[1]))
    w[w < w.max(initial=0.0) * 1e-30] = 0.0  # nothing beside the others
    return w


def comparable_weights(w: np.ndarray) -> np.ndarray:
    """The weights in units of a sample, so that multiplying them all changes nothing.

    Weights that are whole multiples of the smallest one count repeats: the smallest becomes 1,
    and a weight of 3 is the same as the row three times. Others are divided by their mean (over
    the rows of positive weight) and rounded to multiples of 2**-26, so that the factor they came
    with leaves no trace in the last digits. Penalties of ridge, logistic and proximal-SVM splits
    are compared with these.
    """
    positive = w[w > 0]
    if not positive.size:
        return w
    repeats = w / positive.min()
    whole = np.round(repeats)
    if whole.max() <= 1e6 and np.abs(repeats - whole).max() <= 1e-9:
        return whole
    grain = 2.0**-26
    rounded = np.round(w / positive.mean() / grain) * grain
    return np.where(w > 0, np.maximum(rounded, grain), 0.0)


def groups(g: Any, n: int) -> np.ndarray | None:
    """Codes (int32[n]) of the objects that samples are replicates of, None if there are none.

    Objects are numbered as they first appear, so that trees do not depend on their names.
    """
    if g is None:
        return None
    if hasattr(g, "to_numpy"):
        g = g.to_numpy()
    g = np.asarray(g)
    if g.shape != (n,):
        raise ValueError(f"groups has shape {g.shape}; give one group for each of {n} rows.")
    missing = [i for i, v in enumerate(g.tolist()) if v is None or v != v]
    if missing:
        raise ValueError(
            f"groups has no value in row {missing[0]} (counting from 0); every sample needs a "
            "group. A sample without replicates is a group of its own."
        )
    if g.dtype.kind == "O":
        g = g.astype(str)
    _, first, code = np.unique(g, return_index=True, return_inverse=True)
    if first.size == n:
        return None
    return np.argsort(np.argsort(first))[code].astype(np.int32)


def two_groups(groups: np.ndarray | None, w: np.ndarray) -> None:
    if groups is not None and np.unique(groups[w > 0]).size < 2:
        raise ValueError(
            "All samples are replicates of one object, so a tree has nothing to choose from; leave "
            "groups out, or set bootstrap='none'."
        )


def two_classes(classes: np.ndarray, codes: np.ndarray, w: np.ndarray) -> None:
    present = np.unique(codes[w > 0])
    if present.size < 2:
        only = f"only class {classes[present[0]]!s}" if present.size else "no class"
        raise ValueError(
            f"y holds {only} (among rows of positive weight); a forest needs at least two classes."
        )
