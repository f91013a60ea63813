"""JCAMP-DX (.jdx, .dx, .jcm): single spectra, linked blocks and NTUPLES, in all written forms.

Values may be plain numbers (AFFN) or packed (PAC, SQZ, DIF, DUP), as McDonald and Wilks describe
them (Appl. Spectrosc. 42 (1988) 151). The package jcamp, with which the tests compare, gives no
spectrum for NTUPLES.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.instruments.block import Block, Given, clean, counted
from explorer.data.readers.instruments.decode import decoded
from explorer.data.readers.instruments.units import unit_in

_SQUEEZED = {c: v for v, c in enumerate("@ABCDEFGHI")} | {
    c: -v for v, c in enumerate("abcdefghi", 1)
}
_DIFFERENCE = {c: v for v, c in enumerate("%JKLMNOPQR")} | {
    c: -v for v, c in enumerate("jklmnopqr", 1)
}
_DUPLICATE = {c: v for v, c in enumerate("STUVWXYZs", 1)}
_TOKEN = re.compile(
    r"[-+]?(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?\d+(?:[eE][-+]\d+)?|[@A-Ia-i]\d*|[%J-Rj-r]\d*|"
    r"[S-Zs]\d*|\?"
)
_PLAIN = re.compile(r"[\d\s.,+\-eE;?]*")
_SIMPLE = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_ASSIGNED = re.compile(rf"\(\s*({_SIMPLE.pattern})\s*,\s*({_SIMPLE.pattern})\s*[,)]")
_COMMA_NUMBER = re.compile(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?")
_DECIMAL_COMMA = re.compile(r"(\d),(\d)")
_NUMBER_FIELDS = (
    "FIRSTX", "LASTX", "FIRSTY", "DELTAX", "MAXX", "MINX", "MAXY", "MINY", "XFACTOR", "YFACTOR",
)  # fmt: skip
_PEAKS = ("PEAKTABLE", "PEAKASSIGNMENTS")
_DATA = ("XYDATA", "XYPOINTS", *_PEAKS, "DATATABLE", "RADATA")
_ABOUT = (
    "TITLE", "DATATYPE", "ORIGIN", "OWNER", "CASREGISTRYNO", "CASNAME", "MOLFORM", "STATE", "CLASS",
    "SAMPLEDESCRIPTION", "INSTRUMENT", "SPECTROMETER/DATASYSTEM", "DATE", "LONGDATE", "NAMES",
)  # fmt: skip
_ASIDE = re.compile(r"\b(dark|reference)\s+spectrum", re.I)


@dataclass
class LabelledRecord:
    """The fields of one block by name (capitals, without blanks), and its sections of data."""

    fields: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    sections: list[tuple[str, str, list[str], dict[str, str]]] = field(default_factory=list)

    def number(self, key: str, otherwise: float | None = None) -> float | None:
        match = _SIMPLE.search(self.fields.get(key, "").replace(",", "."))
        return float(match[0]) if match else otherwise


def read_jcampdx(given: Given) -> list[Block]:
    records = _records(decoded(given).split("\n"))
    blocks: list[Block] = []
    problems: list[str] = []
    aside = 0
    for record in records:
        if len(records) > 1 and _ASIDE.search(record.fields.get("SAMPLEDESCRIPTION", "")):
            aside += 1
            continue
        for name, form, lines, page in record.sections:
            try:
                block = _section(record, name, form, lines, page, given)
            except ValueError as error:
                problems.append(str(error))
                continue
            if block is not None:
                blocks.append(block)
    if not blocks:
        why = problems[0] if problems else "no ##XYDATA=, ##XYPOINTS= or ##DATA TABLE= was found"
        raise given.refuse(f"holds no JCAMP-DX spectrum that can be read: {why}. Export it again.")
    if aside:
        blocks[0].notes.append(f"{aside} dark and reference spectra in the file were left out.")
    if problems:
        blocks[0].notes.append(f"{len(problems)} parts of the file could not be read.")
    return blocks


def _records(lines: list[str]) -> list[LabelledRecord]:
    """Blocks from ##TITLE= to ##END=; a block inside a block is one of its own."""
    done: list[LabelledRecord] = []
    open_records: list[LabelledRecord] = []
    key = ""
    page: dict[str, str] = {}
    rows: list[str] | None = None
    for line in lines:
        line = line.split("$$")[0].rstrip() if "$$" in line else line.rstrip()
        if line.lstrip().startswith("##") and "=" in line:
            name, value = line.lstrip()[2:].split("=", 1)
            key = re.sub(r"[\s_-]", "", name).upper()
            rows = None
            if key == "TITLE":
                open_records.append(LabelledRecord())
                page = {}
            if not open_records:
                open_records.append(LabelledRecord())
            record = open_records[-1]
            if key == "END":
                done.append(open_records.pop())
                page = {}
            elif key == "PAGE":
                page = {"PAGE": value.strip()}
            elif key in ("NPOINTS", "FIRST") and page:
                page[key] = value.strip()
            elif key in _DATA:
                rows = []
                record.sections.append((key, value.strip(), rows, dict(page)))
            elif key not in ("ENDNTUPLES", ""):
                record.fields[key] = value.strip()
                record.titles[key] = name.strip()
        elif line.lstrip().startswith("##"):
            rows = None  # "##END" without its sign
        elif rows is not None:
            if line.strip():
                rows.append(line)
        elif open_records and line.strip():
            said = open_records[-1].fields
            if key in said and len(said[key]) < 400:
                said[key] += " " + line.strip()
    return [record for record in [*done, *reversed(open_records)] if record.sections]


