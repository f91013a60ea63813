"""REPRODUCTION.md: every claim of every study that was run, printed against measured.

Studies take hours, and not all of them run on one day or machine: a report that stands already
keeps what it says of studies that the folder at hand has no result of.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.studies.citations import PAPERS
from explorer.studies.findings import Result, Table, sound
from explorer.studies.listing import find, studies
from explorer.studies.output import claims_table, markdown_table
from explorer.studies.study import Claim, Study

_HEAD = """\
# Reproduction

What the five papers say, and what this implementation finds. Written by
`forest-explorer study report` from the results of `forest-explorer study run`; every number below
was measured in the run that its study names. *Holds* and *does not hold* are checks in code, with
the numbers they looked at; *not tested* says why. Data sets that could not be had are listed, and
nothing stands in for them under their name.

*Scale*: **full** is the paper's protocol as far as it is stated; **reduced** is the same with fewer
repeats, samples or trees; **quick** is a first look of under a minute. What is less than the
protocol stands in the study's section, and a claim may yet turn out otherwise at its full size.
Times and their ratios were taken beside other work and are rough.
"""


_SUMMARY, _FAILED = "## Summary", "## What does not hold, and why"
_COUNTS = ("holds", "holds if", "does not hold", "not tested")
_AND = "; and with "


def saved_results(folder: Path) -> dict[str, Result]:
    """Name -> result of every study that was run into a folder, in the list's order."""
    found = {}
    for name in studies():
        path = Path(folder) / name / "result.json"
        if path.exists():
            result = Result.load(path)
            if result.study != name:
                raise ValueError(f"{path} is the result of {result.study}, not of {name}.")
            with sound(path):
                find(name).claims(result)
            found[name] = result
    if not found:
        raise ValueError(
            f"There is no result in {folder}; run 'forest-explorer study run NAME --out {folder}'."
        )
    return found


@dataclass(frozen=True)
class Part:
    """What the report says of one study: rows of the two tables at its head, and a section."""

    row: Mapping[str, Any]
    failures: Sequence[Mapping[str, str]]
    section: str


def reproduction(results: Mapping[str, Result], before: str = "") -> str:
    """The whole report as Markdown. before: a report whose other studies are kept as they are."""
    old, ran = _read(before)
    said: dict[str, str] = {}
    parts = {
        name: _part(studies()[name], results[name], said) if name in results else old[name]
        for name in studies()
        if name in results or name in old
    }
    ran |= {_versions(result) for result in results.values()}
    out = [_HEAD, _summary(parts), _failures(parts), f"Run with {_AND.join(sorted(ran))}."]
    for paper in PAPERS.values():
        mine = [n for n in parts if studies()[n].paper is paper]
        if mine:
            out += [f"## {paper}", *(parts[n].section for n in mine)]
    missed = [name for name in studies() if name not in parts]
    if missed:
        out.append("## Not run\n\n" + ", ".join(missed) + ".")
    return "\n\n".join(part.strip() for part in out if part) + "\n"


def _part(study: Study, result: Result, said: dict[str, str]) -> Part:
    claims = study.claims(result)
    link = f"[{study.name}](#{study.name})"
    kinds = ["holds if" if c.holds and c.condition else c.verdict for c in claims]
    row = {"study": link, "what": study.title, "scale": _scale(result)}
    row |= {kind: kinds.count(kind) for kind in _COUNTS}
    failures = [
        {
            "study": link,
            "the paper": f"{claim.sentence} ({claim.where})",
            "reason": claim.why,
            "in words": claim.remark,
        }
        for claim in claims
        if claim.holds is False
    ]
    return Part(row, failures, _section(study, result, claims, said))


