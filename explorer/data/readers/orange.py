"""Headers of Orange and Quasar (.tab, .csv): names, types and roles of the columns.

The full form has three rows: names; types (continuous, discrete, string, time, or the values of a
discrete column); roles (class, meta, ignore, or nothing for a feature). The short form has one row
with marks before a "#" in the names: "C#kind", "mS#sample".
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass

from explorer.data.readers.columns import number
from explorer.data.readers.table import Table

_TYPES = frozenset({
    "continuous", "c", "numeric", "n", "discrete", "d", "categorical", "string", "s", "text",
    "time", "t", "basket",
})  # fmt: skip
_ROLES = frozenset({"", "class", "c", "meta", "m", "ignore", "i", "weight", "w"})
_MARKS = re.compile(r"^([mcCiDSTCNw]{1,2})#(.*)$")
_SHORT = {"c": "class", "m": "meta", "i": "ignore", "w": "ignore", "weight": "ignore"}


@dataclass(frozen=True)
class OrangeHeader:
    """text: the table with one header row. roles: "class", "meta", "ignore" or "" per column.
    skipped: how many rows of the file were taken out below the names."""

    text: bytes
    roles: tuple[str, ...]
    skipped: int


def orange_header(text: bytes) -> OrangeHeader | None:
    """The header if the table begins with one of Orange's; None for any other table."""
    head = text[:200_000].split(b"\n", 3)
    first = head[0].decode("utf-8", "replace").rstrip("\r")
    for delimiter in ("\t", ",", ";"):
        names = _cells(first, delimiter)
        if len(names) < 2:
            continue
        if len(head) >= 4:
            types, roles = (_cells(h.decode("utf-8", "replace").rstrip("\r"), delimiter)
                            for h in head[1:3])  # fmt: skip
            if _is_types(types, len(names)) and _is_roles(roles, len(names)):
                rest = text[sum(len(h) + 1 for h in head[:3]) :]
                padded = [*roles, *[""] * len(names)][: len(names)]
                kept = head[0].rstrip(b"\r") + b"\n" + rest
                return OrangeHeader(kept, tuple(_role(r) for r in padded), 2)
        marks = [_MARKS.match(name) for name in names]
        if any(marks):
            plain = [m[2] if m else n for m, n in zip(marks, names, strict=True)]
            roles_of = tuple(_marked(m[1]) if m else "" for m in marks)
            out = io.StringIO()
            csv.writer(out, delimiter=delimiter, lineterminator="").writerow(plain)
            rest = text[len(head[0]) :]
            return OrangeHeader(out.getvalue().encode() + rest, roles_of, 0)
    return None


def with_roles(table: Table, header: OrangeHeader) -> Table:
    """The table with its class named, metas set aside and ignored columns gone."""
    if len(header.roles) != len(table.names):
        return table
    label = None
    keep = []
    for j, (name, role) in enumerate(zip(table.names, header.roles, strict=True)):
        if role == "class" and label is None:
            label = name
            table.extra[name] = table.column(j)
        elif role == "meta":
            table.extra[name] = table.column(j)
        elif role != "ignore":
            keep.append(j)
    table.names = [table.names[j] for j in keep]
    columns = [table.columns[j] for j in keep]
    slots = [c for c in columns if isinstance(c, int)]
    table.block = table.block[:, slots].copy()
    place = {slot: k for k, slot in enumerate(slots)}
    table.columns = [place[c] if isinstance(c, int) else c for c in columns]
    table.label = label or table.label
    where = table.where
    if header.skipped:
        table.where = lambda row: _shifted(where(row), header.skipped)
    table.notes.append("The header of Orange says which column is the class.")
    return table


def _shifted(place: str, rows: int) -> str:
    return re.sub(r"\d+$", lambda m: str(int(m[0]) + rows), place)


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error:
        return []


def _is_types(cells: list[str], width: int) -> bool:
    """All are types, or values of a discrete column; at least half are named types."""
    if not cells or len(cells) > width:
        return False
    named = [c.lower() in _TYPES for c in cells]
    numbers = [number(c) is not None for c in cells]
    return sum(named) >= 0.5 * len(cells) and not any(numbers)


def _is_roles(cells: list[str], width: int) -> bool:
    if len(cells) > width:
        return False
    return all(c.lower() in _ROLES or "=" in c or c.lower().startswith(("meta", "class"))
               for c in cells)  # fmt: skip


def _role(cell: str) -> str:
    lower = cell.lower()
    if lower.startswith(("class", "meta", "ignore")):
        return re.match(r"class|meta|ignore", lower)[0]  # type: ignore[index]
    return _SHORT.get(lower, "")


def _marked(marks: str) -> str:
    return next((_SHORT[m] for m in marks if m in "cmiw"), "")
