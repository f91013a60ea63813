"""Files of named arrays (.npz, .mat): which one is X, which the labels, which the axis."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.axis import SpectralAxis
from explorer.data.readers.columns import LABEL_NAMES, listed
from explorer.data.readers.refused import FileRefused, Limits, shown
from explorer.data.readers.table import Table, Texts, counted_from, objects

_X_NAMES = ("x", "data", "spectra", "features", "xtrain", "x_train", "samples", "fea")
_Y_NAMES = (*LABEL_NAMES, "gnd", "ytrain", "y_train", "targets", "group", "cls")
_AXIS_UNITS = {
    "wavelength": "nm", "wavelengths": "nm", "wl": "nm", "nm": "nm", "lambda": "nm",
    "wavenumber": "cm-1", "wavenumbers": "cm-1", "wn": "cm-1", "cm": "cm-1",
    "ppm": "ppm", "axis": "", "channels": "", "time": "s", "freq": "Hz", "frequency": "Hz",
}  # fmt: skip


def table_of_arrays(arrays: dict[str, NDArray[Any]], name: str, limits: Limits) -> Table:
    """The table in named arrays: the samples x features matrix, and what goes with its sides.

    Numbers and text only. Without any vector beside the matrix, its columns are the table.
    """
    usable = {key: a for key, a in arrays.items() if a.dtype.kind in "fiubUSO" and a.size}
    matrices = {
        key: a
        for key, a in usable.items()
        if a.ndim == 2 and a.dtype.kind in "fiub" and min(a.shape) > 1
    }
    if not matrices:
        raise FileRefused(
            f"{shown(name)} holds no matrix of numbers (samples x features). It holds: "
            f"{listed([_described(k, a) for k, a in arrays.items()]) or 'nothing'}. "
            "Save X and y as two arrays."
        )
    x_key = _choose(matrices)
    X = matrices[x_key]
    vectors = {
        key: np.ravel(a) for key, a in usable.items() if key != x_key and max(a.shape) == a.size
    }
    notes: list[str] = []
    fits = [key for key, v in vectors.items() if v.size == X.shape[0]]
    if not fits and any(v.size == X.shape[1] and _called(k, _Y_NAMES) for k, v in vectors.items()):
        X = X.T
        notes.append(f"Array {shown(x_key)} holds samples in columns; it was transposed.")
        fits = [key for key, v in vectors.items() if v.size == X.shape[0]]
    n, p = X.shape
    limits.check_shape(n, p)
    where = counted_from(1, f"row of {shown(x_key)}")
    if not fits:
        names = [f"column {j + 1}" for j in range(p)]
        return Table(names, np.array(X, np.float64, order="C"), list(range(p)), where, notes=notes)
    axis = _axis({k: v for k, v in vectors.items() if v.size == p and v.dtype.kind in "fiu"}, n, p)
    names = [f"x{j + 1}" for j in range(p)]
    for key, v in vectors.items():
        if v.size == p and v.dtype.kind in "USO" and _called(key, ("feature_names", "names")):
            names = [str(text) for text in v]
    if axis is not None:
        names = [f"{value:.10g}" for value in axis.values]
        if len(set(names)) < p:
            names = [repr(float(value)) for value in axis.values]
    extra = {key: _column(vectors[key]) for key in fits}
    y_key = next((k for want in _Y_NAMES for k in fits if k.strip().lower() == want), None)
    groups = next((k for k in fits if k.lower() in ("groups", "replicate", "replicates")), None)
    return Table(
        names,
        np.array(X, np.float64, order="C"),
        list(range(p)),
        where,
        extra=extra,
        label=y_key or (fits[0] if len(fits) == 1 else None),
        axis=axis,
        groups=None
        if groups is None
        else np.unique(vectors[groups].astype(str), return_inverse=True)[1].astype(np.intp),
        notes=notes,
    )


def _choose(matrices: dict[str, NDArray[Any]]) -> str:
    for wanted in _X_NAMES:
        for key in matrices:
            if key.strip().lower() == wanted:
                return key
    return max(matrices, key=lambda key: matrices[key].size)


def _called(key: str, names: tuple[str, ...]) -> bool:
    return key.strip().lower() in names


def _axis(candidates: dict[str, NDArray[Any]], n: int, p: int) -> SpectralAxis | None:
    for key, v in candidates.items():
        unit = _AXIS_UNITS.get(key.strip().lower())
        steps = np.diff(v.astype(np.float64))
        runs = bool(np.isfinite(steps).all() and ((steps > 0).all() or (steps < 0).all()))
        if runs and (unit is not None or n != p):
            return SpectralAxis.of_unit(v, unit or "")
    return None


def _column(v: NDArray[Any]) -> Texts | NDArray[np.float64]:
    if v.dtype.kind in "fiub":
        return v.astype(np.float64)
    return objects([_text(cell) for cell in v])


def _text(cell: object) -> str | None:
    """A label out of a cell; MATLAB wraps strings in arrays."""
    if isinstance(cell, np.ndarray):
        cell = cell.ravel()[0] if cell.size == 1 else (None if cell.size == 0 else str(cell))
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "replace").strip()
    return None if cell is None else str(cell).strip()


def _described(key: str, a: NDArray[Any]) -> str:
    return f"{key} ({' x '.join(map(str, a.shape)) or 'one value'})"
