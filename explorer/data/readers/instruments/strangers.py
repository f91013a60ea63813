"""Files that are recognised only to say what they are and what to do about them."""

from __future__ import annotations

import re

from explorer.data.readers.instruments.block import Block, Given
from explorer.data.readers.refused import shown

_STARTS = (
    (b"%PDF", "is a PDF. Export the spectrum from the instrument's program as text."),
    (b"\x89PNG", "is a picture, not a spectrum."),
    (b"\xff\xd8\xff", "is a picture, not a spectrum."),
    (b"GIF8", "is a picture, not a spectrum."),
    (b"BM", "is a picture, not a spectrum."),
    (b"II*\x00", "is a TIFF picture, not a spectrum."),
    (b"MM\x00*", "is a TIFF picture, not a spectrum."),
    (b"BZh", "is a bzip2 archive. Unpack it, or pack it as .zip."),
    (b"\xfd7zXZ", "is an xz archive. Unpack it, or pack it as .zip."),
    (b"7z\xbc\xaf", "is a 7z archive. Unpack it, or pack it as .zip."),
    (b"Rar!", "is a RAR archive. Unpack it, or pack it as .zip."),
    (b"PK\x03\x04", "is an archive inside an archive or folder. Unpack it once."),
    (b"\x1f\x8b", "is a gzip archive that does not hold a spectrum. Unpack it."),
    (b"SQLite format 3", "is a database. Export the spectra as text."),
    (b"\x93NUMPY", "is a single NumPy array. Save X, y and the axis together with numpy.savez."),
    (b"WIT_PR06", "is a WITec project. Export the spectra in WITec Project as text or .spc."),
    (b"WIT_PRCT", "is a WITec project. Export the spectra in WITec Project as text or .spc."),
    (b"OMNIC", "is a Thermo OMNIC map. Export its spectra from OMNIC as .spa or .spg."),
)

_XML = {
    "mzXML": "is mzXML, which was followed by mzML. Convert it to mzML (msconvert does it).",
    "mzData": "is mzData, which was followed by mzML. Convert it to mzML.",
    "GAML": "is GAML, which is not read here. Export the spectra as JCAMP-DX or text.",
    "Workbook": "is an Excel workbook saved as XML. Save it as .xlsx or CSV.",
    "svg": "is a picture, not a spectrum.",
}


def read_binary(given: Given) -> list[Block]:
    for start, what in _STARTS:
        if given.content.startswith(start):
            raise given.refuse(what)
    if given.content[:1] == b"\x80" and given.content[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        raise given.refuse(
            "is a pickle of Python objects, which can run code and is never read. Save it as CSV."
        )
    raise given.refuse(
        "is a binary file of a format that is not known here. Export the spectra from the "
        "instrument's program as text, JCAMP-DX or .spc."
    )


def read_xml(given: Given) -> list[Block]:
    """XML of other programs and web pages, by the name of their first element."""
    head = given.content[:20_000].replace(b"\x00", b"").decode("utf-8", "replace")
    match = re.search(r"<([A-Za-z_][\w.:-]{0,60})", re.sub(r"<[?!][^>]*>", "", head))
    name = match[1].rsplit(":", 1)[-1] if match else ""
    if name.lower() == "html":
        raise given.refuse("is a web page, not a spectrum. Download the file itself.")
    what = _XML.get(name, "")
    if what:
        raise given.refuse(what)
    raise given.refuse(
        f"is an XML file of a kind that is not known here (its first element is "
        f"{shown(name or '?')}). Export the spectra as text, JCAMP-DX or .spc."
    )


def read_gsf(given: Given) -> list[Block]:
    raise given.refuse(
        "is a Gwyddion Simple Field: a picture with one value per pixel, not spectra. Export the "
        "spectra of the measurement as text."
    )


def read_l6s(given: Given) -> list[Block]:
    raise given.refuse(
        "is a Horiba LabSpec file in the maker's own format, which is not published. Save it in "
        "LabSpec as .txt, .xml or .spc."
    )
