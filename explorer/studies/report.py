"""Owns REPRODUCTION.md: every claim of every study that was run, printed against measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from explorer.studies.findings import Result
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
    parts = [_HEAD, _summary(results, judged), _versions(results)]
    for paper in PAPERS.values():
        mine = [n for n in results if studies()[n].paper is paper]
        if not mine:
            continue
        parts.append(f"## {paper}")
        parts += [_section(studies()[n], results[n], judged[n]) for n in mine]
    missed = [name for name in studies() if name not in results]
    if missed:
        parts.append("## Not run\n\n" + ", ".join(missed) + ".")
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _summary(results: Mapping[str, Result], judged: Mapping[str, Sequence[Claim]]) -> str:
    rows = []
    for name, claims in judged.items():
        verdicts = [c.holds for c in claims]
        rows.append(
            {
                "study": f"[{name}](#{name})",
                "what": studies()[name].title,
                "scale": results[name].scale,
                "holds": verdicts.count(True),
                "does not hold": verdicts.count(False),
                "not tested": verdicts.count(None),
                "seconds": round(results[name].seconds),
            }
        )
    return "## Summary\n\n" + markdown_table(rows)


def _versions(results: Mapping[str, Result]) -> str:
    each = {tuple(sorted(r.versions.items())) for r in results.values()}
    lines = [", ".join(f"{k} {v}" for k, v in one) for one in sorted(each)]
    return "Run with " + "; and with ".join(lines) + "."


def _section(study: Study, result: Result, claims: Sequence[Claim]) -> str:
    settings = ", ".join(f"{k} {v}" for k, v in result.settings.items())
    parts = [
        f"### {study.name}",
        f"{study.where}: {study.caption}",
        f"*Protocol.* {study.protocol}",
        f"*Run.* {result.scale}: {settings}.",
        claims_table(claims),
    ]
    if result.missing:
        names = "; ".join(f"{m['name']} ({m['why'].rstrip('.')})" for m in result.missing)
        parts.append(f"*Missing.* {names}.")
    if result.notes:
        parts.append("*Notes.* " + " ".join(result.notes))
    return "\n\n".join(part.strip() for part in parts)
