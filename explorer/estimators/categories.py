"""Columns of words: pandas categories, strings and objects become numbers on the way in.

"onehot" makes one column of zeros and ones per level. "target" keeps one column and replaces a
level by its place in an order: levels are sorted along the first principal component of their
class shares (with two classes, by the share of one of them), so that one cut can separate levels
that behave alike. A missing entry is a level of its own. A level that training did not have is
all zeros, or the middle of the order.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

WAYS = ("refuse", "onehot", "target")
_MISSING = "(missing)"


@dataclass(frozen=True)
class Column:
    """How one column is coded: None for numbers, else the levels and the number of each."""

    levels: dict[Any, int] | None
    places: np.ndarray | None = None  # float64[levels], for "target"

    @property
    def width(self) -> int:
        return 1 if self.levels is None or self.places is not None else len(self.levels)


@dataclass(frozen=True)
class Coder:
    """Codes a table column by column."""

    columns: tuple[Column, ...]

    def transform(self, X: Any) -> np.ndarray:
        """float64[n, sum of widths]."""
        table = _columns(X)
        if len(table) != len(self.columns):
            raise ValueError(
                f"X has {len(table)} features, but the forest was grown on {len(self.columns)}."
            )
        parts = [_coded(c, values) for c, values in zip(self.columns, table, strict=True)]
        return np.ascontiguousarray(np.concatenate(parts, axis=1))

    @property
    def source(self) -> np.ndarray:
        """Column of X that each coded column comes from, int64."""
        return np.repeat(np.arange(len(self.columns)), [c.width for c in self.columns])


def coder_for(X: Any, y: Any, way: Any) -> Coder | None:
    """A coder fitted to X and y, or None if all columns are numbers as numpy knows them."""
    if way not in WAYS:
        raise ValueError(f"categories is {way!r}; choose one of {', '.join(WAYS)}.")
    if not _may_hold_words(X):
        return None
    table = _columns(X)
    words = [k for k, values in enumerate(table) if _numbers(values) is None]
    if not words:  # pandas' own missing value is no number to numpy: the coder turns it into one
        strange = any(_is_na(v) for values in table for v in values.tolist())
        return Coder(tuple(Column(None) for _ in table)) if strange else None
    if way == "refuse":
        names = getattr(X, "columns", None)
        name = f"column {words[0]}" if names is None else f"column {names[words[0]]!r}"
        value = next(v for v in table[words[0]].tolist() if _number(v) is None)
        if not isinstance(value, str | bytes) and value is not None:
            raise TypeError(
                f"Each cell of X as an argument must be a string or a number; {name} holds "
                f"{value!r}, a {type(value).__name__}."
            )
        raise ValueError(
            f"X has {value!r} in {name}, which is not a number. Set categories='onehot' (a column "
            "per level) or categories='target' (levels ordered by their classes), or encode it."
        )
    labels = np.asarray(y)
    codes = np.unique(labels, axis=0 if labels.ndim > 1 else None, return_inverse=True)[1].ravel()
    columns = []
    for k, values in enumerate(table):
        if k not in words:
            columns.append(Column(None))
            continue
        names = [_level(v) for v in values.tolist()]
        levels = {name: i for i, name in enumerate(sorted(set(names), key=str))}
        places = None
        if way == "target":
            places = _order([levels[name] for name in names], codes)
        columns.append(Column(levels, places))
    return Coder(tuple(columns))


def _order(level: list[int], codes: np.ndarray) -> np.ndarray:
    """Place of every level along the first principal component of the class shares."""
    counts = np.zeros((max(level) + 1, int(codes.max()) + 1))
    np.add.at(counts, (np.array(level), codes), 1.0)
    size = counts.sum(axis=1, keepdims=True)
    share = counts / size
    away = share - counts.sum(axis=0) / counts.sum()
    direction = np.linalg.svd(np.sqrt(size) * away, full_matrices=False)[2][0]
    direction *= 1.0 if direction[np.abs(direction).argmax()] > 0 else -1.0
    score = np.round(share @ direction, 12)
    return np.unique(score, return_inverse=True)[1].astype(float)


def _may_hold_words(X: Any) -> bool:
    if hasattr(X, "dtypes") and hasattr(X, "iloc"):
        return not all(getattr(kind, "kind", "O") in "fiub" for kind in X.dtypes)
    return isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "OUS"


def _columns(X: Any) -> list[np.ndarray]:
    if hasattr(X, "iloc"):
        return [X.iloc[:, k].astype(object).to_numpy() for k in range(X.shape[1])]
    X = np.asarray(X, dtype=object)
    if X.ndim != 2:
        raise ValueError(f"X has {X.ndim} dimension(s); give a table of samples x features.")
    return list(X.T)


def _is_na(value: Any) -> bool:
    return type(value).__name__ == "NAType"


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _numbers(values: np.ndarray) -> np.ndarray | None:
    """The column as numbers, or None if it holds words."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        pass
    known = [np.nan if _is_na(v) else v for v in values.tolist()]
    try:
        return np.asarray(known, dtype=np.float64)
    except (TypeError, ValueError):
        return None


def _level(value: Any) -> Any:
    # NaN is the one value that differs from itself; pandas' own missing value answers with itself
    if value is None or _is_na(value) or value != value:
        return _MISSING
    return value


def _coded(column: Column, values: np.ndarray) -> np.ndarray:
    if column.levels is None:
        numbers = _numbers(values)
        if numbers is None:
            raise ValueError("X has words in a column that held numbers when the forest was grown.")
        return numbers[:, None]
    at = np.array([column.levels.get(_level(v), -1) for v in values.tolist()])
    if column.places is not None:
        middle = float(np.mean(column.places))
        return np.where(at >= 0, column.places[at], middle)[:, None]
    return (at[:, None] == np.arange(len(column.levels))).astype(np.float64)
