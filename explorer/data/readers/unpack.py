"""Archives: one level of gzip or zip, never more than the limit, never to disk."""

from __future__ import annotations

import io
import zipfile
import zlib

from explorer.data.readers.refused import FileRefused, Limits, shown

_MOST_MEMBERS = 10_000
_JUNK = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")


def gunzip(content: bytes, name: str, limits: Limits) -> bytes:
    """What a gzip file holds; several members are joined, as gzip does."""
    out = bytearray()
    at = count = 0
    while content[at : at + 2] == b"\x1f\x8b":
        count += 1
        if count > _MOST_MEMBERS:
            raise FileRefused(
                f"{shown(name)} is a gzip file of more than {_MOST_MEMBERS} parts. Compress it "
                "again, as one."
            )
        at = _one_member(content, at, out, name, limits)
    return bytes(out)


def _one_member(content: bytes, at: int, out: bytearray, name: str, limits: Limits) -> int:
    """Add the member that begins at ``at`` to ``out``; returns where it ends.

    Pieces begin small, because zlib copies what follows a member in its piece: the time for many
    small members would grow with the square of the file.
    """
    member = zlib.decompressobj(wbits=31)
    size = 1 << 12
    while not member.eof:
        piece = content[at : at + size]
        if not piece:
            raise FileRefused(
                f"{shown(name)} is a gzip file that ends too early. Compress or download it again."
            )
        at += len(piece)
        size = min(2 * size, 1 << 20)
        try:
            out += member.decompress(piece, limits.bytes + 1 - len(out))
        except zlib.error:
            raise FileRefused(
                f"{shown(name)} is a damaged gzip file. Compress or download it again."
            ) from None
        if len(out) > limits.bytes:
            raise FileRefused(
                f"{shown(name)} unpacks to more than {limits.words}, the limit. "
                "Take fewer rows or columns, or raise the limit."
            )
    return at - len(member.unused_data)


def members(content: bytes, name: str, limits: Limits) -> dict[str, bytes]:
    """The files in a zip archive by name, under the limit together; folders and junk left out."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except zipfile.BadZipFile:
        raise FileRefused(
            f"{shown(name)} is a damaged or truncated zip archive. Pack or download it again."
        ) from None
    found: dict[str, bytes] = {}
    room = limits.bytes
    with archive:
        infos = [i for i in archive.infolist() if not i.is_dir() and not _junk(i.filename)]
        if len(infos) > _MOST_MEMBERS:
            raise FileRefused(
                f"{shown(name)} holds {len(infos)} files; at most {_MOST_MEMBERS} can be read."
            )
        for info in infos:
            if info.flag_bits & 0x1:
                raise FileRefused(f"{shown(name)} is encrypted. Pack it again without a password.")
            # the sizes in the directory may lie: what counts is what comes out
            with archive.open(info) as stream:
                data = stream.read(room + 1)
            room -= len(data)
            if room < 0:
                raise FileRefused(
                    f"{shown(name)} unpacks to more than {limits.words}, the limit. "
                    "Pack less into it, or raise the limit."
                )
            if info.filename in found:
                raise FileRefused(f"{shown(name)} holds two files named {shown(info.filename)}.")
            found[info.filename] = data
    if not found:
        raise FileRefused(f"{shown(name)} is an archive without a file in it.")
    return found


def unpacked(content: bytes, name: str, limits: Limits) -> dict[str, bytes]:
    """The files in a zip or gzip archive by name; damage of any kind is a FileRefused."""
    plain = name.rsplit("/", 1)[-1]
    try:
        if content[:2] == b"\x1f\x8b":
            inside = name[:-3] if name.lower().endswith(".gz") else name
            return {inside: gunzip(content, plain, limits)}
        return members(content, plain, limits)
    except FileRefused:
        raise
    except MemoryError:
        raise FileRefused(
            f"{shown(plain)} needs more memory to unpack than there is. Pack less into it."
        ) from None
    except Exception:  # zipfile raises many kinds on a damaged archive
        raise FileRefused(f"{shown(plain)} is a damaged archive. Pack it again.") from None


def directory(content: bytes) -> list[str]:
    """The names in a zip archive; empty if it cannot be opened."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return archive.namelist()
    except Exception:  # any damage will be said by whoever reads the members
        return []


def _junk(name: str) -> bool:
    return name.startswith(_JUNK[0]) or name.rsplit("/", 1)[-1] in _JUNK[1:]
