"""From a table to a data set: label, features, axis, and every refusal about them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.data.axis import SpectralAxis, spell_unit
from explorer.data.dataset import Dataset
from explorer.data.readers.columns import (
    MISSING_LABEL,
    label_index,
    listed,
    looks_like_names,
    missing,
    numbers_in_text,
)
from explorer.data.readers.missing import WAYS, completed, refuse_missing
from explorer.data.readers.refused import FileRefused, Limits, shown
from explorer.data.readers.table import Table, Texts

_MOST_LEVELS = 100
_AXIS_NAME = re.compile(r"(X?)\s*([+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?)\s*_?\s*([^\d\s].*)?$")
_FEWEST_CHANNELS = 5


@dataclass(frozen=True)
class Wishes:
    """What the person asked for.

    label: a column's name, or its number counted from 1 (-1 is the last). groups: the column that
    tells replicates apart. drop: columns to leave out. one_hot: text columns become 0/1 columns.
    impute: what to do with missing cells. None refuses them; "drop rows" and "drop columns" leave
    out what has one; "fill" takes the median, in a cross-validation that of the training part (see
    `Dataset.gaps`); "mean" and "median" are those of all rows (text columns get their most frequent
    text). unit: of the spectral axis, where headers do not say.
    """

    label: str | int | None = None
    groups: str | None = None
    drop: tuple[str, ...] = ()
    one_hot: bool = False
    impute: str | None = None
    unit: str = ""


def assemble(table: Table, name: str, wishes: Wishes, limits: Limits | None = None) -> Dataset:
    """The data set in a table, or a FileRefused that says what to change.

    limits: checked again for one-hot columns, of which a table may give many more than it has.
    """
    check_way(wishes.impute)
    _check_names(table)
    if table.n_rows < 2:
        raise FileRefused(
            f"{shown(name)} holds {table.n_rows} row of data; a forest needs samples of two "
            "classes. Check that the table is complete."
        )
    notes = list(table.notes)
    label = label_index(table, wishes.label)
    y, class_names = _classes(table, label, wishes.impute == "drop rows")
    used = {label, *wishes.drop}
    for dropped in wishes.drop:
        _index(table, dropped)
    groups = table.groups
    if wishes.groups is not None:
        groups = _codes(table, wishes.groups)
        used.add(wishes.groups)
    sample_names = table.sample_names
    if sample_names is None:
        for j, column_name in enumerate(table.names):
            if column_name not in used and looks_like_names(table, j):
                sample_names = tuple(_plain(cell) for cell in table.column(j))
                notes.append(f"Column {shown(column_name)} names the samples and is no feature.")
                used.add(column_name)
                break
    features = [j for j, column_name in enumerate(table.names) if column_name not in used]
    if not features:
        raise FileRefused(
            f"{shown(name)} has no column besides the label {shown(label)}. A forest needs "
            "features; check the separator and the label."
        )
    X, names = _features(table, features, wishes, notes, limits)
    found = completed(X, names, table, wishes.impute, notes)
    X, names = found.X, found.names
    rows = found.rows[y[found.rows] >= 0]
    if rows.size < len(y):
        if (y < 0).any():
            X = np.ascontiguousarray(X[y[found.rows] >= 0])
            notes.append(f"{int((y < 0).sum())} rows without a label were left out.")
        y, class_names = _still_there(y[rows], class_names)
        groups = None if groups is None else groups[rows]
        if sample_names is not None:
            sample_names = tuple(sample_names[k] for k in rows)
    constant = np.equal(X, X[0]).all(axis=0)
    if constant.all():
        raise FileRefused(
            f"Every feature of {shown(name)} is constant, so there is nothing to split. "
            "Check that the right columns were saved."
        )
    if constant.any():
        which = [names[j] for j in np.flatnonzero(constant)]
        notes.append(f"{len(which)} features are constant: {listed(which, 5)}.")
    axis = table.axis if table.axis is not None and table.axis.values.size == len(names) else None
    if axis is None:
        axis = axis_of_names(names, wishes.unit)
    elif wishes.unit:
        axis = SpectralAxis.of_unit(axis.values, wishes.unit)
    X.setflags(write=False)
    return Dataset(
        name=name,
        X=X,
        y=y,
        class_names=class_names,
        feature_names=tuple(names),
        axis=axis,
        groups=groups,
        sample_names=sample_names,
        gaps=found.gaps,
        image_shape=table.image_shape,
        citation=table.citation,
        notes=tuple(notes),
    )


def _check_names(table: Table) -> None:
    first: dict[str, int] = {}
    for j, name in enumerate(table.names):
        if name in first:
            raise FileRefused(
                f"Columns {first[name] + 1} and {j + 1} are both named {shown(name)}. Rename one."
            )
        first[name] = j


def _index(table: Table, name: str) -> int:
    if name not in table.names:
        raise FileRefused(
            f"There is no column {shown(name)}. The columns are: {listed(table.names)}."
        )
    return table.names.index(name)


def _get(table: Table, name: str) -> NDArray[np.float64] | Texts:
    return table.extra[name] if name in table.extra else table.column(_index(table, name))


def _plain(cell: object) -> str:
    """A cell as a class or sample name: 3.0 is "3"."""
    if isinstance(cell, float) and cell == int(cell):
        return str(int(cell))
    return str(cell).strip()


def _classes(
    table: Table, label: str, drop: bool = False
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Codes intp [n] and class names, in order of number or alphabet.

    drop: a row without a label has the code -1; otherwise it is refused.
    """
    column = _get(table, label)
    n = len(column)
    if column.dtype == object:
        holes = {cell for cell in set(column) if missing(cell, MISSING_LABEL)}
        absent = np.zeros(n, bool)
        if holes:
            absent = np.fromiter((cell in holes for cell in column), bool, n)
    else:
        absent = ~np.isfinite(column.astype(np.float64))
    whole, n_all = column, n
    if drop and absent.any() and not absent.all():
        column, n = column[~absent], int((~absent).sum())
    elif absent.any():
        row = int(np.flatnonzero(absent)[0])
        raise FileRefused(
            f"{table.where(row).capitalize()} has no label: column {shown(label)} is empty there. "
            "Fill it in or remove the row."
        )
    if column.dtype == object:
        plain = {cell: _plain(cell) for cell in set(column)}
        names = tuple(sorted(set(plain.values())))
        code = {name: k for k, name in enumerate(names)}
        quick = {cell: code[text] for cell, text in plain.items()}
        codes = np.fromiter(map(quick.__getitem__, column), np.intp, n)
    else:
        values, codes = np.unique(column.astype(np.float64), return_inverse=True)
        if values.size > 20 and (values != np.round(values)).any():
            raise FileRefused(
                f"The label {shown(label)} has {values.size} different values with fractions: it "
                "looks like a measurement, not like classes. Choose another column, or turn it "
                "into classes first."
            )
        names = tuple(_plain(float(v)) if v == np.round(v) else f"{v:g}" for v in values)
        if label in table.flags:
            names = tuple("True" if v else "False" for v in values)
    k = len(names)
    if k < 2:
        raise FileRefused(
            f"Column {shown(label)} has one value, {shown(names[0])}; a forest needs two classes. "
            "Choose another label."
        )
    if len(set(names)) < k:
        raise FileRefused(f"Column {shown(label)} has classes that look alike. Rename them.")
    if k > 20 and 2 * k > n:
        raise FileRefused(
            f"The label {shown(label)} has {k} different values in {n} rows: it looks like names, "
            "not like classes. Choose another column."
        )
    codes = codes.reshape(-1).astype(np.intp)
    if whole is not column:
        present, codes = codes, np.full(n_all, -1, np.intp)
        codes[~absent] = present
    return codes, names


