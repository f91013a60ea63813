"""REPRODUCTION.md: every claim of every study that was run, printed against measured.

It is written from accounts (account.py), which are kept beside it: studies take hours, and not all
of them run on one day or machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorer.studies.account import Account
from explorer.studies.citations import PAPERS
from explorer.studies.findings import Result, Table, sound
from explorer.studies.listing import find, studies
from explorer.studies.output import claims_table, markdown_table
from explorer.studies.study import Claim

_HEAD = """\
# Reproduction

What the five papers say, and what this implementation finds. Written by
`forest-explorer study report` from the results of `forest-explorer study run`; every number below
was measured in the run that its study names. *Holds* and *does not hold* are checks in code, with
the numbers they looked at and, where a difference decides, a margin that was set before the run;
*holds if* names the one reading of the paper under which a sentence holds; *not tested* says why.
Unavailable data sets are listed, not substituted.

*Scale*: **full** is the paper's protocol as far as it is stated; **reduced** is the same with fewer
repeats, samples or trees; **quick** is a first look of under a minute. What is less than the
protocol is listed in the study's section, and a claim may turn out otherwise at its full size.
Times and their ratios were taken beside other work and are rough. The files in
`docs/reproduction/` hold the same in a form for programs.
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


def reproduction(accounts: Mapping[str, Account]) -> str:
    """The whole report as Markdown."""
    told = {name: accounts[name] for name in studies() if name in accounts}
    said: dict[str, str] = {}
    ran = {_versions(account) for account in told.values()}
    out = [_HEAD, _summary(told), _failures(told), f"Run with {_AND.join(sorted(ran))}."]
    for paper in PAPERS.values():
        mine = [account for name, account in told.items() if studies()[name].paper is paper]
        if mine:
            out += [f"## {paper}", *(_section(account, said) for account in mine)]
    missed = [name for name in studies() if name not in told]
    if missed:
        out.append("## Not run\n\n" + ", ".join(missed) + ".")
    return "\n\n".join(part.strip() for part in out if part) + "\n"


def _summary(accounts: Mapping[str, Account]) -> str:
    rows: list[dict[str, Any]] = []
    for name, account in accounts.items():
        kinds = [_kind(claim) for claim in account.claims]
        counts = {kind: kinds.count(kind) for kind in _COUNTS}
        about = {"study": _link(name), "what": studies()[name].title, "scale": account.scale}
        rows.append({**about, **counts})
    sums = {column: sum(row[column] for row in rows) for column in _COUNTS}
    everything = {"study": "**all**", "what": "", "scale": "", **sums}
    return f"{_SUMMARY}\n\n" + markdown_table([*rows, everything])


def _failures(accounts: Mapping[str, Account]) -> str:
    """What does not hold, with the reason, before everything else."""
    rows = [
        {
            "study": _link(name),
            "the paper": f"{claim.sentence} ({claim.where})",
            "reason": claim.why,
            "in words": claim.remark,
        }
        for name, account in accounts.items()
        for claim in account.claims
        if claim.holds is False
    ]
    return f"{_FAILED}\n\n" + markdown_table(rows) if rows else ""


def _kind(claim: Claim) -> str:
    return "holds if" if claim.holds and claim.condition else claim.verdict


def _link(name: str) -> str:
    return f"[{name}](#{name})"


def _versions(account: Account) -> str:
    return ", ".join(f"{k} {v}" for k, v in sorted(account.versions.items()))


def _missing(rows: Table) -> str:
    """What a run went without, by reason."""
    whys: dict[str, list[str]] = {}
    for row in rows:
        whys.setdefault(row["why"].rstrip("."), []).append(row["name"])
    return "; ".join(f"{', '.join(names)} ({why})" for why, names in whys.items()) + "."


def _section(account: Account, said: dict[str, str]) -> str:
    """A study. said: longer texts -> the study whose section has them already."""
    study = find(account.study)

    def once(text: str) -> str:
        first = said.setdefault(text, study.name)
        return text if first == study.name else f"As in {_link(first)}."

    less = f" Less than the paper's protocol: {account.less}." if account.less else ""
    parts = [
        f"### {study.name}",
        f"{study.where}: {study.caption}",
        f"*Protocol.* {once(study.protocol)}",
        f"*Run.* {account.scale.capitalize()}: {account.settings}.{less}",
        claims_table(account.claims),
    ]
    if account.beside:
        parts.append("*Measured, and in brackets as printed.*\n\n" + markdown_table(account.beside))
    if account.missing:
        parts.append(f"*Missing.* {once(_missing(account.missing))}")
    if account.notes:
        parts.append(f"*Notes.* {once(' '.join(account.notes))}")
    return "\n\n".join(part.strip() for part in parts)
