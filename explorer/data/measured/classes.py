"""Classes and replicate groups of measured spectra: proposed, shown on examples, or asked for.

Ways, in words: "folder" or "folder:2" (the second level), "name:TEMPLATE", "metadata:FIELD",
"table:FILE:COLUMN"; for groups also "numbered" (the name without its last number) and "file". A
template describes file names without their ending: "{class}_{group}_#" (see `templates`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.data.measured.name_tables import name_column
from explorer.data.measured.templates import Template
from explorer.data.readers.columns import LABEL_NAMES, listed
from explorer.data.readers.refused import FileRefused, shown

if TYPE_CHECKING:
    from explorer.data.measured.spectra import MeasuredSpectra

_MOST_CLASSES = 100
_EXAMPLES = 4
_BETWEEN = " \t\n_-."  # what parts a number from the name before it
_PROBABLE_FIELDS = (*LABEL_NAMES, "subclass", "sample type", "material", "substance", "cereal")
_GROUP_FIELDS = ("group", "groups", "replicate", "replicates", "sample", "sample id", "subject",
                 "patient", "object", "batch", "sample name")  # fmt: skip
_BOOKKEEPING = re.compile(
    r"^(date|time|long ?date|file|filename|path|version|x|y|z|row|column|comment|scan|format|"
    r"integration|temperature|date.time|npoints|firstx|lastx|array|page)\b", re.I,
)  # fmt: skip


@dataclass(frozen=True)
class Proposal:
    """A way to give texts to spectra.

    way: as in the words above, to ask for it again. title: for people. labels: one text per
    spectrum, "" where the way gives none. examples: (name, text) of some spectra.
    """

    way: str
    title: str
    labels: tuple[str, ...]
    examples: tuple[tuple[str, str], ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many spectra have each text."""
        return dict(sorted(Counter(t for t in self.labels if t).items()))

    @property
    def n_missing(self) -> int:
        return sum(not text for text in self.labels)


def class_proposals(found: MeasuredSpectra) -> tuple[Proposal, ...]:
    """Sub-folders, tables, metadata fields called like a class, file names, other fields."""
    out = [p for p in (_by_folder(found, level) for level in range(1, _depth(found) + 1)) if p]
    out += _by_tables(found, groups=False)
    fields = _by_fields(found)
    out += [p for p in fields if _named_like(p.way, _PROBABLE_FIELDS)]
    out += _by_names(found)
    out += [p for p in fields if not _named_like(p.way, _PROBABLE_FIELDS)]
    good = [p for p in out if _is_classes(p)]
    return tuple(_first(good))


def group_proposals(found: MeasuredSpectra) -> tuple[Proposal, ...]:
    """Columns and fields called like groups; names that differ in a last number; many per file."""
    out = _by_tables(found, groups=True)
    out += [p for p in _by_fields(found) if _named_like(p.way, _GROUP_FIELDS)]
    out.append(_numbered(found))
    files = tuple(s.file for s in found.spectra)
    if 1 < len(set(files)) < len(files):
        out.append(_proposal(found, "file", "Spectra of one file belong together", files))
    good = [p for p in out if 1 < len(p.counts) < len(p.labels)]
    return tuple(_first(good))


def by(found: MeasuredSpectra, way: str, what: str) -> Proposal:
    """The classes or groups that a way in words gives; FileRefused if it gives none."""
    kind, _, rest = way.partition(":")
    if kind == "folder":
        level = int(rest) if rest.isdecimal() and len(rest) < 4 else 1
        result = _by_folder(found, level)
    elif kind == "file":
        result = _proposal(found, "file", "File", tuple(s.file for s in found.spectra))
    elif kind == "numbered":
        result = _numbered(found)
    elif kind == "name":
        result = by_template(found, rest, what)
    elif kind == "metadata":
        labels = tuple(_field(s.metadata, rest) for s in found.spectra)
        result = _proposal(found, way, f"Field {rest}", labels)
    elif kind == "table":
        result = _by_table_column(found, rest, way)
    else:
        raise FileRefused(
            f"{shown(way)} is no way to find classes. Use folder, name:TEMPLATE, metadata:FIELD or "
            "table:FILE:COLUMN."
        )
    if result is None or not any(result.labels):
        raise FileRefused(
            f"{shown(way)} gives no {what} for any of {len(found.spectra)} spectra. "
            f"{_instead(found, kind)}"
        )
    return result


def _numbered(found: MeasuredSpectra) -> Proposal:
    """Names without their last number and what parts it: oak_7_rep2 and oak_7_rep3 are oak_7."""
    labels = tuple(map(_without_number, _titles(found)))
    return _proposal(found, "numbered", "File name without its last number", labels)


def _without_number(title: str) -> str:
    left = title.rstrip("0123456789")
    if left == title:
        return title
    left = left.rstrip(_BETWEEN)
    for word in ("replicate", "rep"):
        if left.lower().endswith(word):
            return left[: -len(word)].rstrip(_BETWEEN)
    return left


def by_template(found: MeasuredSpectra, template: str, what: str = "class") -> Proposal:
    """Texts out of file names by a template; names that do not fit give ""."""
    pattern = Template(template)
    if not pattern.has(what):
        raise FileRefused(f"The template {shown(template)} has no {{{what}}} in it.")
    matches = map(pattern.match, _titles(found))
    labels = [match[what].strip(" _-.") if match else "" for match in matches]
    return _proposal(found, f"name:{template}", f"File name as {template}", tuple(labels))


