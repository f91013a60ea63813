"""Finding the rows of numbers in a text: where they begin and end, what parts them.

A row is two or more numbers and nothing else. The header before and the footer after are returned
as they are. Most files are parsed by numpy in one go; only those with gaps are taken row by row.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_POINT = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|[nN][aA][nN]|[-+]?[iI]nf"
_COMMA = r"[-+]?\d+(?:,\d+)?(?:[eE][-+]?\d+)?|[nN][aA][nN]"

_NUMBERS = {".": re.compile(_POINT), ",": re.compile(_COMMA)}
_REMARK = re.compile(r"^([\s\d.,;+\-eEdD]*?\d[\s;,]*)[#!%;]\s*\S.*$")
_D_EXPONENT = re.compile(r"(?<=[\d.])[dD](?=[-+]?\d)")
_NO_VALUE = frozenset(
    {"", "-", "--", "---", "?", "*", "na", "n/a", "#n/a", "null", "none", "nan", "-nan", "inf",
     "-inf", "1.#qnan", "-1.#ind", "1.#inf", "-1.#inf", "1,#qnan", "-1,#ind", "#div/0!", "bad",
     "overflow", "saturated"}
)  # fmt: skip


@dataclass(frozen=True)
class Separation:
    """delimiter: "\\t", ";", "," or " " (any run of blanks); decimal: "." or ","."""

    delimiter: str
    decimal: str
    row: re.Pattern[str]

    def cells(self, line: str) -> list[str]:
        line = line.replace('"', "")
        parts = line.split() if self.delimiter == " " else line.split(self.delimiter)
        return [part.strip() for part in parts]

    def plain(self, text: str) -> str:
        """The text with decimal points, and blanks between numbers."""
        if self.delimiter != " ":
            text = text.replace(self.delimiter, " ")
        return text.replace(",", ".") if self.decimal == "," else text


def _separation(delimiter: str, decimal: str) -> Separation:
    number = f"(?:{_POINT if decimal == '.' else _COMMA})"
    gap = r"[ \t]+" if delimiter == " " else rf"[ ]*{re.escape(delimiter)}[ ]*"
    row = re.compile(rf"\s*{number}(?:{gap}{number})+\s*{re.escape(delimiter.strip())}?\s*")
    return Separation(delimiter, decimal, row)


SEPARATIONS = tuple(
    _separation(delimiter, decimal)
    for delimiter, decimal in (
        ("\t", "."), (";", "."), (",", "."), (" ", "."), ("\t", ","), (";", ","), (" ", ","),
        ("=", "."), (":", "."),
    )
)  # fmt: skip


@dataclass(frozen=True)
class Rows:
    """header and footer: the lines around the numbers; values: float64 [rows, columns]; first: the
    index of the first row among the lines."""

    header: list[str]
    values: NDArray[np.float64]
    footer: list[str]
    separation: Separation
    first: int


def find_rows(lines: list[str], fewest: int = 2) -> Rows | None:
    """The longest run of rows of equally many numbers; None if there is no run of that length.

    Remarks behind the numbers, exponents written with D, and cells that say "no value" do not end
    a run; a missing value is NaN.
    """
    separation = _guess(lines)
    if separation is None:
        lines = [_without_remark(line) for line in lines]
        separation = _guess(lines)
        if separation is None:
            return None
    quick = _between_ends(lines, separation)
    if quick is not None and len(quick.values) >= fewest:
        return quick
    mended = _mended(lines, separation)
    if mended is not lines:
        quick = _between_ends(mended, separation)
        if quick is not None and len(quick.values) >= fewest:
            return quick
    return _longest_run(mended, separation, fewest)


def count_of(line: str, separation: Separation) -> int:
    """How many numbers a row of numbers has; 0 if the line is none."""
    if not separation.row.fullmatch(line):
        return 0
    return len([cell for cell in separation.cells(line) if cell])


def _guess(lines: list[str]) -> Separation | None:
    """The separation that most of some lines across the file agree on."""
    step = max(1, len(lines) // 40)
    sample = [line.replace('"', "") for line in lines[::step] if line.strip()][:60]
    sample += [line.replace('"', "") for line in lines[-30:] if line.strip()] if step == 1 else []
    best, most = None, 0
    for separation in SEPARATIONS:
        hits = sum(separation.row.fullmatch(line) is not None for line in sample)
        if hits > most:
            best, most = separation, hits
        if hits == len(sample):
            break  # no other can have more
    if best is not None:
        return best
    for line in lines[:5000]:  # few rows in a long text: look at every line
        for separation in SEPARATIONS:
            if separation.row.fullmatch(line):
                return separation
    return None


def _without_remark(line: str) -> str:
    """A line without a remark behind its numbers, and with exponents of C, not of Fortran."""
    match = _REMARK.match(line)
    return _D_EXPONENT.sub("e", line if match is None else match[1])


def _with_gaps(line: str, separation: Separation, width: int) -> str:
    """A row of that width with "nan" for cells that say "no value"; "" if it is no such row."""
    cells = separation.cells(line)
    while len(cells) > width and not cells[-1]:
        cells.pop()
    number = _NUMBERS[separation.decimal]
    known = [number.fullmatch(cell) is not None for cell in cells]
    pairs = list(zip(known, cells, strict=True))
    if (
        len(cells) != width
        or not known[0]
        or not all(k or c.lower() in _NO_VALUE for k, c in pairs)
    ):
        return ""
    return separation.delimiter.join(cell if ok else "nan" for ok, cell in pairs)


def _mended(lines: list[str], separation: Separation) -> list[str]:
    """The lines with NaN in cells that say "no value"; the same list if nothing was to mend."""
    counts = Counter(count_of(line, separation) for line in lines[:: max(1, len(lines) // 500)])
    counts.pop(0, None)
    if not counts:
        return lines
    width = counts.most_common(1)[0][0]
    out, changed = [], False
    for line in lines:
        if not line[:1].isdigit() and not line.lstrip(' "+-.')[:1].isdigit():
            out.append(line)
            continue
        if count_of(line, separation) == width:
            out.append(line)
            continue
        kept = _with_gaps(_D_EXPONENT.sub("e", line), separation, width) or _with_gaps(
            _without_remark(line), separation, width
        )
        out.append(kept or line)
        changed |= bool(kept)
    return out if changed else lines


def _between_ends(lines: list[str], separation: Separation) -> Rows | None:
    """From the first row that two like it follow to the last one, if all between are rows."""
    width = 0
    first = -1
    for i in range(len(lines)):
        if lines[i].strip():
            width = count_of(lines[i], separation)
            if width and all(count_of(line, separation) == width for line in lines[i + 1 : i + 3]):
                first = i
                break
    if first < 0:
        return None
    last = len(lines) - 1
    while last > first and count_of(lines[last], separation) != width:
        last -= 1
    body = lines[first : last + 1]
    whole = _rectangle(body, separation, width)
    if whole is not None:
        return Rows(lines[:first], whole, lines[last + 1 :], separation, first)
    text = separation.plain("\n".join(body))
    if '"' in text or "//" in text:
        return None
    values = _parsed(text)
    if values is None or values.size != width * len(body):
        return None
    # every row must have its own share: a short one and a long one would cancel out
    shaped = values.reshape(-1, width)
    probe = {0, len(body) - 1, len(body) // 2, *range(0, len(body), max(1, len(body) // 50))}
    for i in probe:
        if count_of(body[i], separation) != width:
            return None
    if len({line.count(separation.delimiter) for line in body}) > 1 and separation.delimiter != " ":
        return None
    if separation.delimiter == " " and any(len(line.split()) != width for line in body):
        return None
    return Rows(lines[:first], shaped, lines[last + 1 :], separation, first)


def _rectangle(body: list[str], separation: Separation, width: int) -> NDArray[np.float64] | None:
    """All lines by numpy's own reader, which wants equally many numbers in each; None if not so."""
    text = "\n".join(body)
    if separation.decimal == ",":
        text = text.replace(",", ".")
    delimiter = None if separation.delimiter == " " else separation.delimiter
    try:
        values = np.loadtxt(io.StringIO(text), delimiter=delimiter, comments=None, ndmin=2)
    except ValueError:
        return None
    return values if values.shape == (len(body), width) else None


def _parsed(text: str) -> NDArray[np.float64] | None:
    try:
        return np.array(text.split(), dtype=np.float64)
    except ValueError:
        return None


def _longest_run(lines: list[str], separation: Separation, fewest: int) -> Rows | None:
    """The longest run of rows of one width; lines that are blank do not end it."""
    best: tuple[int, int, int] = (0, 0, 0)  # rows, first, last
    begin, rows, width = 0, 0, 0
    for i, line in enumerate(lines):
        plain = line.replace('"', "")
        if not plain.strip():
            continue
        count = count_of(plain, separation)
        if count and count == width:
            rows += 1
        else:
            begin, rows, width = i, int(count > 0), count
        if rows > best[0]:
            best = (rows, begin, i)
    if best[0] < fewest:
        return None
    _, first, last = best
    kept = [line.replace('"', "") for line in lines[first : last + 1] if line.strip()]
    values = np.array(
        [[float(cell) for cell in separation.plain(line).split()] for line in kept], np.float64
    )
    return Rows(lines[:first], values, lines[last + 1 :], separation, first)
