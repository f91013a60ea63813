"""A study in words: its claims, what was printed, the protocol, what is missing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from explorer.app.widgets import plain
from explorer.app.work.study_work import Going
from explorer.data.csv_cells import to_csv
from explorer.studies import Claim, Result, Study

# a sign and a word each, so that colour says nothing alone
MARKS = {True: ("✓", "Holds", "yes"), False: ("✗", "Does not hold", "no")}
OPEN = ("–", "Not tested", "open")


def number(value: Any) -> str:
    """A number as people write it: four digits at most; anything else as text."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "none"
    if value and abs(value) < 1e-3:
        return f"{value:.1e}"
    return f"{value:.4g}" if abs(value) < 10_000 else f"{value:,.0f}".replace(",", " ")


def claims_html(claims: Sequence[Claim]) -> str:
    """A list of claims, each with its mark; numbers and remark unfold."""
    return '<ul class="claims">' + "".join(map(_claim, claims)) + "</ul>"


def _claim(claim: Claim) -> str:
    mark, word, kind = MARKS.get(claim.holds, OPEN) if claim.holds is not None else OPEN
    rows = "".join(
        f"<tr><th scope='row'>{plain(what)}</th><td>{plain(number(value))}</td></tr>"
        for what, value in claim.numbers.items()
    )
    table = f'<table class="small">{rows}</table>' if rows else ""
    more = f"<details><summary>Numbers</summary>{table}</details>" if rows else ""
    why = ""
    if claim.holds is False:
        small = "<b>This small run does not show it; the full one may.</b> "
        why = small if claim.cause is None else f"<b>Why: {plain(claim.cause)}.</b> "
    remark = f'<p class="remark">{why}{plain(claim.remark)}</p>' if why or claim.remark else ""
    return (
        f'<li class="{kind}"><span class="mark" aria-hidden="true">{mark}</span><div>'
        f"<p><b>{word}.</b> {plain(claim.sentence)} <small>{plain(claim.where)}</small></p>"
        f"{remark}{more}</div></li>"
    )


def tally(claims: Sequence[Claim]) -> str:
    """How the claims fared, in a few words."""
    counts = [sum(c.holds is verdict for c in claims) for verdict in (True, False, None)]
    words = (f"{counts[0]} of {len(claims)} hold", f"{counts[1]} not", f"{counts[2]} not tested")
    return ", ".join(w for w, n in zip(words, (1, *counts[1:]), strict=True) if n)


def printed_html(study: Study) -> str:
    """What the paper prints, as a table; nothing where it prints no numbers."""
    if not study.printed:
        return '<p class="remark">The paper prints no numbers for this figure.</p>'
    rows = "".join(
        f"<tr><th scope='row'>{plain(p.what)}</th><td>{plain(number(p.value))}</td>"
        f"<td class='where'>{plain(p.where)}</td></tr>"
        for p in study.printed
    )
    return f'<table class="small">{rows}</table>'


def missing_html(missing: Sequence[Mapping[str, Any]]) -> str:
    """The paper's data that this run went without."""
    rows = "".join(f"<li><b>{plain(m['name'])}</b>: {plain(m['why'])}</li>" for m in missing)
    count = len(missing)
    head = "One data set of the paper is missing" if count == 1 else f"{count} are missing"
    return f"<details><summary>{head}</summary><ul class='plain'>{rows}</ul></details>"


def side_html(study: Study, result: Result | None, claims: Sequence[Claim] | None) -> str:
    """All words beside the picture."""
    if result is None or claims is None:
        first = (
            '<h3>Claims</h3><p class="remark">Each sentence the paper draws from it gets a tick, '
            "a cross or a dash once it has been run.</p>"
        )
    else:
        first = f"<h3>Claims <small>{plain(tally(claims))}</small></h3>{claims_html(claims)}"
    parts = [first, f"<h3>Printed</h3>{printed_html(study)}"]
    parts.append(f'<h3>How</h3><p class="remark">{plain(study.protocol)}</p>')
    if result is not None:
        notes = "".join(f'<p class="remark">{plain(note)}</p>' for note in result.notes)
        if result.missing:
            notes += missing_html(result.missing)
        if result.data:
            names = ", ".join(str(row["name"]) for row in result.data)
            notes = f'<p class="remark">{plain(names)}.</p>' + notes
        parts.append(f"<h3>Data</h3>{notes}" if notes else "")
    parts.append(f'<p class="remark cite">{plain(study.paper)}</p>')
    return "".join(parts)


def seconds_words(seconds: float) -> str:
    return f"{round(seconds)} s" if seconds < 90 else f"{round(seconds / 60)} min"


def going_words(going: Going) -> str:
    """Progress and time left."""
    if not going.seconds and not going.wanted:
        return "Waiting for its turn"
    if not going.wanted:
        return f"Starting, {going.seconds} s"
    left = "" if going.left is None else f", about {seconds_words(going.left)} left"
    return f"{going.done} of {going.wanted} parts{left}"


def empty_words(study: Study) -> str:
    """What a click on Run will do."""
    return (
        "Not run yet. Run repeats the paper's experiment at a small scale, in about "
        f"{seconds_words(study.takes)}, and shows the result beside the printed one. The first run "
        "on a machine takes longer; results are kept for all visitors."
    )


def page_html(study: Study, result: Result, claims: Sequence[Claim]) -> bytes:
    """A page of its own: the browser adds the pictures that are seen."""
    tables = "".join(_table(name, rows) for name, rows in result.tables.items())
    versions = ", ".join(f"{k} {v}" for k, v in result.versions.items())
    return (
        "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'>"
        f"<title>{plain(study.name)}</title><style>{_PAGE_CSS}</style></head><body>"
        f"<h1>{plain(study.paper.short)}, {plain(study.where)}: {plain(study.title)}</h1>"
        f"<p>{plain(study.caption)}</p><div id='seen'></div>"
        f"{side_html(study, result, claims)}<h3>Results</h3>{tables}"
        f"<p class='remark'>Scale: {plain(result.scale)}; settings {plain(dict(result.settings))}; "
        f"{plain(versions)}; {plain(seconds_words(result.seconds))}.</p></body></html>"
    ).encode()


def _table(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    names = list(dict.fromkeys(k for row in rows for k in row))
    head = "".join(f"<th>{plain(n)}</th>" for n in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{plain(number(row.get(n, '')))}</td>" for n in names) + "</tr>"
        for row in rows
    )
    return f"<h4>{plain(name)}</h4><table class='small'><tr>{head}</tr>{body}</table>"


def tables_csv(result: Result) -> bytes:
    """All tables under each other, each row with its table's name first."""
    import pandas

    frames = [result.frame(name).assign(table=name) for name in result.tables]
    whole = pandas.concat(frames, ignore_index=True)
    return to_csv(whole[["table", *(c for c in whole.columns if c != "table")]]).encode()


_PAGE_CSS = (
    "body{font:15px/1.45 system-ui,sans-serif;max-width:860px;margin:24px auto;padding:0 16px;"
    "color:#1a1d21}table{border-collapse:collapse;font-size:13px}th,td{padding:2px 8px;"
    "border-bottom:1px solid #dadde1;text-align:left;font-weight:400}.claims{list-style:none;"
    "padding:0}.claims li{display:flex;gap:10px;margin:8px 0}.mark{font-weight:700}"
    ".remark,small{color:#59616b}img{max-width:100%}"
)