def _proposal(found: MeasuredSpectra, way: str, title: str, labels: tuple[str, ...]) -> Proposal:
    shown_texts: dict[str, int] = {}
    for k, text in enumerate(labels):
        if text and text not in shown_texts and len(shown_texts) < _EXAMPLES:
            shown_texts[text] = k
    several = len(found.files) > 1
    named = (found.spectra[k] for k in shown_texts.values())
    titles = (_stem(s.file) if several else s.name for s in named)
    examples = tuple(zip(titles, shown_texts, strict=True))
    return Proposal(way, title, labels, examples)


def _titles(found: MeasuredSpectra) -> list[str]:
    """What the spectra are called: by their files, or their own names where one file holds all."""
    several = len(found.files) > 1
    return [_stem(spectrum.file) if several else spectrum.name for spectrum in found.spectra]


def _stem(file: str) -> str:
    plain = file.rsplit("/", 1)[-1]
    return plain.rsplit(".", 1)[0] or plain


def _depth(found: MeasuredSpectra) -> int:
    return min(4, max((s.file.count("/") for s in found.spectra), default=0))


def _by_folder(found: MeasuredSpectra, level: int) -> Proposal | None:
    labels = []
    for spectrum in found.spectra:
        folders = spectrum.file.split("/")[:-1]
        labels.append(folders[level - 1] if level <= len(folders) else "")
    if not any(labels):
        return None
    way, title = (
        ("folder", "Sub-folder")
        if level == 1
        else (f"folder:{level}", f"Sub-folder, level {level}")
    )
    return _proposal(found, way, title, tuple(labels))


def _by_fields(found: MeasuredSpectra) -> list[Proposal]:
    keys = Counter(key for s in found.spectra for key in s.metadata)
    usual = [k for k, n in keys.items() if n >= 0.8 * len(found.spectra)]
    out = []
    for key in usual:
        if not _BOOKKEEPING.match(key):
            labels = tuple(s.metadata.get(key, "") for s in found.spectra)
            out.append(_proposal(found, f"metadata:{key}", f"Field {key}", labels))
    return out


def _field(metadata: dict[str, str], key: str) -> str:
    if key in metadata:
        return metadata[key]
    return next((v for k, v in metadata.items() if k.lower() == key.lower()), "")


def _by_tables(found: MeasuredSpectra, groups: bool) -> list[Proposal]:
    out = []
    for file, table in found.tables.items():
        matched = name_column(table, found.spectra)
        if matched is None:
            continue
        named, places = matched
        for title, cells in table.columns.items():
            if title == named or _named_like(f"x:{title}", _GROUP_FIELDS) != groups:
                continue
            labels = tuple(cells[place] if place >= 0 else "" for place in places)
            plain = file.rsplit("/", 1)[-1]
            way = f"table:{file}:{title}"
            out.append(_proposal(found, way, f"Column {title} of {plain}", labels))
    return out


def _by_table_column(found: MeasuredSpectra, rest: str, way: str) -> Proposal | None:
    file, _, column = rest.rpartition(":")
    for name, table in found.tables.items():
        if file in ("", name, name.rsplit("/", 1)[-1]) and column in table.columns:
            matched = name_column(table, found.spectra)
            if matched is not None:
                cells = table.columns[column]
                labels = tuple(cells[place] if place >= 0 else "" for place in matched[1])
                return _proposal(found, way, f"Column {column} of {name}", labels)
    return None


def _by_names(found: MeasuredSpectra) -> list[Proposal]:
    """Parts of names that are parted alike, and the letters before a last number."""
    titles = _titles(found)
    out = []
    for separator in ("_", "-", " ", "."):
        counts = Counter(title.count(separator) for title in titles)
        parts, often = counts.most_common(1)[0] if counts else (0, 0)
        if parts == 0 or often < 0.8 * len(titles):
            continue
        for place in range(parts + 1):
            template = separator.join("{class}" if j == place else "*" for j in range(parts + 1))
            if template.count("*") <= 8:
                out.append(by_template(found, template))
    out += [by_template(found, t) for t in ("{class}#", "{class}_*", "{class}-*", "{class} *")]
    return sorted(out, key=lambda p: (p.n_missing, _numeric(p), len(p.counts)))


def _numeric(proposal: Proposal) -> bool:
    return all(re.fullmatch(r"[\d.]+", text) for text in proposal.counts)


def _is_classes(proposal: Proposal) -> bool:
    """Two or more texts, each of two spectra on average, for most spectra."""
    k, n = len(proposal.counts), sum(proposal.counts.values())
    return (
        2 <= k <= _MOST_CLASSES and n >= 2 * k and proposal.n_missing <= 0.5 * len(proposal.labels)
    )


def _named_like(way: str, names: Sequence[str]) -> bool:
    return way.split(":", 1)[-1].strip().lower().replace("_", " ") in names


def _first(proposals: list[Proposal]) -> list[Proposal]:
    """The first of those that give the same texts."""
    seen: set[tuple[str, ...]] = set()
    out = []
    for proposal in proposals:
        if proposal.labels not in seen:
            seen.add(proposal.labels)
            out.append(proposal)
    return out


def _instead(found: MeasuredSpectra, kind: str) -> str:
    if kind == "metadata":
        keys = list(dict.fromkeys(key for s in found.spectra[:50] for key in s.metadata))
        return f"The fields are: {listed(keys)}." if keys else "The files have no metadata."
    if kind == "table":
        if not found.tables:
            return "There is no table with a column of file names among the files."
        file, table = next(iter(found.tables.items()))
        return f"Table {shown(file)} has the columns {listed(list(table.columns))}."
    if kind == "folder":
        return "The files are not in sub-folders."
    return f"The files are called {listed(_titles(found)[:3])}."
