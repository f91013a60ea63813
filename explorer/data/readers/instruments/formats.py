"""The instrument formats, told apart by content first, name second. A format is one line here."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from explorer.data.readers.instruments.block import Block, Given
from explorer.data.readers.instruments.packing import NameTable

_HERE = "explorer.data.readers.instruments"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_CONTROLS = bytes([*range(1, 9), *range(14, 27), 28, 29, 30, 31])
Reader = Callable[[Given], "list[Block] | NameTable"]
Sign = Callable[[bytes, str], bool]


@dataclass(frozen=True)
class InstrumentFormat:
    """title for people; module.function reads it; sign: (first 4 kB, name in lower case) -> it is
    this; partners: endings of the files that belong to one of this format."""

    key: str
    title: str
    function: str
    sign: Sign
    partners: tuple[str, ...] = ()


def _starts(*magic: bytes) -> Sign:
    return lambda head, name: head.startswith(magic)


def _xml(*words: bytes) -> Sign:
    def sign(head: bytes, name: str) -> bool:
        text = head.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\x00")
        if not text.startswith(b"<"):
            return False
        text = text.replace(b"\x00", b"")
        return any(word in text for word in words)

    return sign


def _is_spc(head: bytes, name: str) -> bool:
    """The version byte of Galactic's header, and zeros, which no text has."""
    return (
        len(head) >= 256
        and head[:2] != b"PK"
        and head[1] in b"\x4b\x4c\x4d"
        and b"\x00" in head[:64]
    )


def _is_spe(head: bytes, name: str) -> bool:
    """Princeton's header of 4100 bytes has a number in the middle, or at least its ending."""
    return name.endswith(".spe") and b"\x00" in head[:64]


def _is_agilent(head: bytes, name: str) -> bool:
    return head[:4] == b"\x00rG\x00" or (len(head) > 260 and head[1:3] == b"rG")


def _is_jasco(head: bytes, name: str) -> bool:
    return head.startswith(b"L~S ") or (head.startswith(_OLE) and name.endswith((".jws", ".jwb")))


def _is_jcamp(head: bytes, name: str) -> bool:
    if b"#" not in head:
        return False
    text = head.replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe").lstrip()
    return bool(re.match(rb"(\$\$[^\n]*\n\s*)*##\s*(TITLE|JCAMP)", text, re.IGNORECASE))


def _is_envi(head: bytes, name: str) -> bool:
    """The header's first line is ENVI and nothing else; plots written as text go on."""
    return head[:4] == b"ENVI" and head[4:80].splitlines()[:1] in ([b""], [b" "], [])


def _is_mat(head: bytes, name: str) -> bool:
    return head[:6] == b"MATLAB" or (name.endswith(".mat") and b"\x00" in head[:64])


def _is_roh(head: bytes, name: str) -> bool:
    return name.endswith((".roh", ".tit", ".trm", ".abs", ".drk", ".ref")) and b"\x00" in head[:64]


