"""CSV and similar files: comma, semicolon, tab, bar or blanks; decimal point or comma.

pyarrow parses where it is installed, pandas' C engine where it is not; both only ever see bytes.
"""

from __future__ import annotations

import csv
import io
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.csv_cells import as_written
from explorer.data.readers.dialect import Dialect, guess
from explorer.data.readers.orange import orange_header, with_roles
from explorer.data.readers.refused import FileRefused, Limits, reason, shown
from explorer.data.readers.table import Numbered, Table, Texts, objects
from explorer.data.readers.text import as_utf8, cells_of, lines_of

_NULLS = ["", "NA", "N/A", "na", "n/a", "NaN", "nan", "NAN", "null", "NULL", "None", "none", "?",
          "-", ".", "#N/A"]  # fmt: skip


def read_delimited(content: bytes, name: str, limits: Limits, **wishes: Any) -> Table:
    """wishes: delimiter, decimal, header, each None if it is to be guessed."""
    text, note = as_utf8(content, name)
    text = _without_last_comments(text)
    orange = orange_header(text) if wishes.get("header") is None else None
    if orange is not None:
        text = orange.text
        wishes = {**wishes, "header": True}
    dialect = guess(text, name, limits, **wishes)
    body = memoryview(text)[dialect.data_start :]
    if dialect.delimiter == " ":
        body = memoryview(_blanks_to_tabs(bytes(body)))
    parse = _with_pyarrow if _has_pyarrow() else _with_pandas
    if not (bytes(body[:4096]).strip() or bytes(body).strip()):
        raise FileRefused(f"{shown(name)} has a header but no rows. Check that it is complete.")
    block, columns, flags = parse(body, dialect, name, text, limits)
    if b"'" in text:  # the mark of our own exports, see csv_cells.py
        columns = [c if isinstance(c, int) else _unmarked(c) for c in columns]
    names = list(dialect.header or (f"column {j + 1}" for j in range(dialect.n_columns)))
    # UCR archives: no header, tabs, the class first
    ucr = dialect.header is None and name.lower().endswith(".tsv")
    table = Table(
        names,
        block,
        columns,
        _locator(text, dialect),
        frozenset(names[j] for j in flags),
        label=names[0] if ucr else None,
        notes=[note] if note else [],
    )
    return table if orange is None else with_roles(table, orange)


def _without_last_comments(text: bytes) -> bytes:
    """The text without comment lines (#, %, ;) after the last row."""
    end = len(text)
    while True:
        start = text.rfind(b"\n", 0, end - 1 if end else 0) + 1
        line = text[start:end].strip()
        if start == 0 or (line and not line.startswith((b"#", b"%", b"; "))):
            return text[:end] if end < len(text) else text
        end = start


def _unmarked(cells: Texts) -> Texts:
    return objects([c if c is None else as_written(str(c)) for c in cells])


def _has_pyarrow() -> bool:
    try:
        import pyarrow.csv  # noqa: F401
    except ImportError:
        return False
    return True


# Bytes that pyarrow parses at a time: 1 and 4 MB were slower here, 8 MB by half.
_BLOCK = 1 << 21

Parsed = tuple[NDArray[np.float64], list[int | Texts], list[int]]


def _with_pyarrow(
    body: memoryview, dialect: Dialect, name: str, text: bytes, limits: Limits
) -> Parsed:
    import pyarrow as pa
    from pyarrow import csv as pacsv

    plain = [str(j) for j in range(dialect.n_columns)]
    quoted = b'"' in text
    delimiter = "\t" if dialect.delimiter == " " else dialect.delimiter
    try:
        found = pacsv.read_csv(
            pa.py_buffer(body),
            read_options=pacsv.ReadOptions(column_names=plain, block_size=_BLOCK),
            parse_options=pacsv.ParseOptions(delimiter=delimiter, newlines_in_values=quoted),
            convert_options=pacsv.ConvertOptions(
                null_values=_NULLS,
                strings_can_be_null=False,
                decimal_point=dialect.decimal,
                timestamp_parsers=["%Y-%m-%dT%H:%M:%S"],  # else every format is tried
            ),
        )
    except pa.ArrowInvalid as error:
        raise _ragged(text, dialect, name, str(error)) from None
    n = found.num_rows
    limits.check_shape(n, dialect.n_columns)
    types = [found.schema.field(j).type for j in range(dialect.n_columns)]
    numeric = [
        j
        for j, t in enumerate(types)
        if pa.types.is_integer(t)
        or pa.types.is_floating(t)
        or pa.types.is_boolean(t)
        or pa.types.is_null(t)
    ]
    block = np.empty((n, len(numeric)))
    # One batch of rows at a time: its columns are still in the cache when they become rows.
    start = 0
    for batch in found.select(numeric).to_batches():
        part = block[start : start + batch.num_rows]
        for k in range(len(numeric)):
            column = batch.column(k)
            if pa.types.is_null(column.type):
                part[:, k] = np.nan
            elif pa.types.is_boolean(column.type):
                part[:, k] = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
            else:
                part[:, k] = column.to_numpy(zero_copy_only=False)
        start += batch.num_rows
    slot = {j: k for k, j in enumerate(numeric)}
    columns: list[int | Texts] = []
    for j, kind in enumerate(types):
        if j in slot:
            columns.append(slot[j])
            continue
        array = found.column(j)
        if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
            array = array.cast(pa.string())
        columns.append(array.to_numpy())
    return block, columns, [j for j in numeric if pa.types.is_boolean(types[j])]


