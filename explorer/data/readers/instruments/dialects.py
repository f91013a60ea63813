"""The text files of the makers: how each is known by its header, and what it does not say itself.

A dialect is one line. What a header says in words (units, names of columns, fields) is found for
all of them in `text`; here stands only what nobody wrote into the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class LineDialect:
    """title for people; sign: found in the header (or the name, with `named`); unit: of the axis
    where the file does not say; columns: which hold spectra ("all", "last", or a number from 1),
    None where the names of the columns decide; refuse: a sentence for files that are no spectra."""

    title: str
    sign: str = ""
    named: tuple[str, ...] = ()
    unit: str = ""
    columns: str | int | None = None
    refuse: str = ""

    def fits(self, header: str, name: str) -> bool:
        if self.sign:
            return (
                bool(header)
                and re.search(self.sign, header, re.IGNORECASE | re.MULTILINE) is not None
            )
        return name.endswith(self.named)


DIALECTS = (
    LineDialect("Horiba LabSpec text", r"^#\s*(Acq\. time|AxisType\[|Accumulations)", unit="cm-1"),
    LineDialect("Renishaw text", r"^#Wave\s+#Intensity|^#X\s+#Y\s+#Wave", unit="cm-1"),
    LineDialect("WITec text", r"^\[?WITec|\bWITec\b.*(Graph|ASCII)|^GraphName", unit="cm-1"),
    LineDialect("Ocean Optics text", r"(SpectraSuite|OceanView|Jaz|OOIBase32).*(Data )?File|"
            r"Begin (Processed )?Spectral Data", unit="nm"),
    LineDialect("Avantes text", r"^\[nm\]|AvaSoft|Nr of pixels used for smoothing|Smoothing Nr",
            unit="nm"),
    LineDialect("SVC .sig", r"Spectra Vista SIG|^/\*\*\*", unit="nm", columns="last"),
    LineDialect("Spectral Evolution .sed", r"^Radiometric Calibration:|^Foreoptic:", unit="nm"),
    LineDialect("ECOSTRESS library", r"^First X Value:", columns=2),
    LineDialect("USGS library", r"USGS Digital Spectral Library|speclab\.cr\.usgs", unit="um",
            columns=2),
    LineDialect("CRAIC text", r"^SciMode:", unit="nm"),
    LineDialect("JASCO text", r"^ORIGIN[,\t;]\s*JASCO|^XYDATA"),
    LineDialect("Neaspec text", r"^#\s*www\.neaspec\.com", unit="cm-1"),
    LineDialect("AVIRIS band list", r"^FILE\s+\S+\.ascii",
            refuse="lists the positions and widths of an image's bands, not spectra. Choose the "
                   "image with its ENVI header."),
    LineDialect("list of files", r"^format\tfile\t|^file\s*[,;\t]\s*(md5|sha)",
            refuse="is a list of files, not a spectrum."),
    LineDialect("Bruker data point table", named=(".dpt",), unit="cm-1", columns="all"),
    LineDialect("PerkinElmer text", named=(".asp",), unit="cm-1"),
)  # fmt: skip


def dialect_of(header: str, name: str) -> LineDialect | None:
    """The dialect of a header and a file name; None for plain text."""
    return next((d for d in DIALECTS if d.fits(header, name.lower())), None)
