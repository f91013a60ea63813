"""A study's folder: figures, tables, claims, and everything needed to run it again."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from explorer.data.csv_cells import as_text
from explorer.studies import codec
from explorer.studies.export import browser, safe, save_figures
from explorer.studies.findings import Result, Table, write_whole
from explorer.studies.study import Claim, Study

_MOST_ROWS = 60  # of a table in the page; the CSV has all


def write_output(study: Study, result: Result, folder: Path, draw: bool = True) -> list[str]:
    """Write everything into a folder. Returns complaints: what could not be written, and why."""
    folder = Path(folder)
    claims = study.claims(result)
    result.save(folder / "result.json")
    write_whole(folder / "claims.json", codec.to_text([vars(c) for c in claims], indent=1))
    recipe = {
        "study": study.name,
        "scale": result.scale,
        "settings and seeds": result.settings,
        "specs": result.specs,
        "data": result.data,
        "missing": result.missing,
        "notes": result.notes,
        "versions": result.versions,
        "digest": result.digest(),
    }
    write_whole(folder / "recipe.json", codec.to_text(recipe, indent=1))
    for name, rows in result.tables.items():
        stem = folder / "tables" / safe(name)
        write_whole(stem.with_suffix(".csv"), csv_text(rows))
        write_whole(stem.with_suffix(".md"), markdown_table(rows))
    figures = study.draw(result)
    write_whole(folder / "README.md", page(study, result, claims, list(figures)))
    if not draw:
        return []
    program = browser()
    complaints = save_figures(figures, folder / "figures", program)
    if program is None:
        complaints.append(
            "PNG and SVG need Chrome, Chromium or Edge on this machine (or EXPLORER_BROWSER); the "
            "figures are there as HTML. 'forest-explorer study draw' makes the rest elsewhere."
        )
    return complaints


def page(study: Study, result: Result, claims: Sequence[Claim], figures: Sequence[str]) -> str:
    """The study as one Markdown page."""
    parts = [
        f"# {study.name}: {study.title}",
        f"{study.paper}, {study.where}.",
        study.caption,
        f"**Protocol.** {study.protocol}",
        f"**This run.** {result.scale}, {result.seconds:.0f} s; settings: "
        + ", ".join(f"{k} = {v}" for k, v in result.settings.items())
        + ". Versions: "
        + ", ".join(f"{k} {v}" for k, v in result.versions.items())
        + ".",
    ]
    parts += [f"![{name}](figures/{safe(name)}.png)" for name in figures]
    parts.append("## Claims\n\n" + claims_table(claims))
    if result.missing:
        parts.append("## Missing\n\n" + markdown_table(result.missing))
    if result.notes:
        parts.append("## Notes\n\n" + "\n".join(f"- {note}" for note in result.notes))
    parts.append("## Data\n\n" + markdown_table(result.data))
    for name, rows in result.tables.items():
        more = f"\n\n{len(rows)} rows in all: tables/{safe(name)}.csv" * (len(rows) > _MOST_ROWS)
        parts.append(f"## Table: {name}\n\n{markdown_table(rows[:_MOST_ROWS])}{more}")
    return "\n\n".join(parts) + "\n"


def claims_table(claims: Sequence[Claim]) -> str:
    """Claims as a Markdown table: what the paper says, and what was measured."""
    rows = [
        {
            "the paper": f"{c.sentence} ({c.where})",
            "here": f"**{c.verdict}**" + (f": {c.why}" if c.why else ""),
            "measured": _numbers(c, printed=False),
            "printed": _numbers(c, printed=True),
            "remark": " ".join(filter(None, (_margin(c), c.remark))),
        }
        for c in claims
    ]
    return markdown_table(rows)


def _margin(claim: Claim) -> str:
    return f"Margin: {claim.margin}." if claim.margin else ""


def _numbers(claim: Claim, printed: bool) -> str:
    """Numbers of a claim that were printed, or those that were measured, one under the other."""
    lines = []
    for what, value in claim.numbers.items():
        if ("printed" in what) == printed:
            words = what.replace("printed", "").replace("measured", "").strip(" ,:")
            lines.append(f"{words}: {shown(value)}" if words else shown(value))
    return "<br>".join(lines)


def columns_of(rows: Table) -> list[str]:
    """Names of a table's columns, in the order in which they first appear."""
    return list(dict.fromkeys(name for row in rows for name in row))


def csv_text(rows: Table) -> str:
    """A table as CSV, numbers in full; empty where there is none."""
    out = io.StringIO()
    names = columns_of(rows)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([as_text(name) for name in names])
    writer.writerows([[as_text(row.get(name)) for name in names] for row in rows])
    return out.getvalue()


def markdown_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """A table as Markdown, numbers to four digits."""
    names = columns_of([dict(row) for row in rows])
    if not names:
        return "(empty)\n"
    lines = ["| " + " | ".join(map(_cell, names)) + " |", "|" + " --- |" * len(names)]
    lines += ["| " + " | ".join(_cell(shown(row.get(n))) for n in names) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def shown(value: Any) -> str:
    """A value for people: four digits of a number, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