# The first whose sign is there is taken; text, which has no sign, comes last.
FORMATS: tuple[InstrumentFormat, ...] = (
    InstrumentFormat("opus", "Bruker OPUS", "opus.read_opus", _starts(b"\n\n\xfe\xfe")),
    InstrumentFormat("omnic", "Thermo OMNIC", "omnic.read_omnic", _starts(b"Spectral ")),
    InstrumentFormat("wdf", "Renishaw WiRE", "wdf.read_wdf", _starts(b"WDF1")),
    InstrumentFormat("asd", "ASD FieldSpec", "asd.read_asd",
                     lambda head, name: bool(re.match(rb"ASD|as[2-9]", head))),
    InstrumentFormat("sif", "Andor SIF", "sif.read_sif", _starts(b"Andor Technology")),
    InstrumentFormat("pe", "PerkinElmer", "perkinelmer.read_perkinelmer", _starts(b"PEPE")),
    InstrumentFormat("jasco", "JASCO", "jasco.read_jasco", _is_jasco),
    InstrumentFormat(
        "agilent", "Agilent Resolutions Pro", "agilent.read_agilent", _is_agilent,
        (".bsp", ".hdr", ".seq", ".dmt"),
    ),
    InstrumentFormat("ole", "Agilent Resolutions Pro", "agilent.read_ole", _starts(_OLE),
                     (".seq", ".dat")),
    InstrumentFormat("avantes", "Avantes AvaSoft 8", "avantes.read_avasoft8", _starts(b"AVS8")),
    InstrumentFormat("roh", "Avantes AvaSoft 7", "avantes.read_avasoft7", _is_roh),
    InstrumentFormat("gsf", "Gwyddion Simple Field", "strangers.read_gsf",
                     _starts(b"Gwyddion Simple Field")),
    InstrumentFormat("l6s", "Horiba LabSpec 6", "strangers.read_l6s", _starts(b"LabSpec")),
    InstrumentFormat("hdf5", "HDF5", "hdf5.read_hdf5",
                     lambda head, name: b"\x89HDF\r\n\x1a\n" in (head[:8], head[512:520])),
    InstrumentFormat("mat", "MATLAB", "matlab.read_matlab", _is_mat),
    InstrumentFormat("netcdf", "NetCDF", "netcdf.read_netcdf", _starts(b"CDF\x01", b"CDF\x02")),
    InstrumentFormat("jcamp", "JCAMP-DX", "jcampdx.read_jcampdx", _is_jcamp),
    InstrumentFormat(
        "envi", "ENVI", "envi.read_envi", _is_envi,
        (".dat", ".img", ".sli", ".raw", ".bsq", ".bil", ".bip", ".cube", ".bin", ""),
    ),
    InstrumentFormat("imzml", "imzML", "imzml.read_imzml", _xml(b"imaging", b"imzML", b'id="IMS"'),
                     (".ibd",)),
    InstrumentFormat("mzml", "mzML", "mzml.read_mzml", _xml(b"<mzML", b"<indexedmzML")),
    InstrumentFormat("labspecxml", "Horiba LabSpec XML", "labspec_xml.read_labspec_xml",
                     _xml(b"<LSX_Data", b"<LSX ")),
    InstrumentFormat("trivista", "TriVista", "trivista.read_trivista", _xml(b"TriVista")),
    InstrumentFormat("animl", "AnIML", "animl.read_animl", _xml(b"<AnIML")),
    InstrumentFormat("ocean", "Ocean Optics ProcSpec", "procspec.read_procspec",
                     lambda head, name: head[:4] in _ZIP and name.endswith(".procspec")),
    InstrumentFormat("excel", "Excel", "tables.read_excel_spectra",
                     lambda head, name: head[:4] in _ZIP and name.endswith((".xlsx", ".xlsm"))),
    InstrumentFormat("spc", "Galactic SPC", "spc.read_spc", _is_spc),
    InstrumentFormat("spe", "Princeton SPE", "spe.read_spe", _is_spe),
    InstrumentFormat("xml", "", "strangers.read_xml",
                     _xml(b"<?xml", b"<html", b"<!DOCTYPE", b"xmlns")),
    InstrumentFormat("binary", "", "strangers.read_binary",
                     lambda head, name: _is_binary(head)),
    InstrumentFormat("text", "text", "text.read_text", lambda head, name: True),
)  # fmt: skip
BY_KEY = {found.key: found for found in FORMATS}


def recognise(given: Given) -> InstrumentFormat:
    """The format of a file; every file has one, if only "text" or a binary file not known here."""
    head, name = given.content[:4096], given.plain.lower()
    return next(found for found in FORMATS if found.sign(head, name))


def reader_of(found: InstrumentFormat) -> Reader:
    module, function = found.function.split(".")
    reader: Reader = getattr(import_module(f"{_HERE}.{module}"), function)
    return reader


def _is_binary(head: bytes) -> bool:
    """Zeros or control characters that text does not have; UTF-16 has a zero in every pair."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return False
    half = max(1, len(head) // 2)
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if min(even, odd) == 0 and max(even, odd) > 0.7 * half:
        return False
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return controls > 2 + len(head) // 200 or head.count(0) > len(head) // 10
