"""Classes and replicate groups of measured spectra: proposed, shown on examples, or asked for.

Ways, in words: "folder" or "folder:2" (the second level), "name:TEMPLATE", "metadata:FIELD",
"table:FILE:COLUMN"; for groups also "numbered" (the name without its last number) and "file". A
template describes file names without their ending: {class} and {group} are
what is looked for, * stands for anything, # for digits, and other characters for themselves, so
"{class}_{group}_#" reads "oak_tree7_2" as class "oak", group "tree7".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.data.measured.name_tables import name_column
from explorer.data.readers.columns import LABEL_NAMES, listed
from explorer.data.readers.refused import FileRefused, shown

if TYPE_CHECKING:
    from explorer.data.measured.spectra import MeasuredSpectra

_MOST_CLASSES = 100
_EXAMPLES = 4
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
        level = int(rest) if rest.isdigit() else 1
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
    labels = tuple(
        re.sub(r"[\s_\-.]*(rep(licate)?)?[\s_\-.]*\d+$", "", _title(found, k), flags=re.I)
        for k in range(len(found.spectra))
    )
    return _proposal(found, "numbered", "File name without its last number", labels)


def by_template(found: MeasuredSpectra, template: str, what: str = "class") -> Proposal:
    """Texts out of file names by a template; names that do not fit give ""."""
    pattern = compiled(template)
    if what not in pattern.groupindex:
        raise FileRefused(f"The template {shown(template)} has no {{{what}}} in it.")
    labels = []
    for k in range(len(found.spectra)):
        match = pattern.fullmatch(_title(found, k))
        labels.append(match[what].strip(" _-.") if match else "")
    return _proposal(found, f"name:{template}", f"File name as {template}", tuple(labels))


def compiled(template: str) -> re.Pattern[str]:
    """The regular expression of a template."""
    if len(template) > 200 or template.count("*") > 8:
        raise FileRefused("The template for file names is too long. Use at most eight *.")
    parts = re.split(r"(\{class\}|\{group\}|\*|#)", template)
    seen: set[str] = set()
    out = []
    for k, part in enumerate(parts):
        if part in ("{class}", "{group}"):
            name = part[1:-1]
            if name in seen:
                raise FileRefused(f"The template {shown(template)} has {part} twice.")
            seen.add(name)
            after = next((p for p in parts[k + 1 :] if p), "")
            # up to the character that follows it, so that no part swallows the next one
            stop = re.escape(after[0]) if after and after[0] not in "{*#" else ""
            out.append(f"(?P<{name}>[^{stop}]+?)" if stop else f"(?P<{name}>.+?)")
        elif part == "*":
            out.append(".*?")
        elif part == "#":
            out.append(r"\d+")
        else:
            out.append(re.escape(part))
    return re.compile("".join(out))


def _proposal(found: MeasuredSpectra, way: str, title: str, labels: tuple[str, ...]) -> Proposal:
    shown_texts: dict[str, int] = {}
    for k, text in enumerate(labels):
        if text and text not in shown_texts and len(shown_texts) < _EXAMPLES:
            shown_texts[text] = k
    examples = tuple((_title(found, k), text) for text, k in shown_texts.items())
    return Proposal(way, title, labels, examples)


def _title(found: MeasuredSpectra, k: int) -> str:
    """What a spectrum is called: its file's name, or its own where a file holds several."""
    spectrum = found.spectra[k]
    plain = spectrum.file.rsplit("/", 1)[-1]
    stem = plain.rsplit(".", 1)[0] or plain
    return stem if len(found.files) > 1 else spectrum.name


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
    titles = [_title(found, k) for k in range(len(found.spectra))]
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
    titles = [_title(found, k) for k in range(min(3, len(found.spectra)))]
    return f"The files are called {listed(titles)}."