def _with_pandas(
    body: memoryview, dialect: Dialect, name: str, text: bytes, limits: Limits
) -> Parsed:
    import pandas

    # pandas rounds the last bits unless it is told not to; from 3.1 on it need not be told
    new = tuple(int(part) for part in pandas.__version__.split(".")[:2]) >= (3, 1)
    exact: dict[str, Any] = {} if new else {"float_precision": "round_trip"}

    def parse(**missing: Any) -> pandas.DataFrame:
        # BytesIO shares bytes but copies a slice of them: seek in the whole instead
        stream = io.BytesIO(body if dialect.delimiter == " " else text)
        stream.seek(0 if dialect.delimiter == " " else dialect.data_start)
        return pandas.read_csv(
            stream,
            header=None,
            names=range(dialect.n_columns),
            index_col=False,
            sep="\t" if dialect.delimiter == " " else dialect.delimiter,
            decimal=dialect.decimal,
            engine="c",
            **exact,
            **missing,
        )

    try:
        # Looking for missing cells and holding all columns at once costs a third of the time, and
        # clean files need neither: then only the label is text. Else once more, with care.
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", pandas.errors.DtypeWarning)
                frame = parse(na_filter=False)
            clean = sum(frame[j].dtype.kind not in "fiub" for j in frame.columns) <= 1
        except pandas.errors.DtypeWarning:  # a column that is numbers here and text there
            clean = False
        if not clean:
            frame = parse(na_values=_NULLS, keep_default_na=False, low_memory=False)
    except (pandas.errors.ParserError, pandas.errors.ParserWarning, ValueError) as error:
        raise _ragged(text, dialect, name, str(error)) from None
    limits.check_shape(len(frame), dialect.n_columns)
    kinds = [frame[j].dtype.kind for j in range(dialect.n_columns)]
    numeric = [j for j, kind in enumerate(kinds) if kind in "fiub"]
    block = np.ascontiguousarray(frame[numeric].to_numpy(dtype=np.float64))
    # pandas fills short rows without a word: look for them where the last column is missing
    last = frame[dialect.n_columns - 1]
    if last.isna().any() or (kinds[-1] not in "fiub" and (last == "").any()):
        problem = _first_ragged(text, dialect)
        if problem is not None:
            raise FileRefused(problem)
    slot = {j: k for k, j in enumerate(numeric)}
    columns: list[int | Texts] = []
    for j in range(dialect.n_columns):
        if j in slot:
            columns.append(slot[j])
            continue
        cells = frame[j].astype(object)
        columns.append(cells.where(cells.notna(), None).to_numpy(dtype=object))
    return block, columns, [j for j, kind in enumerate(kinds) if kind == "b"]


def _blanks_to_tabs(body: bytes) -> bytes:
    return b"\n".join(b"\t".join(line.split()) for line in body.splitlines())


def _ragged(text: bytes, dialect: Dialect, name: str, detail: str) -> FileRefused:
    problem = _first_ragged(text, dialect)
    if problem is not None:
        return FileRefused(problem)
    detail = re.sub(r"\s+", " ", detail)[:120]
    return FileRefused(
        f"{shown(name)} cannot be split into rows and columns ({detail}). Save it as CSV again."
    )


def _first_ragged(text: bytes, dialect: Dialect) -> str | None:
    """A sentence on the first row whose number of cells differs from the first line's."""
    lines = text[dialect.start :].decode("utf-8", "replace")
    stream = io.StringIO(lines, newline="")
    if dialect.delimiter == " ":
        rows: Any = (cells_of(line) for line in lines_of(lines))
        at: Callable[[int], int] = lambda i: i + 1  # noqa: E731
    else:
        reader = csv.reader(stream, delimiter=dialect.delimiter)
        rows, at = reader, lambda i: reader.line_num
    try:
        for i, row in enumerate(rows):
            if row and len(row) != dialect.n_columns:
                what = "the header" if dialect.header is not None else "the first row"
                return (
                    f"Row {dialect.first_line + at(i)} has {len(row)} cells where {what} has "
                    f"{dialect.n_columns}. Complete it, or check for a stray separator or quote."
                )
    except csv.Error as error:
        return f"A row cannot be split into cells ({reason(error)}). Save the table as CSV again."
    return None


def _locator(text: bytes, dialect: Dialect) -> Numbered:
    """Index of a data row -> "row N", N the line in the file, blank lines counted."""
    before = dialect.first_line + (1 if dialect.header is not None else 0)

    def every(n: int) -> NDArray[np.int64]:
        lines = text[dialect.data_start :].decode("utf-8", "replace")
        if dialect.delimiter == " ":
            at = [i for i, line in enumerate(lines_of(lines), 1) if line.strip()]
        else:
            reader = csv.reader(io.StringIO(lines, newline=""), delimiter=dialect.delimiter)
            at = [reader.line_num for cells in reader if cells]
        at += range(len(at) + 1, n + 1)
        return before + np.array(at[:n], np.int64)

    return Numbered("row", every)
