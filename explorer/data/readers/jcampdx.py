"""JCAMP-DX spectra, one or many, through the `jcamp` package, in the child process."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.axis import SpectralAxis
from explorer.data.readers.columns import LABEL_NAMES, listed
from explorer.data.readers.refused import FileRefused, Limits, shown
from explorer.data.readers.table import Table, Texts, counted_from, objects
from explorer.data.readers.text import as_utf8, lines_of

# What a block says about its own encoding; of no use as a class.
_BOOKKEEPING = frozenset(
    {
        "x", "y", "xydata", "xypoints", "npoints", "firstx", "lastx", "firsty", "deltax", "xfactor",
        "yfactor", "maxx", "minx", "maxy", "miny", "xunits", "yunits", "end", "jcamp-dx",
        "data type", "datatype", "children", "blocks", "filename", "resolution", "longdate",
        "date", "time",
    }
)  # fmt: skip
FOLDER = "$folder"


def read_jcamp(content: bytes, name: str, limits: Limits, **_: Any) -> Table:
    """Each block with a spectrum is a row. The label is a header field such as ##CLASS= or, for
    spectra zipped in folders, the folder; all spectra must share one axis."""
    try:
        import jcamp
    except ImportError:
        raise FileRefused(
            "Reading JCAMP-DX files needs the jcamp package: install forest-explorer[spectra]."
        ) from None
    text, note = as_utf8(content, name)
    spectra = []
    for number, block in enumerate(_blocks(lines_of(text.decode("utf-8"))), 1):
        _check_size(block, number, limits)
        try:
            spectrum = jcamp.read(block)
        except Exception as error:  # the package lets any parsing error through
            raise FileRefused(
                f"Spectrum {number} ({_title(block)}) cannot be read. Export it again as JCAMP-DX."
            ) from error
        x, y = np.asarray(spectrum["x"], float), np.asarray(spectrum["y"], float)
        if x.size != y.size or x.size < 2:
            raise FileRefused(
                f"Spectrum {number} ({_title(block)}) has {x.size} positions and {y.size} values. "
                "The file is damaged or uses a form that is not read; export it again."
            )
        spectra.append(spectrum)
        limits.check_shape(len(spectra), x.size)
    if not spectra:
        raise FileRefused(f"{shown(name)} holds no spectrum (##XYDATA=). Export it again.")
    if len(spectra) == 1:
        raise FileRefused(
            f"{shown(name)} holds one spectrum; a forest needs many, of two classes. Zip the "
            "spectra in one folder per class."
        )
    first = np.asarray(spectra[0]["x"], float)
    step = np.abs(np.diff(first)).min()
    for number, spectrum in enumerate(spectra, 1):
        x = np.asarray(spectrum["x"], float)
        if x.size != first.size or np.abs(x - first).max() > 0.1 * step:
            raise FileRefused(
                f"Spectrum {number} ({shown(spectrum.get('title', ''))}) has another axis "
                f"({x.size} points, {x[0]:g} to {x[-1]:g}) than the first ({first.size} points, "
                f"{first[0]:g} to {first[-1]:g}). Bring all spectra to one axis first."
            )
    fields = sorted({key for s in spectra for key in s} - _BOOKKEEPING)
    extra: dict[str, Texts | NDArray[np.float64]] = {
        key: objects([None if s.get(key) is None else str(s[key]).strip() for s in spectra])
        for key in fields
    }
    varying = {key: c for key, c in extra.items() if len(set(c)) > 1}
    label = next(
        (
            k
            for want in (*LABEL_NAMES, FOLDER)
            for k in varying
            if k.lstrip("$") == want.lstrip("$")
        ),
        None,
    )
    if label is None and not varying:
        raise FileRefused(
            f"No header field of {shown(name)} tells the spectra apart, so there is no label. Add "
            "a field ##$CLASS= to each, or zip the spectra in one folder per class."
        )
    axis = SpectralAxis.of_unit(first, str(spectra[0].get("xunits", "")).lower())
    names = [f"{v:.10g}" for v in first]
    table = Table(
        names if len(set(names)) == len(names) else [repr(float(v)) for v in first],
        np.array([np.asarray(s["y"], float) for s in spectra]),
        list(range(first.size)),
        counted_from(1, "spectrum"),
        extra=varying,
        label=label,
        axis=axis,
        sample_names=tuple(str(s.get("title", i + 1)) for i, s in enumerate(spectra)),
        notes=[note] if note else [],
    )
    if label is None:
        table.notes.append(f"Header fields that differ: {listed(list(varying))}.")
    return table


def _blocks(lines: list[str]) -> list[list[str]]:
    """The innermost ##TITLE= ... ##END= blocks that hold data; link blocks fall away."""
    blocks: list[list[str]] = []
    open_blocks: list[list[str]] = []
    for line in lines:
        tag = line.lstrip().upper().replace(" ", "")
        if tag.startswith("##TITLE="):
            open_blocks.append([])
        if not open_blocks:
            continue
        open_blocks[-1].append(line + "\n")
        if tag.startswith("##END="):
            block = open_blocks.pop()
            if _has_data(block):
                blocks.append(block)
    if open_blocks and _has_data(open_blocks[-1]):
        raise FileRefused(
            f"The spectrum {_title(open_blocks[-1])} has no ##END=; the file ends too early. "
            "Export it again."
        )
    return blocks


def _has_data(block: list[str]) -> bool:
    tags = [line.upper().replace(" ", "") for line in block if line.startswith("##")]
    return any(tag.startswith(("##XYDATA=", "##XYPOINTS=")) for tag in tags)


def _title(block: list[str]) -> str:
    return shown(block[0].split("=", 1)[-1].strip() if block else "")


def _check_size(block: list[str], number: int, limits: Limits) -> None:
    """The package makes NPOINTS positions whatever the file holds: look first."""
    for line in block:
        if line.upper().replace(" ", "").startswith("##NPOINTS="):
            try:
                points = float(line.split("=", 1)[1].split("$$")[0].strip().replace(",", "."))
            except ValueError:
                raise FileRefused(
                    f"Spectrum {number} has ##NPOINTS= {shown(line.split('=', 1)[1])}, which is "
                    "not a number. Export it again."
                ) from None
            if not 0 < points <= limits.columns:
                raise FileRefused(
                    f"Spectrum {number} claims {points:g} points; at most {limits.columns} can be "
                    "read. Export it again."
                )
