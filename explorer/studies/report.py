"""Owns REPRODUCTION.md: every claim of every study that was run, printed against measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from explorer.studies.findings import Result, Table
from explorer.studies.listing import studies
from explorer.studies.output import claims_table, markdown_table
from explorer.studies.papers import PAPERS
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


def saved_results(folder: Path) -> dict[str, Result]:
    """Name -> result of every study that was run into a folder, in the list's order."""
    found = {}
    for name in studies():
        path = Path(folder) / name / "result.json"
        if path.exists():
            found[name] = Result.load(path)
    if not found:
        raise ValueError(
            f"There is no result in {folder}; run 'forest-explorer study run NAME --out {folder}'."
        )
    return found


def reproduction(results: Mapping[str, Result]) -> str:
    """The whole report as Markdown."""
    judged = {name: studies()[name].claims(result) for name, result in results.items()}
    parts = [_HEAD, _summary(results, judged), _failures(judged), _versions(results)]
    said: dict[str, str] = {}
    for paper in PAPERS.values():
        mine = [n for n in results if studies()[n].paper is paper]
        if not mine:
            continue
        parts.append(f"## {paper}")
        parts += [_section(studies()[n], results[n], judged[n], said) for n in mine]
    missed = [name for name in studies() if name not in results]
    if missed:
        parts.append("## Not run\n\n" + ", ".join(missed) + ".")
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _summary(results: Mapping[str, Result], judged: Mapping[str, Sequence[Claim]]) -> str:
    rows: list[dict[str, Any]] = []
    for name, claims in judged.items():
        verdicts = [c.holds for c in claims]
        rows.append(
            {
                "study": f"[{name}](#{name})",
                "what": studies()[name].title,
                "scale": _scale(results[name]),
                "holds": verdicts.count(True),
                "does not hold": verdicts.count(False),
                "not tested": verdicts.count(None),
            }
        )
    sums = {
        column: sum(row[column] for row in rows)
        for column in ("holds", "does not hold", "not tested")
    }
    rows.append({"study": "**all**", "what": "", "scale": "", **sums})
    return "## Summary\n\n" + markdown_table(rows)


def _failures(judged: Mapping[str, Sequence[Claim]]) -> str:
    """What does not hold, with the reason, before everything else."""
    rows = [
        {
            "study": f"[{name}](#{name})",
            "the paper": f"{claim.sentence} ({claim.where})",
            "reason": claim.why,
            "in words": claim.remark,
        }
        for name, claims in judged.items()
        for claim in claims
        if claim.holds is False
    ]
    if not rows:
        return ""
    return "## What does not hold, and why\n\n" + markdown_table(rows)


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


def _versions(results: Mapping[str, Result]) -> str:
    each = {tuple(sorted(r.versions.items())) for r in results.values()}
    lines = [", ".join(f"{k} {v}" for k, v in one) for one in sorted(each)]
    return "Run with " + "; and with ".join(lines) + "."


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