def _section(
    record: LabelledRecord,
    name: str,
    form: str,
    lines: list[str],
    page: dict[str, str],
    given: Given,
) -> Block | None:
    symbols = _symbols(record)
    compact = form.replace(" ", "").upper()
    pairs = name in ("XYPOINTS", *_PEAKS) or bool(re.search(r"\(X[YRI]\.\.X", compact))
    dependent = "Y"
    match = re.search(r"\+\+\((\w)\.\.|\(X(\w)", compact)
    if match:
        dependent = match[1] or match[2]
    if symbols:
        if dependent == "I" and "R" in symbols:
            return None  # the imaginary part of an NMR spectrum
        x_about, y_about = symbols.get("X", {}), symbols.get(dependent, {})
        x_factor, y_factor = _factor(x_about), _factor(y_about)
        first, last = _value(x_about, "FIRST"), _value(x_about, "LAST")
        count = _value(x_about, "VARDIM")
        unit, quantity = x_about.get("UNITS", ""), y_about.get("VARNAME", "")
    else:
        x_factor = record.number("XFACTOR", 1.0) or 1.0
        y_factor = record.number("YFACTOR", 1.0) or 1.0
        first, last = record.number("FIRSTX"), record.number("LASTX")
        count = record.number("NPOINTS")
        unit, quantity = record.fields.get("XUNITS", ""), record.fields.get("YUNITS", "")
    if _writes_commas(record):
        lines = [_DECIMAL_COMMA.sub(r"\1.\2", line) for line in lines]
    if name == "PEAKASSIGNMENTS":
        lines = [f"{a} {b}" for a, b in _ASSIGNED.findall(" ".join(lines))]
    if pairs:
        x, y = _pairs(lines)
        x, y = x * x_factor, y * y_factor
    else:
        starts, y = packed_values(lines)
        y = y * y_factor
        x = _axis(starts, x_factor, first, last, count, y.size)
    if y.size < 2:
        raise ValueError("a spectrum has fewer than two points")
    about = {
        record.titles.get(k, k).title(): record.fields[k] for k in _ABOUT if k in record.fields
    }
    about |= {
        record.titles[k]: v for k, v in record.fields.items() if k.startswith("$") and len(v) < 100
    }
    title = clean(record.fields.get("TITLE", ""))
    if page:
        about["Page"] = page.get("PAGE", "")
        title = f"{title} {page.get('PAGE', '')}".strip()
    block = Block(x, y, unit_in(unit), clean(quantity).lower(), (title,), about)
    if name in _PEAKS:
        block.notes.append("This is a table of peaks, not a whole spectrum.")
    return block


def _writes_commas(record: LabelledRecord) -> bool:
    """Whether the program wrote decimal commas: a field that is one number has one in it."""
    values = [record.fields.get(key, "") for key in _NUMBER_FIELDS]
    return any(_COMMA_NUMBER.fullmatch(v) for v in values) and not any("." in v for v in values)


