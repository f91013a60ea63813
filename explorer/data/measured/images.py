"""Images from files: ENVI straight from disk; Raman maps, imzML and others through their spectra.

cube = read_cube("field.hdr")                 # or map.wdf, tissue.imzML, ...
labels, names = read_labels("labels.csv", cube)
cube.labelled(labels, names)                  # a data set to grow a forest on
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.axis import SpectralAxis
from explorer.data.cube import NO_LABEL, Cube
from explorer.data.measured.reading import Progress, read_spectra
from explorer.data.measured.spectra import MeasuredSpectra
from explorer.data.readers.instruments.envi import Layout, header, layout_of, positions_of
from explorer.data.readers.refused import FileRefused, Limits, shown

_PLACES = (("column", "row"), ("x (um)", "y (um)"), ("x", "y"), ("map_x", "map_y"), ("X", "Y"))
_MOST_HEADER = 5_000_000
_MOST_PIXELS = 50_000_000
_MOST_CLASSES = 1000


def read_cube(
    path: str | os.PathLike[str],
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Cube:
    """The image in a file: an ENVI header or its data, a WiRE map, an imzML, and whatever
    `read_spectra` gives places for. Anything else is a FileRefused that says why."""
    file = Path(path)
    if not file.is_file():
        raise FileRefused(f"There is no file {shown(path)}. Check its name.")
    found = _envi_header(file)
    if found is not None:
        return _envi(found, file)
    return cube_of(read_spectra(file, limits=limits, progress=progress, stop=stop))


def cube_of(measured: MeasuredSpectra) -> Cube:
    """The image that spectra with places make; pixels without a spectrum are NaN."""
    if len(measured.spectra) < 4:
        why = measured.not_read[0].reason if measured.not_read else f"it holds {measured.summary}."
        raise FileRefused(f"{shown(measured.name)} is no image: {why}")
    aligned = measured.align()
    kept = [measured.spectra[k] for k in aligned.kept]
    for across, down in _PLACES:
        if all(across in s.metadata and down in s.metadata for s in kept):
            break
    else:
        raise FileRefused(
            f"{shown(measured.name)} is no image: its spectra have no places (column and row, or "
            "x and y). Read it as spectra."
        )
    try:
        x = np.array([float(s.metadata[across]) for s in kept])
        y = np.array([float(s.metadata[down]) for s in kept])
    except ValueError:
        raise FileRefused(
            f"{shown(measured.name)} is no image: the places of its spectra are not numbers."
        ) from None
    columns, rows = _steps(x), _steps(y)
    lines, samples = int(rows.max()) + 1, int(columns.max()) + 1
    if lines * samples > max(4 * len(kept), 1000) or lines * samples > _MOST_PIXELS:
        raise FileRefused(
            f"{shown(measured.name)} is no image: its {len(kept)} spectra lie at places that do "
            f"not form a grid ({lines} x {samples}). Read it as spectra."
        )
    values = np.full((lines, samples, aligned.X.shape[1]), np.nan)
    values[rows, columns] = aligned.X
    notes = list(aligned.notes)
    empty = lines * samples - len({*zip(rows.tolist(), columns.tolist(), strict=True)})
    if empty:
        notes.append(f"{empty} of {lines * samples} pixels have no spectrum.")
    return Cube(measured.name, values, aligned.axis, None, tuple(notes))


def read_labels(
    path: str | os.PathLike[str], cube: Cube
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """(labels [lines, samples], -1 without one; class names) of a label file for an image.

    A table with columns line, sample (or row, column; counted from 1) and a class, in the order of
    a column "code" if there is one; an .npy array of whole numbers [lines, samples], where 0 is no
    label; or an ENVI classification, whose class 0
    ("Unclassified") is no label.
    """
    file = Path(path)
    if not file.is_file():
        raise FileRefused(f"There is no file {shown(path)}. Check its name.")
    found = _envi_header(file)
    if found is not None:
        picture = _envi(found, file)
        names = class_names_of(header(_read_text(found)))
        return labels_of_codes(file.name, np.nan_to_num(picture.band(0)), cube, names[1:])
    if file.suffix.lower() == ".npy":
        try:
            array = np.load(file, mmap_mode="r", allow_pickle=False)
        except (ValueError, OSError, EOFError, SyntaxError, TypeError, MemoryError):
            raise FileRefused(f"{shown(file.name)} is not an .npy array. Save it again.") from None
        return labels_of_codes(file.name, array, cube)
    return _labels_of_table(file, cube)


def class_names_of(fields: Mapping[str, str]) -> tuple[str, ...]:
    """The names in the header of an ENVI classification; the first is "Unclassified"."""
    text = fields.get("class names", "").replace("\n", " ")
    return tuple(part.strip() for part in text.split(",") if part.strip())


def labels_of_codes(
    file: str, array: NDArray[Any], cube: Cube, names: tuple[str, ...] = ()
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Labels from whole numbers [lines, samples], where 0 is no label. names: of 1, 2, ..."""
    if array.shape != (cube.lines, cube.samples) or array.dtype.kind not in "fiub":
        raise FileRefused(
            f"{shown(file)} has the shape {array.shape}; the image has {cube.lines} lines and "
            f"{cube.samples} samples. Save labels of the same image."
        )
    whole = np.isfinite(array).all() and (array == np.round(array)).all()
    if not whole or (array < 0).any():
        raise FileRefused(f"{shown(file)} must hold whole numbers; 0 is no label.")
    values, place = np.unique(array, return_inverse=True)
    present = [int(v) for v in values if v > 0]
    if len(present) > _MOST_CLASSES:
        raise FileRefused(
            f"{shown(file)} holds {len(present)} different labels; at most {_MOST_CLASSES} can be "
            "told apart. Check that it holds labels."
        )
    code_of = np.r_[[NO_LABEL] * (values.size - len(present)), range(len(present))].astype(np.intp)
    codes = code_of[place].reshape(array.shape)
    called = tuple(names[v - 1] if v <= len(names) else f"class {v}" for v in present)
    return codes, called