def _still_there(
    y: NDArray[np.intp], class_names: tuple[str, ...]
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Codes and names of the classes that occur, after rows were left out."""
    present, codes = np.unique(y, return_inverse=True)
    if present.size < 2:
        raise FileRefused(
            f"Only class {shown(class_names[present[0]])} is left without the rows that have an "
            "empty cell. Drop columns, or fill the cells."
        )
    return codes.reshape(-1).astype(np.intp), tuple(class_names[k] for k in present)


def check_way(impute: str | None) -> None:
    """ValueError unless it is one of `missing.WAYS`."""
    if impute not in WAYS:
        ways = ", ".join(repr(way) for way in WAYS[1:-1])
        raise ValueError(f"impute is {impute!r}; it can be None, {ways} or {WAYS[-1]!r}.")


def _codes(table: Table, name: str) -> NDArray[np.intp]:
    column = _get(table, name)
    texts = [_plain(cell) for cell in column]
    # an array of texts would take the room of the longest for each
    order = {text: k for k, text in enumerate(sorted(set(texts)))}
    return np.fromiter(map(order.__getitem__, texts), np.intp, len(texts))


def _features(
    table: Table,
    features: Sequence[int],
    wishes: Wishes,
    notes: list[str],
    limits: Limits | None,
) -> tuple[NDArray[np.float64], list[str]]:
    slots = [table.columns[j] for j in features]
    numeric_slots = [slot for slot in slots if isinstance(slot, int)]
    if len(numeric_slots) == len(slots):
        plain = [table.names[j] for j in features]
        if numeric_slots == list(range(table.block.shape[1])):
            return table.block, plain  # the usual case: no copy
        return np.ascontiguousarray(table.block[:, numeric_slots]), plain
    parts: list[NDArray[np.float64]] = []
    names: list[str] = []
    for j, slot in zip(features, slots, strict=True):
        if isinstance(slot, int):
            parts.append(table.block[:, slot])
            names.append(table.names[j])
            continue
        where = f"column {shown(table.names[j])}"
        numeric = numbers_in_text(slot, where, table)
        if numeric is not None:
            parts.append(numeric)
            names.append(table.names[j])
        elif wishes.one_hot:
            made = _one_hot(table, j, slot, wishes)
            if limits is not None:
                limits.check_shape(table.n_rows, len(parts) + len(made))
            for level, column in made:
                parts.append(column)
                names.append(f"{table.names[j]}={level}")
        else:
            seen = list(dict.fromkeys(str(c) for c in slot if not missing(c)))
            raise FileRefused(
                f"Column {shown(table.names[j])} holds text ({listed(seen, 3)}). Choose "
                "it as the label or for the replicates, ask for one-hot columns, or leave it out."
            )
    doubled = sorted({name for name in names if names.count(name) > 1}) if len(names) < 5000 else []
    if doubled:
        raise FileRefused(f"Two columns would be named {shown(doubled[0])}. Rename one.")
    if wishes.one_hot and len(names) > len(features):
        notes.append("Columns of text were made into 0/1 columns, one per text.")
    return np.column_stack(parts), names


def _one_hot(
    table: Table, j: int, column: Texts, wishes: Wishes
) -> list[tuple[str, NDArray[np.float64]]]:
    """0/1 columns; one for a column of two texts, else one per text, in alphabetical order."""
    cells = [None if missing(c) else str(c).strip() for c in column]
    known = [c for c in cells if c is not None]
    absent = np.array([c is None for c in cells])
    later = wishes.impute in ("drop rows", "drop columns", "fill")
    if absent.any() and wishes.impute is None:
        refuse_missing(table.where(cells.index(None)), table.names[j])
    counts = Counter(known)
    levels = sorted(counts)
    if len(levels) > _MOST_LEVELS:
        raise FileRefused(
            f"Column {shown(table.names[j])} holds {len(levels)} different texts, too many for "
            "one-hot columns. Leave it out, or choose it for the replicates."
        )
    common = max(levels, key=counts.__getitem__, default="")  # for cells that are missing
    number = {level: k for k, level in enumerate(levels)}
    codes = np.fromiter(
        (number.get(common if c is None else c, -1) for c in cells), np.intp, len(cells)
    )
    chosen = levels[1:] if len(levels) == 2 else levels
    columns = [(level, (codes == number[level]).astype(np.float64)) for level in chosen]
    if later:
        for _, made in columns:
            made[absent] = np.nan
    return columns


def axis_of_names(names: Sequence[str], unit: str = "") -> SpectralAxis | None:
    """The spectral axis that headers like 850, 1000.5, "1000 cm-1", X850 or "850 nm" spell.

    At least five features, all of them such, rising or falling all the way; else None.
    """
    if len(names) < _FEWEST_CHANNELS:
        return None
    values = np.empty(len(names))
    units: set[str | None] = set()
    prefixes: set[str] = set()
    for j, name in enumerate(names):
        match = _AXIS_NAME.match(name.strip()) if len(name) <= 64 else None
        if match is None:
            return None
        values[j] = float(match[2].replace(",", "."))
        units.add(spell_unit(match[3]) if match[3] else "")
        prefixes.add(match[1])
    if None in units or len(units) > 1 or not np.isfinite(values).all():
        return None
    steps = np.diff(values)
    if not ((steps > 0).all() or (steps < 0).all()):
        return None
    spelled = unit or (units.pop() or "")
    if not spelled and (steps == 1).all() and values[0] in (0.0, 1.0):
        if prefixes != {""}:
            return None  # X1, X2, X3, ... are plain names; R writes X850, X852, ... for an axis
        return SpectralAxis(values, "channel", "", False)
    return SpectralAxis.of_unit(values, spelled)