def packed_values(lines: list[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The x at the start of each line, and all y: plain or packed, check values taken out."""
    starts: list[float] = []
    y: list[float] = []
    in_differences = False
    last = 0.0
    for line in lines:
        if _PLAIN.fullmatch(line):
            numbers = [np.nan if t == "?" else float(t) for t in _plain_tokens(line)]
            if not numbers:
                continue
            starts.append(numbers[0])
            y.extend(numbers[1:])
            in_differences = False
            if y:
                last = y[-1]
            continue
        fresh = True
        step = 0.0
        kind = ""
        for k, token in enumerate(_TOKEN.findall(line)):
            sign = token[0]
            if k == 0 and sign not in _SQUEEZED and sign not in _DIFFERENCE:
                starts.append(float(token))
                continue
            if sign in _DUPLICATE:
                for _ in range(min(int(f"{_DUPLICATE[sign]}{token[1:]}") - 1, 1_000_000)):
                    last = last + step if kind == "difference" else last
                    y.append(last)
                continue
            if sign in _DIFFERENCE:
                digit = _DIFFERENCE[sign]
                size = float(f"{abs(digit)}{token[1:]}")
                step = -size if digit < 0 else size
                last, kind = last + step, "difference"
            else:
                if sign in _SQUEEZED:
                    digit = _SQUEEZED[sign]
                    size = float(f"{abs(digit)}{token[1:]}")
                    value = -size if digit < 0 else size
                else:
                    value = np.nan if sign == "?" else float(token)
                check = fresh and in_differences
                fresh, last, kind = False, value, "value"
                if check:
                    continue  # it repeats the last value of the line before
            fresh = False
            y.append(last)
        in_differences = kind == "difference"
    return np.array(starts), np.array(y)


def _plain_tokens(line: str) -> list[str]:
    return re.findall(_SIMPLE.pattern + r"|\?", line)


def _pairs(lines: list[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """x and y of pairs, whatever parts them; a third column (a width) is left out."""
    first = next((line for line in lines if line.strip()), "")
    numbers = [float(t) for line in lines for t in _SIMPLE.findall(line)]
    width = len(_SIMPLE.findall(first))
    if width == 3 and all(len(_SIMPLE.findall(line)) == 3 for line in lines):
        table = np.array(numbers).reshape(-1, 3)
    else:
        table = np.array(numbers[: len(numbers) // 2 * 2]).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def _axis(
    starts: NDArray[np.float64],
    factor: float,
    first: float | None,
    last: float | None,
    count: float | None,
    points: int,
) -> NDArray[np.float64]:
    """From first to last at equal steps; where the number of points differs, by the lines' x."""
    if first is not None and last is not None and first != last:
        if count is None or round(count) == points:
            return np.linspace(first, last, points)
        if count and count > 1 and abs(count - points) <= 2:
            return first + (last - first) / (count - 1) * counted(points)
    if starts.size > 1 and points > starts.size:
        per_line = points / starts.size
        whole = starts * factor
        step = (whole[-1] - whole[0]) / ((starts.size - 1) * max(1, round(per_line)))
        return whole[0] + step * counted(points)
    raise ValueError(f"{points} values were found where {count or 'none'} were announced")


def _symbols(record: LabelledRecord) -> dict[str, dict[str, str]]:
    """NTUPLES: what is said of each variable, by its symbol."""
    if "SYMBOL" not in record.fields:
        return {}
    columns: dict[str, list[str]] = {
        key: [part.strip() for part in record.fields[key].split(",")]
        for key in ("SYMBOL", "VARNAME", "UNITS", "FACTOR", "FIRST", "LAST", "VARDIM", "VARTYPE")
        if key in record.fields
    }
    symbols = columns["SYMBOL"]
    found = {
        symbol.upper(): {
            key: values[k] for key, values in columns.items() if k < len(values) and values[k]
        }
        for k, symbol in enumerate(symbols)
    }
    if "X" not in found:  # nD NMR calls its axes F1, F2 and T1, T2
        axes = [s for s in found if re.fullmatch(r"[FT]\d", s)]
        if axes:
            found["X"] = found[axes[-1]]
    return found


def _factor(about: dict[str, str]) -> float:
    value = _value(about, "FACTOR")
    return value if value else 1.0


def _value(about: dict[str, str], key: str) -> float | None:
    match = _SIMPLE.search(about.get(key, ""))
    return float(match[0]) if match else None
