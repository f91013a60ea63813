"""Guesses how a delimited file is written: separator, decimal mark, header."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from explorer.data.csv_cells import as_written
from explorer.data.readers.columns import missing, number
from explorer.data.readers.refused import FileRefused, Limits, reason, shown
from explorer.data.readers.text import cells_of, lines_of

_LINES = 30
_HEAD_BYTES = 2_000_000
_DELIMITERS = ("\t", ";", "|", ",")
_FEWEST_CHANNELS = 5


@dataclass(frozen=True)
class Dialect:
    """delimiter (" " for runs of blanks), decimal mark, first_line: index of the first line of the
    table in the file (comment and blank lines before it skipped), header: its cells, or None."""

    delimiter: str
    decimal: str
    first_line: int
    start: int
    header: tuple[str, ...] | None
    data_start: int
    n_columns: int


def guess(
    content: bytes,
    name: str,
    limits: Limits,
    *,
    delimiter: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
) -> Dialect:
    """The dialect of UTF-8 text; what is given is not guessed."""
    first_line, start = _skip_preamble(content)
    end = _line_end(content, start)
    line = content[start:end]
    # Before any parser sees it: a first line of a million separators takes pandas half a minute.
    widest = max(line.count(d.encode()) for d in (*_DELIMITERS, " "))
    if widest + 1 > limits.columns and not (
        delimiter is None and line.strip().count(b" ") == widest
    ):
        limits.check_shape(1, widest + 1)
    head = content[start : start + _HEAD_BYTES].decode("utf-8", "replace")
    lines = [text for text in lines_of(head)[: 3 * _LINES] if text.strip()][:_LINES]
    if len(head) == _HEAD_BYTES and len(lines) > 1:
        lines = lines[:-1]  # the last one may be cut
    if delimiter is None:
        delimiter = _delimiter(lines, name)
    rows = split(lines, delimiter)
    n_columns = len(rows[0])
    limits.check_shape(1, n_columns)
    if decimal is None:
        decimal = _decimal(rows, delimiter)
    if header is None:
        header = _has_header(rows, decimal)
    cells = None
    data_start = start
    if header:
        if line.count(b'"') % 2:
            raise FileRefused(
                f"The header of {shown(name)} has a line break inside quotes. Put it on one line."
            )
        cells = tuple(_name(cell, j) for j, cell in enumerate(rows[0]))
        data_start = min(len(content), end + (2 if content[end : end + 2] == b"\r\n" else 1))
    return Dialect(delimiter, decimal, first_line, start, cells, data_start, n_columns)


def split(lines: list[str], delimiter: str) -> list[list[str]]:
    """The cells of each line; quotes as in CSV."""
    if delimiter == " ":
        return [cells_of(line) for line in lines]
    try:
        return list(csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter))
    except csv.Error as error:
        raise FileRefused(
            f"The first lines cannot be split into cells ({reason(error)}). Save the table "
            "as CSV again."
        ) from None


def _name(cell: str, j: int) -> str:
    name = " ".join(as_written(cell).split())
    return name if name else f"column {j + 1}"


def _line_end(content: bytes, start: int) -> int:
    newline = content.find(b"\n", start)
    end = newline if newline >= 0 else len(content)
    carriage = content.find(b"\r", start, end)  # only up to there: the file may be long
    return carriage if carriage >= 0 else end


def _skip_preamble(content: bytes) -> tuple[int, int]:
    """Line index and byte offset of the first line that is not blank and no # comment."""
    line, start = 0, 0
    while start < len(content):
        end = _line_end(content, start)
        text = content[start:end].strip()
        if text and not text.startswith((b"#", b"%")):
            return line, start
        start = end + (2 if content[end : end + 2] == b"\r\n" else 1)
        line += 1
    raise FileRefused("The file holds only blank lines and comments. Choose a file with a table.")


def _delimiter(lines: list[str], name: str) -> str:
    """The separator that gives every line the same number of cells, more than one.

    Commas come last: they may be decimal marks in a file that is separated otherwise.
    """
    best: tuple[float, str] | None = None
    for d in _DELIMITERS:
        counts = [len(row) for row in split(lines, d)]
        usual, how_often = Counter(counts).most_common(1)[0]
        if usual < 2:
            if counts[0] > 1 and best is None and len(counts) < 3:
                best = (0.0, d)
            continue
        share = how_often / len(counts)
        if share == 1.0:
            return d
        if best is None or share > best[0]:
            best = (share, d)
    if best is not None and best[0] >= 0.5:
        return best[1]
    blanks = [len(cells_of(line)) for line in lines]
    if blanks[0] > 1 and len(set(blanks)) == 1:
        return " "
    if best is not None:
        return best[1]
    raise FileRefused(
        f"{shown(name)} has one column only. A forest needs features and a label; check that the "
        "table is separated by commas, semicolons or tabs."
    )


def _decimal(rows: list[list[str]], delimiter: str) -> str:
    if delimiter == ",":
        return "."
    commas = points = 0
    for row in rows:
        for cell in row:
            text = cell.strip()
            if "," in text and number(text.replace(",", ".", 1)) is not None:
                commas += 1
            elif "." in text and number(text) is not None:
                points += 1
    return "," if commas > points else "."


def _has_header(rows: list[list[str]], decimal: str) -> bool:
    """Whether the first line names the columns.

    It does if one of its cells is text above a column of numbers, or if no cell is a number.
    It does too if its numbers are a spectral axis: five or more, rising or falling all the way,
    where the lines below do not.
    """
    if len(rows) < 2:
        return not any(_numeric(cell, decimal) for cell in rows[0])
    first, below = rows[0], rows[1:]
    if not any(_numeric(cell, decimal) for cell in first):
        return True
    for j, cell in enumerate(first):
        under = [row[j] for row in below if j < len(row) and not missing(row[j])]
        if (
            not _numeric(cell, decimal)
            and under
            and all(_numeric(c, decimal) for c in under)
            and (not missing(cell) or not cell.strip())
        ):
            return True
    if not _monotone(first, decimal):
        return False
    return not all(_monotone(row, decimal) for row in below[:10])


def _numeric(cell: str, decimal: str) -> bool:
    return number(cell.replace(decimal, ".", 1) if decimal == "," else cell) is not None


def _monotone(row: list[str], decimal: str) -> bool:
    text = [cell.replace(",", ".", 1) if decimal == "," else cell for cell in row]
    values = [v for v in map(number, text) if v is not None]
    if len(values) < _FEWEST_CHANNELS or len(values) < 0.5 * len(row):
        return False
    steps = [b - a for a, b in pairwise(values)]
    return all(s > 0 for s in steps) or all(s < 0 for s in steps)
