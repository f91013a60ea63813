"""The files of a folder, a zip archive, a list of paths or an upload, and which belong together.

Files are read when their turn comes, so a large folder never lies in memory as a whole. A file that
only holds the numbers for another (an ENVI image for its header) is handed over with that one.
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
from explorer.data.readers.unpack import gunzip, members

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Mapping[str, bytes]
_JUNK = frozenset({".ds_store", "thumbs.db", "desktop.ini"})
_MOST_FILES = 20_000
# Formats whose numbers are in another file, in the order in which they claim it.
_WITH_PARTNERS = ("agilent", "envi", "imzml", "ole")
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_ZIPPED_FORMATS = (".xlsx", ".xlsm", ".procspec")


@dataclass(frozen=True)
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


def gather(source: Paths, limits: Limits) -> Gathered:
    """What is to be read. Archives are opened one level deep."""
    out = Gathered()
    if isinstance(source, Mapping):
        found = [_of_bytes(_safe(name), bytes(content)) for name, content in source.items()]
        outside: list[Found] = []
    else:
        paths = [source] if isinstance(source, str | os.PathLike) else list(source)
        found, outside = _on_disk([Path(p) for p in paths], limits)
    opened: list[Found] = []
    for file in found:
        opened += _opened(file, limits, out)
    if len(opened) > _MOST_FILES:
        raise FileRefused(
            f"There are {len(opened)} files; at most {_MOST_FILES} can be read at a time. Choose a "
            "folder with fewer."
        )
    out.files = _paired(opened, outside, out)
    _from_the_top(out)
    return out


def _from_the_top(out: Gathered) -> None:
    """Leave out the folders that all names begin with: an upload of a folder, a zip of a folder
    and the folder on a disk then have the same names."""
    names = [*(f.name for f in out.files), *out.refused, *out.partners]
    folders = [name.split("/")[:-1] for name in names]
    shared = 0
    while (
        folders and len({tuple(f[: shared + 1]) for f in folders}) == 1 and shared < len(folders[0])
    ):
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
    return [int(part) if part.isdigit() else part.lower() for part in re.split(r"(\d+)", name)]


def _safe(name: str) -> str:
    """A name from an upload without drive letters, "..", or a leading "/"."""
    parts = [p for p in name.replace("\\", "/").split("/") if p not in ("", ".", "..")]
    return "/".join(parts) or "upload"


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


def _opened(file: Found, limits: Limits, out: Gathered) -> list[Found]:
    """The file, or what is in it if it is an archive."""
    try:
        head = file.head()
        lower = file.name.lower()
        if head[:4] in _ZIP and not lower.endswith(_ZIPPED_FORMATS):
            inside = members(file.content(), file.name.rsplit("/", 1)[-1], limits)
            return [
                _of_bytes(f"{file.name}/{_safe(name)}", content)
                for name, content in sorted(inside.items(), key=lambda item: natural(item[0]))
                if not name.rsplit("/", 1)[-1].startswith(".")
            ]
        if head[:2] == b"\x1f\x8b":
            name = file.name[:-3] if lower.endswith(".gz") else file.name
            return [_of_bytes(name, gunzip(file.content(), name.rsplit("/", 1)[-1], limits))]
    except FileRefused as refusal:
        out.refused[file.name] = str(refusal)
        return []
    except Exception:  # zipfile raises many kinds on a damaged archive
        out.refused[file.name] = (
            f"{shown(file.name.rsplit('/', 1)[-1])} is a damaged archive. Pack it again."
        )
        return []
    return [file]


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
            for file in members_of_group:
                if file.name in out.partners or file.name in mains:
                    continue
                if _format(file, formats).key != kind:
                    continue
                partners = [
                    f for f in members_of_group
                    if f is not file and f.name not in mains and f.name not in beside
                    and _is_partner(f, file, BY_KEY[kind])
                ]  # fmt: skip
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


def _is_partner(file: Found, main: Found, kind: InstrumentFormat) -> bool:
    plain, main_plain = (f.name.lower().rsplit("/", 1)[-1] for f in (file, main))
    if kind.key == "envi" and plain == main_plain.removesuffix(".hdr"):
        return True
    ending = "." + plain.rsplit(".", 1)[-1] if "." in plain else ""
    return ending in kind.partners