def _labels_of_table(file: Path, cube: Cube) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    import pandas

    try:
        table = pandas.read_csv(file, sep=None, engine="python", dtype=str, keep_default_na=False)
    except (ValueError, OSError):
        raise FileRefused(
            f"{shown(file.name)} is not a table. Write columns line, sample and class."
        ) from None
    columns = {str(name): table[name].tolist() for name in table.columns}
    return labels_of_columns(file.name, columns, cube)


def labels_of_columns(
    file: str, table: Mapping[str, Sequence[str]], cube: Cube
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Labels from the columns line, sample and class of a table, as texts."""
    lower = {name.strip().lower(): name for name in table}
    down = next((lower[n] for n in ("line", "row", "y") if n in lower), None)
    across = next((lower[n] for n in ("sample", "column", "col", "x") if n in lower), None)
    label = next((lower[n] for n in ("class", "label", "name") if n in lower), None)
    if down is None or across is None or label is None:
        raise FileRefused(
            f"{shown(file)} needs columns line, sample and class; it has "
            f"{', '.join(list(table)[:8])}."
        )
    try:
        rows = np.array([int(float(cell)) for cell in table[down]], np.int64)
        columns = np.array([int(float(cell)) for cell in table[across]], np.int64)
    except (ValueError, OverflowError):
        raise FileRefused(
            f"{shown(file)}: lines and samples must be whole numbers, counted from 1."
        ) from None
    outside = (rows < 1) | (rows > cube.lines) | (columns < 1) | (columns > cube.samples)
    if outside.any():
        k = int(np.flatnonzero(outside)[0])
        raise FileRefused(
            f"{shown(file)}, row {k + 2}: line {rows[k]}, sample {columns[k]} is outside the "
            f"image ({cube.lines} x {cube.samples}); they are counted from 1."
        )
    names = _ordered(table, label, lower.get("code"))
    code = {name: k for k, name in enumerate(names)}
    codes = np.full((cube.lines, cube.samples), NO_LABEL, np.intp)
    codes[rows - 1, columns - 1] = [code.get(name, NO_LABEL) for name in table[label]]
    return codes, names


def _ordered(
    table: Mapping[str, Sequence[str]], label: str, numbers: str | None
) -> tuple[str, ...]:
    """The classes of a table in the order of its column "code", or by name without one."""
    present = set(table[label]) - {""}
    if numbers is not None:
        try:
            pairs = zip(table[numbers], table[label], strict=True)
            place = {name: int(float(number)) for number, name in pairs if name}
        except (ValueError, OverflowError):
            place = {}
        if len(set(place.values())) == len(present):
            return tuple(sorted(present, key=place.__getitem__))
    return tuple(sorted(present))


def _envi_header(file: Path) -> Path | None:
    """The ENVI header that a file is or has beside it."""
    for candidate in (file, file.with_name(file.name + ".hdr"), file.with_suffix(".hdr")):
        if candidate.is_file():
            with candidate.open("rb") as stream:
                if stream.read(4) == b"ENVI":
                    return candidate
    return None


def _read_text(file: Path) -> str:
    with file.open("rb") as stream:
        return stream.read(_MOST_HEADER).decode("utf-8", "replace")


def _envi(found: Path, asked: Path) -> Cube:
    """A memory map of the numbers beside an ENVI header."""
    fields = header(_read_text(found))
    layout = layout_of(fields, lambda words: FileRefused(f"{shown(found.name)} {words}"))
    data = asked if asked != found else _data_beside(found, layout)
    size = data.stat().st_size
    if size < layout.offset + layout.nbytes:
        raise FileRefused(
            f"{shown(found.name)} describes {layout.nbytes} bytes of data, and {shown(data.name)} "
            f"has {size - layout.offset}. Copy both files again."
        )
    if "library" in fields.get("file type", "").lower():
        raise FileRefused(f"{shown(found.name)} is a spectral library, not an image.")
    raw = np.memmap(data, layout.dtype, "r", layout.offset, layout.stored)
    return envi_cube(found.stem, fields, layout, raw)


def envi_cube(name: str, fields: dict[str, str], layout: Layout, raw: NDArray[Any]) -> Cube:
    """The image of numbers that lie as in the file, of the shape `layout.stored`."""
    values: NDArray[Any] = raw.transpose(layout.to_cube)
    x, unit, notes = positions_of(fields, layout.bands)
    axis: SpectralAxis | None = None
    if not notes:
        order = np.argsort(x, kind="stable")
        if np.unique(x).size < x.size:
            notes = ["Two bands have one wavelength: the axis counts bands."]
        else:
            if (np.diff(order) != 1).any():
                values = values[:, :, order]
                notes = ["The bands were sorted by their wavelength."]
            axis = SpectralAxis.of_unit(np.sort(x), unit)
    return Cube(name, values, axis, layout.ignore, tuple(notes))


def _data_beside(found: Path, layout: Layout) -> Path:
    stem = found.with_suffix("")
    candidates = [stem, *(stem.with_name(stem.name + e) for e in DATA_ENDINGS)]
    candidates += [c.with_name(c.name.upper()) for c in candidates]
    for candidate in candidates:
        if candidate.is_file() and candidate.stat().st_size >= layout.offset + layout.nbytes:
            return candidate
    raise FileRefused(
        f"{shown(found.name)} is the header of an ENVI image; the file with the numbers (same "
        "name, .dat, .img, .raw or no ending) is missing or cut short. Copy both files again."
    )


DATA_ENDINGS = (".dat", ".img", ".raw", ".bsq", ".bil", ".bip", ".cube", ".bin", ".sli")


def _steps(values: NDArray[np.float64]) -> NDArray[np.intp]:
    """Places along one side as whole numbers from 0, by the usual distance of neighbours."""
    distinct = np.unique(values)
    span = float(np.ptp(distinct)) or 1.0
    # places of one column differ by the stage's rounding
    apart = distinct[np.r_[True, np.diff(distinct) > 1e-4 * span]]
    if apart.size < 2:
        return np.zeros(values.size, np.intp)
    step = float(np.median(np.diff(apart)))
    return np.round((values - apart[0]) / step).astype(np.intp)
