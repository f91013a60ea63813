"""Reads files: bytes in, Dataset or Preview out, one kind of exception for bad ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from explorer.data.dataset import Dataset
from explorer.data.readers.ask import ANY, ask_child
from explorer.data.readers.assemble import Wishes, assemble, axis_of_names, check_way
from explorer.data.readers.columns import guess_label, listed
from explorer.data.readers.formats import FORMATS, parser, recognise, wishes_of
from explorer.data.readers.jcampdx import FOLDER
from explorer.data.readers.missing import MissingCells, missing_cells
from explorer.data.readers.refused import DEFAULT_LIMIT, FileRefused, Limits, shown
from explorer.data.readers.source import Source, fetch
from explorer.data.readers.table import Table
from explorer.data.readers.unpack import gunzip, members


@dataclass(frozen=True)
class Preview:
    """What is in a file, before it becomes a data set.

    format: "CSV", "MATLAB", ...; n_rows; columns: names with kinds ("number" or "text");
    rows: the first rows as text; label: the guessed label column or None; labels: names that can
    be the label; spectral: the headers (or the format) give an axis; notes: as in Dataset;
    missing: how many cells of the features are empty, None if none is.
    """

    format: str
    n_rows: int
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, ...], ...]
    label: str | None
    labels: tuple[str, ...]
    spectral: bool
    notes: tuple[str, ...]
    missing: MissingCells | None = None


def read(
    source: Source,
    name: str | None = None,
    *,
    label: str | int | None = None,
    groups: str | None = None,
    drop: tuple[str, ...] = (),
    one_hot: bool = False,
    impute: str | None = None,
    unit: str = "",
    sheet: str | None = None,
    member: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    limit: int = DEFAULT_LIMIT,
    limits: Limits | None = None,
) -> Dataset:
    """A data set from a file of your own.

    source: a path, or the bytes of an upload with its file `name`. Formats: CSV, TSV and kin
    (decimal commas too), Excel, Parquet, ARFF, MATLAB, UCR/aeon .ts and .tsv, .npz, JCAMP-DX;
    each also zipped or gzipped. label, groups, drop, one_hot, impute, unit: see `Wishes`; sheet:
    of a workbook; member: of a zip archive; delimiter, decimal, header: of delimited text, where
    the guess is wrong. limit: bytes of the file and of what it unpacks to.

    Whatever is wrong with the file is a FileRefused: what, where, what to do.
    """
    check_way(impute)
    bounds = limits if limits is not None else Limits(bytes=limit)
    content, found = fetch(source, name, bounds)
    asked = {"sheet": sheet, "delimiter": delimiter, "decimal": decimal, "header": header}
    table = _guarded(content, found, bounds, asked, member)
    wishes = Wishes(label, groups, tuple(drop), one_hot, impute, unit)
    return dataset_of(table, found, wishes, bounds)


def read_apart(
    content: bytes, name: str, limits: Limits, cancelled: Callable[[], bool] | None = None
) -> Table:
    """A stranger's file, whatever its format, parsed in a process of its own under limits.

    `preview_of` and `dataset_of` make use of the Table. cancelled: see `ask_child`.
    """
    content, found = fetch(content, name, limits)
    return ask_child(ANY, content, found, limits, {}, cancelled)


def dataset_of(table: Table, name: str, wishes: Wishes, limits: Limits | None = None) -> Dataset:
    """What `read` makes of a table that was parsed. limits: also of what one-hot columns add."""
    try:
        return assemble(table, _stem(name), wishes, limits)
    except FileRefused:
        raise
    except (ValueError, MemoryError) as error:  # what Dataset itself will not take
        raise FileRefused(f"{shown(name)} gives no data set: {error}") from None


def preview(
    source: Source,
    name: str | None = None,
    *,
    rows: int = 8,
    sheet: str | None = None,
    member: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    limit: int = DEFAULT_LIMIT,
    limits: Limits | None = None,
) -> Preview:
    """What `read` would find, for a person to confirm; a file that does not parse is refused."""
    bounds = limits if limits is not None else Limits(bytes=limit)
    content, found = fetch(source, name, bounds)
    asked = {"sheet": sheet, "delimiter": delimiter, "decimal": decimal, "header": header}
    return preview_of(_guarded(content, found, bounds, asked, member), rows)


def preview_of(table: Table, rows: int = 8) -> Preview:
    """What is in a table that was parsed."""
    guess = guess_label(table)
    features = [n for n in table.names if n != guess]
    shown_rows = tuple(
        tuple(_cell(table.column(j)[i]) for j in range(len(table.names)))
        for i in range(min(rows, table.n_rows))
    )
    return Preview(
        table.format,
        table.n_rows,
        tuple(
            (n, "number" if isinstance(c, int) else "text")
            for n, c in zip(table.names, table.columns, strict=True)
        ),
        shown_rows,
        guess,
        (*table.names, *table.extra),
        table.axis is not None or axis_of_names(features) is not None,
        tuple(table.notes),
        missing_cells(table, {guess}),
    )


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _guarded(
    content: bytes,
    name: str,
    limits: Limits,
    asked: dict[str, Any],
    member: str | None,
    here: bool = False,
) -> Table:
    """Every exception that a parser lets through becomes one FileRefused, here and nowhere else."""
    try:
        return _table(content, name, limits, asked, member, here=here)
    except FileRefused:
        raise
    except MemoryError:
        raise FileRefused(
            f"{shown(name)} needs more memory than there is. Save fewer rows or columns."
        ) from None
    except RecursionError:
        raise FileRefused(f"{shown(name)} is nested too deeply to read. Save it again.") from None
    except Exception as error:
        raise FileRefused(
            f"{shown(name)} is damaged or not what its name says. Save it again, or as CSV."
        ) from error  # a script sees the parser's own words, a page does not


def _table(
    content: bytes,
    name: str,
    limits: Limits,
    asked: dict[str, Any],
    member: str | None,
    packed: bool = False,
    here: bool = False,
) -> Table:
    kind = recognise(content, name)
    if kind in ("gzip", "zip") and packed:
        raise FileRefused(f"{shown(name)} is an archive inside an archive. Unpack it once.")
    if kind == "gzip":
        inside = name[:-3] if name.lower().endswith(".gz") else name
        return _table(gunzip(content, name, limits), inside, limits, asked, None, True, here)
    if kind == "zip":
        inside, content = _only_member(members(content, name, limits), name, member)
        return _table(content, inside, limits, asked, None, True, here)
    wishes = wishes_of(kind, asked)
    if FORMATS[kind].in_child and not here:
        table = ask_child(kind, content, name, limits, wishes)
    else:
        table = parser(kind)(content, name, limits, **wishes)
    limits.check_shape(table.n_rows, len(table.names))
    return replace(table, format=FORMATS[kind].title)


def read_here(
    content: bytes, name: str, limits: Limits, *, member: str | None = None, **asked: Any
) -> Table:
    """A file of any format, parsed in this process: for the child process, which has limits."""
    return _guarded(content, name, limits, asked, member, here=True)


def _only_member(files: dict[str, bytes], name: str, member: str | None) -> tuple[str, bytes]:
    """The one file of an archive, or the one asked for; JCAMP-DX spectra are joined to one."""
    if member is not None:
        if member not in files:
            raise FileRefused(
                f"{shown(name)} holds no {shown(member)}; it holds: {listed(sorted(files))}."
            )
        return member.rsplit("/", 1)[-1], files[member]
    endings = FORMATS["jcamp"].endings
    spectra = {key: files[key] for key in sorted(files) if key.lower().endswith(endings)}
    if spectra and len(files) > 1:
        joined = b"\n".join(_with_folder(key, data) for key, data in spectra.items())
        return f"{_stem(name)}.jdx", joined
    if len(files) > 1:
        raise FileRefused(
            f"{shown(name)} holds {len(files)} files ({', '.join(sorted(files)[:5])}, ...). Pack "
            "one table, or name the one to read."
        )
    ((only, data),) = files.items()
    return only.rsplit("/", 1)[-1], data


def _with_folder(path: str, data: bytes) -> bytes:
    """A spectrum of an archive with its folder as one more header field, after each title."""
    parts = path.split("/")
    folder = (parts[-2] if len(parts) > 1 else "").encode()
    out = []
    for line in data.splitlines():
        out.append(line)
        if folder and line.upper().replace(b" ", b"").startswith(b"##TITLE="):
            out.append(b"##" + FOLDER.upper().encode() + b"= " + folder)
    return b"\n".join(out)


def _stem(name: str) -> str:
    stem = name.rsplit("/", 1)[-1]
    for ending in (".gz", ".zip"):
        stem = stem.removesuffix(ending)
    return stem.rsplit(".", 1)[0] or stem
