"""Bytes of a text file as text: Unicode, Japanese (Shift-JIS) or Western (Windows-1252)."""

from __future__ import annotations

from explorer.data.readers.instruments.block import Given
from explorer.data.readers.text import is_shift_jis


def decoded(given: Given) -> str:
    """The text of a file, with line ends as "\\n" and without zeros and a byte order mark."""
    content = given.content
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = content.decode("utf-16", "replace")
    elif b"\x00" in content[:2000] and _looks_utf16(content[:2000]):
        text = content.decode("utf-16-le" if content[1:2] == b"\x00" else "utf-16-be", "replace")
    else:
        text = _eight_bit(content)
    if "\x00" in text:
        text = text.replace("\x00", "")
    text = text.lstrip("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _eight_bit(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        if is_shift_jis(content):
            return content.decode("cp932")
        return content.decode("cp1252", "replace")


def _looks_utf16(head: bytes) -> bool:
    half = max(1, len(head) // 2)
    even, odd = head[0::2].count(0), head[1::2].count(0)
    return min(even, odd) == 0 and max(even, odd) > 0.7 * half