def _read(text: str) -> tuple[dict[str, Part], set[str]]:
    """Name -> part of a report that `reproduction` wrote, and the versions that it names."""
    tables: dict[str, dict[str, list[dict[str, Any]]]] = {_SUMMARY: {}, _FAILED: {}}
    for title, found in tables.items():
        body = text.partition(title)[2].partition("\n\n")[2].partition("\n\n")[0]
        lines = [_cells(line) for line in body.splitlines()]
        for cells in lines[2:]:
            name = re.match(r"\[(.+?)\]", cells[0])
            if name:
                row = dict(zip(lines[0], cells, strict=True))
                found.setdefault(name[1], []).append(row)
    sections = re.findall(r"^### (\S+)\n(.*?)(?=^##+ |\Z)", text, re.M | re.S)
    parts = {}
    for name, body in sections:
        if name in studies() and name in tables[_SUMMARY]:
            (row,) = tables[_SUMMARY][name]
            counted = {c: int(row.get(c, 0)) for c in _COUNTS}
            counted = {c: v for c, v in row.items() if c not in _COUNTS} | counted
            parts[name] = Part(counted, tables[_FAILED].get(name, []), f"### {name}\n{body}")
    ran = re.search(r"^Run with (.*)\.$", text, re.M)
    return parts, set(ran[1].split(_AND)) if ran and parts else set()


def _cells(line: str) -> list[str]:
    cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return [cell.strip().replace("\\|", "|") for cell in cells]


def _summary(parts: Mapping[str, Part]) -> str:
    rows = [part.row for part in parts.values()]
    sums = {column: sum(row[column] for row in rows) for column in _COUNTS}
    everything = {"study": "**all**", "what": "", "scale": "", **sums}
    return f"{_SUMMARY}\n\n" + markdown_table([*rows, everything])


def _failures(parts: Mapping[str, Part]) -> str:
    """What does not hold, with the reason, before everything else."""
    rows = [row for part in parts.values() for row in part.failures]
    return f"{_FAILED}\n\n" + markdown_table(rows) if rows else ""


def _changes(result: Result) -> list[str]:
    """Settings that differ from those of the paper's protocol, in words."""
    full = studies()[result.study].scales["full"]
    return [
        f"{name} {_setting(value)} instead of {_setting(full[name])}"
        for name, value in result.settings.items()
        if name in full and value != full[name]
    ]


def _scale(result: Result) -> str:
    return "reduced" if result.scale == "full" and _changes(result) else result.scale


def _setting(value: Any) -> str:
    return "unlimited" if value is None else str(value)


def _versions(result: Result) -> str:
    return ", ".join(f"{k} {v}" for k, v in sorted(result.versions.items()))


def _missing(rows: Table) -> str:
    """What a run went without, by reason."""
    whys: dict[str, list[str]] = {}
    for row in rows:
        whys.setdefault(row["why"].rstrip("."), []).append(row["name"])
    return "; ".join(f"{', '.join(names)} ({why})" for why, names in whys.items()) + "."


def _section(study: Study, result: Result, claims: Sequence[Claim], said: dict[str, str]) -> str:
    """A study. said: longer texts -> the study under which they stand already."""

    def once(text: str) -> str:
        first = said.setdefault(text, study.name)
        return text if first == study.name else f"As in [{first}](#{first})."

    settings = ", ".join(f"{k} {_setting(v)}" for k, v in result.settings.items())
    changes = _changes(result)
    less = f" Less than the paper's protocol: {'; '.join(changes)}." if changes else ""
    parts = [
        f"### {study.name}",
        f"{study.where}: {study.caption}",
        f"*Protocol.* {once(study.protocol)}",
        f"*Run.* {_scale(result).capitalize()}: {settings}.{less}",
        claims_table(claims),
    ]
    beside = study.beside_printed(result)
    if beside:
        parts.append("*Measured, and in brackets as printed.*\n\n" + markdown_table(beside))
    if result.missing:
        parts.append(f"*Missing.* {once(_missing(result.missing))}")
    if result.notes:
        parts.append(f"*Notes.* {once(' '.join(result.notes))}")
    return "\n\n".join(part.strip() for part in parts)
