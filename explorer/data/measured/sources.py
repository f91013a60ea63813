"""The files of a folder, a zip archive, a list of paths or an upload, and which belong together.

Files are read when their turn comes, so a large folder never lies in memory as a whole. A file that
only holds the numbers for another (an ENVI image for its header) is handed over with that one.
Archives are unpacked by whoever searches, in the process that reads instrument files: an archive
may be made to take all the time and memory there is.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from explorer.data.readers.instruments.block import Given
from explorer.data.readers.instruments.formats import BY_KEY, InstrumentFormat, recognise
from explorer.data.readers.refused import FileRefused, Limits, reason, shown

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Mapping[str, bytes]
_JUNK = frozenset({".ds_store", "thumbs.db", "desktop.ini"})
_MOST_FILES = 20_000
_MOST_PARTNERS = 50  # of one file
_LONGEST_NAME, _DEEPEST = 255, 32
# Formats whose numbers are in another file, in the order in which they claim it.
_WITH_PARTNERS = ("agilent", "envi", "imzml", "ole")
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_ZIPPED_FORMATS = (".xlsx", ".xlsm", ".procspec")


@dataclass(frozen=True, eq=False)
class Found:
    """A file: its name from the top of the folder ("a/b.spc"), its bytes on demand, partners."""

    name: str
    content: Callable[[], bytes]
    head: Callable[[], bytes]
    beside: tuple[Found, ...] = ()


@dataclass
class Gathered:
    """files: to be read, in natural order; refused: name -> reason; partners: name of a file that
    is read with another -> the other."""

    files: list[Found] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    partners: dict[str, str] = field(default_factory=dict)


Unpack = Callable[[Given], tuple[dict[str, bytes], str]]


class FileSearch:
    """Looks for the files of a source, some now and the rest later. Archives are opened one level
    deep; what those of an upload unpack to may be as large as one file, all together."""

    def __init__(self, source: Paths, limits: Limits) -> None:
        self.limits = limits
        self._out = Gathered()
        self._outside: list[Found] = []
        self._opened: list[Found] = []
        self._at = 0
        self._room: int | None = None
        if isinstance(source, Mapping):
            self._room = limits.bytes
            self._found = [_of_bytes(_safe(name), bytes(c)) for name, c in source.items()]
        else:
            paths = [source] if isinstance(source, str | os.PathLike) else list(source)
            self._found, self._outside = _on_disk([Path(p) for p in paths], limits)

    def go(self, unpack: Unpack, stop: Callable[[], bool] | None = None) -> bool:
        """Go on until all archives are opened, which is True, or `stop` says so."""
        while self._at < len(self._found):
            file = self._found[self._at]
            if not _is_archive(file):
                self._opened.append(file)
            elif stop is not None and stop():
                return False
            else:
                self._opened += self._inside(file, unpack)
            self._at += 1
            if len(self._opened) > _MOST_FILES:
                raise FileRefused(
                    f"There are more than {_MOST_FILES} files, the most that can be read at a "
                    "time. Choose a folder with fewer."
                )
        return True

    def _inside(self, file: Found, unpack: Unpack) -> list[Found]:
        """The files in an archive."""
        limits = self.limits
        if self._room is not None:
            limits = replace(limits, bytes=self._room)
        if limits.bytes <= 0:
            self._out.refused[file.name] = (
                f"{shown(file.name.rsplit('/', 1)[-1])} was not opened: the archives of an upload "
                f"may unpack to {self.limits.words} together. Send fewer."
            )
            return []
        try:
            inside, why = unpack(Given(file.name, file.content(), limits))
        except FileRefused as refusal:
            inside, why = {}, str(refusal)
        if why:
            self._out.refused[file.name] = why
            return []
        if self._room is not None:
            self._room -= sum(map(len, inside.values()))
        if file.head()[:2] == b"\x1f\x8b":
            return [_of_bytes(_safe(name), content) for name, content in inside.items()]
        return [
            _of_bytes(f"{file.name}/{_safe(name)}", content)
            for name, content in sorted(inside.items(), key=lambda item: natural(item[0]))
            if not name.rsplit("/", 1)[-1].startswith(".")
        ]

    def result(self) -> Gathered:
        """What is to be read of the files that were found so far."""
        out = replace(self._out, refused=dict(self._out.refused), partners={})
        out.files = _paired(self._opened, self._outside, out)
        _from_the_top(out)
        return out


def _is_archive(file: Found) -> bool:
    try:
        head = file.head()
    except FileRefused:
        return False  # it is refused again, and said, when it is read
    if head[:4] in _ZIP:
        return not file.name.lower().endswith(_ZIPPED_FORMATS)
    return head[:2] == b"\x1f\x8b"


def _from_the_top(out: Gathered) -> None:
    """Leave out the folders that all names begin with: an upload of a folder, a zip of a folder
    and the folder on a disk then have the same names."""
    names = [*(f.name for f in out.files), *out.refused, *out.partners]
    folders = [name.split("/")[:-1] for name in names]
    shared = 0
    if folders:  # what the first and the last in order share, all share
        for one, other in zip(min(folders), max(folders), strict=False):
            if one != other:
                break
            shared += 1
    if not shared:
        return

    def short(name: str) -> str:
        return "/".join(name.split("/")[shared:])

    out.files = [replace(f, name=short(f.name)) for f in out.files]
    out.refused = {short(name): words for name, words in out.refused.items()}
    out.partners = {short(name): short(main) for name, main in out.partners.items()}


def natural(name: str) -> list[object]:
    """Sort key in which a2 comes before a10."""
    return [int(part) if part.isdecimal() else part.lower() for part in re.split(r"(\d+)", name)]


def _safe(name: str) -> str:
    """A name from an upload without drive letters, "..", or a leading "/"; no part of it is longer
    than file systems allow, and there are no more folders than anybody has."""
    parts = [p for p in name.replace("\\", "/").split("/") if p not in ("", ".", "..")]
    return "/".join(p[-_LONGEST_NAME:] for p in parts[-_DEEPEST:]) or "upload"


def _of_bytes(name: str, content: bytes) -> Found:
    return Found(name, lambda: content, lambda: content[:4096])


def _of_path(path: Path, name: str, limits: Limits) -> Found:
    return Found(name, lambda: _read(path, limits.bytes + 1), lambda: _read(path, 4096))


def _read(path: Path, most: int) -> bytes:
    try:
        with open(path, "rb", buffering=0) as stream:
            data = stream.read(most)
            if len(data) < most:  # the end of the file, or less than was asked for
                while part := stream.read(most - len(data)):
                    data += part
            return data
    except OSError as error:
        raise FileRefused(f"{shown(path.name)} could not be opened ({reason(error)}).") from None


def _on_disk(paths: list[Path], limits: Limits) -> tuple[list[Found], list[Found]]:
    """The files asked for, and the neighbours of single files, which may be partners of theirs."""
    found: list[Found] = []
    outside: list[Found] = []
    for path in paths:
        if path.is_dir():
            prefix = f"{path.name}/" if len(paths) > 1 else ""
            found += [_of_path(p, prefix + n, limits) for p, n in _walk(path)]
        elif path.is_file():
            found.append(_of_path(path, path.name, limits))
            outside += _neighbours(path, limits)
        else:
            raise FileRefused(f"There is no file or folder {shown(path)}. Check its name.")
    chosen = {f.name for f in found}
    return found, [f for f in outside if f.name not in chosen]


def _walk(folder: Path) -> Iterable[tuple[Path, str]]:
    names = []
    top = len(os.path.join(folder, ""))
    for where, folders, files in os.walk(folder, followlinks=False):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f != "__MACOSX")
        for file in files:
            path = os.path.join(where, file)
            if not file.startswith(".") and file.lower() not in _JUNK and os.path.isfile(path):
                names.append((Path(path), path[top:].replace(os.sep, "/")))
    return sorted(names, key=lambda item: natural(item[1]))


def _neighbours(path: Path, limits: Limits) -> list[Found]:
    """Files beside a single one with the same name and another ending."""
    stem = path.stem.lower()
    try:
        names = [p for p in path.parent.iterdir() if p != path and p.is_file()]
    except OSError:
        return []
    return [
        _of_path(p, p.name, limits)
        for p in sorted(names)
        if p.stem.lower() in (stem, path.name.lower()) or p.name.lower() == stem
        or (p.suffix.lower() == ".dmt" and stem.startswith(p.stem.lower()))
    ]  # fmt: skip


def _paired(files: list[Found], outside: list[Found], out: Gathered) -> list[Found]:
    """Files with their partners; a partner is not read for itself."""
    groups: dict[tuple[str, str], list[Found]] = defaultdict(list)
    for file in files:
        for key in _group_keys(file.name):
            groups[key].append(file)
    for file in outside:
        for key in _group_keys(file.name):
            groups[key].append(file)
    beside: dict[str, list[Found]] = defaultdict(list)
    formats: dict[str, InstrumentFormat] = {}
    asked = {file.name for file in files}
    mains: dict[str, Found] = {}
    for kind in _WITH_PARTNERS:
        for members_of_group in groups.values():
            if len(members_of_group) < 2:
                continue
            could_be = [f for f in members_of_group if _may_be_partner(f, BY_KEY[kind])]
            del could_be[_MOST_PARTNERS:]
            plain = {_plain(f): f for f in members_of_group} if kind == "envi" else {}
            for file in members_of_group:
                if file.name in out.partners or file.name in mains:
                    continue
                if _format(file, formats).key != kind:
                    continue
                partners = [f for f in could_be if f is not file and f.name not in mains]
                named = plain.get(_plain(file).removesuffix(".hdr"))  # image.dat.hdr: image.dat
                if named is not None and named not in partners and named.name not in mains:
                    partners += [named] if named is not file else []
                if not partners:
                    continue
                mains[file.name] = file
                beside[file.name] += partners
                for partner in partners:
                    out.partners[partner.name] = file.name
    result = []
    done = set()
    for file in files:
        main = out.partners.get(file.name)
        if main is not None and main not in asked:
            file = mains[main]  # the numbers alone were chosen: their header lies beside them
            out.partners.pop(file.name, None)
        elif main is not None:
            continue
        if file.name not in done:
            done.add(file.name)
            partners_of = tuple(beside.get(file.name, ()))
            result.append(Found(file.name, file.content, file.head, partners_of))
    return result


def _group_keys(name: str) -> list[tuple[str, str]]:
    """Folder and name without ending; image.dat.hdr also goes with image.dat."""
    folder, _, plain = name.lower().rpartition("/")
    stem = plain.rsplit(".", 1)[0] if "." in plain else plain
    keys = [(folder, stem)]
    if plain.endswith(".hdr") and "." in stem:
        keys.append((folder, stem.rsplit(".", 1)[0]))
    if plain.endswith((".dmd", ".drd")):
        keys.append((folder, re.sub(r"_\d{4}_\d{4}$", "", stem)))
    return keys


def _format(file: Found, formats: dict[str, InstrumentFormat]) -> InstrumentFormat:
    if file.name not in formats:
        try:
            head = file.head()
        except FileRefused:
            head = b""
        formats[file.name] = recognise(Given(file.name, head, Limits()))
    return formats[file.name]


def _plain(file: Found) -> str:
    return file.name.lower().rsplit("/", 1)[-1]


def _may_be_partner(file: Found, kind: InstrumentFormat) -> bool:
    """Whether a file has an ending of those that go with a file of this format."""
    plain = _plain(file)
    return ("." + plain.rsplit(".", 1)[-1] if "." in plain else "") in kind.partners
