"""Turns bytes into text: byte order marks, UTF-16, and the old Western encodings."""

from __future__ import annotations

import codecs
import re

from explorer.data.readers.refused import FileRefused, shown

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


# Kana begin with these two bytes; in Western text they would be a low quote or a florin sign.
_KANA = re.compile(rb"[\x82\x83][\x40-\x7e\x80-\xfc]")


def is_shift_jis(content: bytes) -> bool:
    """Text that is not UTF-8, is valid Shift-JIS throughout, and holds kana."""
    if not _KANA.search(content):
        return False
    try:
        content.decode("cp932")
    except UnicodeDecodeError:
        return False
    return True


_NEWLINE = re.compile(r"\r\n|\n|\r")
_BLANKS = re.compile(r"[ \t\v\f]+")


def lines_of(text: str) -> list[str]:
    """Lines as parsers of tables see them: U+2028 and its kind are characters, not line ends."""
    lines = _NEWLINE.split(text)
    return lines[:-1] if lines[-1] == "" else lines


def cells_of(line: str) -> list[str]:
    """Cells between runs of blanks, as bytes.split() finds them: U+2028 is part of a cell."""
    inside = line.strip(" \t\v\f\r\n")
    return _BLANKS.split(inside) if inside else []


def as_utf8(content: bytes, name: str) -> tuple[bytes, str | None]:
    """The same text as UTF-8 without a byte order mark, and a note if it was not that before."""
    if content.startswith(codecs.BOM_UTF8):
        content = content[3:]
    else:
        for bom, encoding in _BOMS:
            if content.startswith(bom):
                return _decode(content, encoding, name), f"Read as {encoding.upper()}."
    if b"\x00" in content:
        if _looks_utf16(content):
            encoding = "utf-16-le" if content[1:2] == b"\x00" else "utf-16-be"
            return _decode(content, encoding, name), f"Read as {encoding.upper()}."
        where = content.index(b"\x00") + 1
        raise FileRefused(
            f"{shown(name)} is not a text file: byte {where} is zero. "
            "Save the table as CSV (UTF-8) or choose another format."
        )
    if content.isascii():
        return content, None
    try:
        content.decode("utf-8")
        return content, None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        bad = error.start
    if is_shift_jis(content):
        return content.decode("cp932").encode(
            "utf-8"
        ), f"Line {line} is not UTF-8; read as Shift-JIS."
    # Windows-1252 has five holes and its control characters do not occur in tables
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError:
        text = None
    controls = sum(content.count(bytes([c])) for c in [*range(1, 9), *range(14, 32), 127])
    if text is None or controls:
        raise FileRefused(
            f"{shown(name)} is neither UTF-8 nor Windows-1252 text: line {line}, byte {bad + 1} "
            "cannot be read. Save it as CSV (UTF-8)."
        )
    return text.encode("utf-8"), f"Line {line} is not UTF-8; read as Windows-1252."


def _decode(content: bytes, encoding: str, name: str) -> bytes:
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise FileRefused(
            f"{shown(name)} begins like {encoding.upper()} but byte {error.start + 1} is damaged. "
            "Save it as CSV (UTF-8)."
        ) from None
    if "\x00" in text:
        raise FileRefused(f"{shown(name)} is not a text file. Save the table as CSV (UTF-8).")
    # a lone surrogate cannot become UTF-8; it stands for nothing readable anyway
    return text.encode("utf-8", "replace")


def _looks_utf16(content: bytes) -> bool:
    """Every other byte of the first kilobyte is zero, as in UTF-16 of Western text."""
    head = content[:1000]
    half = len(head) // 2
    even, odd = head[0::2].count(0), head[1::2].count(0)
    return half > 4 and min(even, odd) == 0 and max(even, odd) > 0.7 * half
