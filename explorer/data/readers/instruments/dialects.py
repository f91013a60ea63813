"""The text files of the makers: how each is known by its header, and what it does not say itself.

A dialect is one line. What a header says in words (units, names of columns, fields) is found for
all of them in `text`; here stands only what nobody wrote into the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Dialect:
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
    Dialect("Horiba LabSpec text", r"^#\s*(Acq\. time|AxisType\[|Accumulations)", unit="cm-1"),
    Dialect("Renishaw text", r"^#Wave\s+#Intensity|^#X\s+#Y\s+#Wave", unit="cm-1"),
    Dialect("WITec text", r"^\[?WITec|\bWITec\b.*(Graph|ASCII)|^GraphName", unit="cm-1"),
    Dialect("Ocean Optics text", r"(SpectraSuite|OceanView|Jaz|OOIBase32).*(Data )?File|"
            r"Begin (Processed )?Spectral Data", unit="nm"),
    Dialect("Avantes text", r"^\[nm\]|AvaSoft|Nr of pixels used for smoothing|Smoothing Nr",
            unit="nm"),
    Dialect("SVC .sig", r"Spectra Vista SIG|^/\*\*\*", unit="nm", columns="last"),
    Dialect("Spectral Evolution .sed", r"^Radiometric Calibration:|^Foreoptic:", unit="nm"),
    Dialect("ECOSTRESS library", r"^First X Value:", columns=2),
    Dialect("USGS library", r"USGS Digital Spectral Library|speclab\.cr\.usgs", unit="um",
            columns=2),
    Dialect("CRAIC text", r"^SciMode:", unit="nm"),
    Dialect("JASCO text", r"^ORIGIN[,\t;]\s*JASCO|^XYDATA"),
    Dialect("Neaspec text", r"^#\s*www\.neaspec\.com", unit="cm-1"),
    Dialect("AVIRIS band list", r"^FILE\s+\S+\.ascii",
            refuse="lists the positions and widths of an image's bands, not spectra. Choose the "
                   "image with its ENVI header."),
    Dialect("list of files", r"^format\tfile\t|^file\s*[,;\t]\s*(md5|sha)",
            refuse="is a list of files, not a spectrum."),
    Dialect("Bruker data point table", named=(".dpt",), unit="cm-1", columns="all"),
    Dialect("PerkinElmer text", named=(".asp",), unit="cm-1"),
)  # fmt: skip


def dialect_of(header: str, name: str) -> Dialect | None:
    """The dialect of a header and a file name; None for plain text."""
    return next((d for d in DIALECTS if d.fits(header, name.lower())), None)
