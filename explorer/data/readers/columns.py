"""Single columns: which cells are missing, what is a number, which column is the label."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.refused import FileRefused, shown
from explorer.data.readers.table import Table, Texts

# Missing in a column of features, and in a column of labels, where "-" and "." may be classes.
MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "?", "-", ".", "#n/a"})
MISSING_LABEL = frozenset({"", "na", "n/a", "nan", "null", "?", "#n/a"})
LABEL_NAMES = (
    "label", "labels", "class", "classes", "target", "y", "category", "species", "diagnosis",
    "outcome", "type", "group label", "class label", "classlabel",
)  # fmt: skip
_ID_NAMES = frozenset({"", "id", "index", "sample", "sample id", "sample_id", "unnamed: 0", "row"})
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$")


def missing(cell: object, tokens: frozenset[str] = MISSING) -> bool:
    return cell is None or str(cell).strip().lower() in tokens


def number(cell: object) -> float | None:
    """The number in a cell of text, or None. "1_000" and "infinity" are not numbers here."""
    text = str(cell).strip()
    # no number needs more characters, and digits without end and a letter would keep the regex busy
    return float(text) if len(text) <= 64 and _NUMBER.match(text) else None


def numbers_in_text(column: Texts, where: str, table: Table) -> NDArray[np.float64] | None:
    """A column that holds mostly numbers as float64 [n] with NaN for missing; None if it is text.

    A cell in it that is neither is refused with its row.
    """
    values = np.full(len(column), np.nan)
    first_bad = None
    n_numbers = n_texts = 0
    for i, cell in enumerate(column):
        if missing(cell):
            continue
        value = number(cell)
        if value is None:
            n_texts += 1
            first_bad = i if first_bad is None else first_bad
        else:
            n_numbers += 1
            values[i] = value
    if first_bad is None:
        return values
    if n_numbers <= n_texts:
        return None
    raise FileRefused(
        f"{table.where(first_bad).capitalize()}, {where} holds {shown(column[first_bad])}, which "
        "is not a number. Correct that cell or leave the column out."
    )


def distinct(column: NDArray[np.float64] | Texts) -> int:
    if column.dtype == object:
        return sum(not missing(c, MISSING_LABEL) for c in set(column))
    return int(np.unique(column[~np.isnan(column)]).size)


def guess_label(table: Table) -> str | None:
    """The column that most likely holds the classes; None if it cannot be told.

    In order: what the format says; a column called like a label; the last, then the first column,
    then the only column of text, if it looks like classes (text or whole numbers that repeat).
    """
    if table.label is not None:
        return table.label
    lowered = [name.strip().lower() for name in [*table.names, *table.extra]]
    everything = [*table.names, *table.extra]
    for wanted in LABEL_NAMES:
        if wanted in lowered:
            return everything[lowered.index(wanted)]
    if table.extra:
        return next((name for name, c in table.extra.items() if looks_like_classes(c)), None)
    if len(table.names) < 2:
        return None
    for j in (len(table.names) - 1, 0):
        if looks_like_classes(table.column(j)):
            return table.names[j]
    texts = [
        table.names[j]
        for j, c in enumerate(table.columns)
        if not isinstance(c, int) and looks_like_classes(c)
    ]
    return texts[0] if len(texts) == 1 else None


def looks_like_classes(column: NDArray[np.float64] | Texts) -> bool:
    """Text that repeats, or at most 30 whole numbers that each occur twice on average."""
    k, n = distinct(column), len(column)
    if column.dtype == object:
        numeric = sum(number(cell) is not None for cell in column[:200])
        return 1 <= k < n and (k <= 30 or (2 * k <= n and 2 * numeric < min(n, 200)))
    known = column[~np.isnan(column)].astype(np.float64)
    return 1 <= k <= 30 and 2 * k <= n and bool((known == np.round(known)).all())


def looks_like_names(table: Table, j: int) -> bool:
    """A column that names the rows: called so, or a first column of text, and never repeating."""
    column = table.column(j)
    name = table.names[j].strip().lower()
    unnamed = name == f"column {j + 1}"
    # cheap questions first: most columns are not called like this
    if not (name in _ID_NAMES or unnamed or (column.dtype == object and j == 0)):
        return False
    if len(column) < 3 or distinct(column) < len(column):
        return False
    if column.dtype == object:
        # a column of numbers with one bad cell is not a column of names
        return name in _ID_NAMES or 2 * sum(number(c) is not None for c in column) < len(column)
    values = column.astype(np.float64)
    counts = bool((np.diff(values) == 1).all())  # 0, 1, 2, ... without a name is an index
    return counts if unnamed else bool((values == np.round(values)).all())


def label_index(table: Table, label: str | int | None) -> str:
    """The name of the label column, as asked for or guessed; a refusal lists what there is."""
    everything = [*table.names, *table.extra]
    if isinstance(label, int):
        p = len(table.names)
        if not (1 <= label <= p or -p <= label <= -1):
            raise FileRefused(
                f"There is no column {label}; the table has {p}, counted from 1 (the last is -1)."
            )
        return table.names[label - 1 if label > 0 else label]
    if label is not None:
        if label in everything:
            return label
        close = [name for name in everything if name.strip().lower() == label.strip().lower()]
        if len(close) == 1:
            return close[0]
        raise FileRefused(
            f"There is no column {shown(label)} for the label. The columns are: "
            f"{listed(everything)}."
        )
    guess = guess_label(table)
    if guess is None:
        raise FileRefused(
            "It cannot be told which column holds the classes. Name it as the label; the columns "
            f"are: {listed(everything)}."
        )
    return guess


def listed(names: Sequence[str], most: int = 12) -> str:
    """Some names for a message."""
    part = ", ".join(shown(name, 24) for name in names[:most])
    return part if len(names) <= most else f"{part} and {len(names) - most} more"
