"""Tables with a column of file names: classes and replicate groups from a list beside the files."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.data.measured.spectra import Spectrum
from explorer.data.readers.instruments.packing import NameTable

_FEWEST_SHARE = 0.5


def name_column(table: NameTable, spectra: Sequence[Spectrum]) -> tuple[str, list[int]] | None:
    """The column that names files or samples, and for each spectrum its row (-1: none).

    Names match with or without folder and ending, in any case. At least half of the rows or of the
    spectra must match.
    """
    if not spectra:
        return None
    best: tuple[int, str, list[int]] | None = None
    for title, cells in table.columns.items():
        rows: dict[str, int] = {}
        for k, cell in enumerate(cells):
            if cell.strip():
                for form in _forms(cell):
                    rows.setdefault(form, k)
        places = [_place(s, rows) for s in spectra]
        hits = sum(place >= 0 for place in places)
        used = len({place for place in places if place >= 0})
        enough = hits >= _FEWEST_SHARE * len(spectra) or used >= _FEWEST_SHARE * len(cells)
        if hits and enough and (best is None or hits > best[0]):
            best = (hits, title, places)
    return None if best is None else (best[1], best[2])


def names_files(table: NameTable, spectra: Sequence[Spectrum]) -> bool:
    return name_column(table, spectra) is not None


def _place(spectrum: Spectrum, rows: dict[str, int]) -> int:
    for text in (spectrum.file, spectrum.name):
        for form in _forms(text):
            if form in rows:
                return rows[form]
    return -1


def _forms(text: str) -> list[str]:
    """A name as it may stand elsewhere: whole, without folder, without ending, in lower case."""
    whole = text.strip().replace("\\", "/").lower()
    plain = whole.rsplit("/", 1)[-1]
    stem = plain.rsplit(".", 1)[0] or plain
    return list(dict.fromkeys([whole, plain, stem]))
