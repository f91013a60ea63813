"""The downloaded report: one HTML file with pictures, numbers, settings and versions.

Nothing in it is fetched from anywhere: pictures are inside the file, and its own policy forbids
the rest. Every text from data, a file or a link is escaped.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from explorer import __version__
from explorer.app.state.baselines import BaselineSpec
from explorer.app.state.visitor import DEFAULT_LAYERS, LETTERS
from explorer.app.widgets import css, plain
from explorer.app.work.requests import Lines, Pictures
from explorer.views.map_svg import map_svg
from explorer.views.number_text import duration, percent
from explorer.views.theme import class_colour

PACKAGES = ("numpy", "numba", "scipy", "pandas", "scikit-learn", "bokeh", "panel")
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


@dataclass(frozen=True)
class About:
    """What a report says besides its pictures.

    headline: over the maps. page: the one that is open. settings: name -> value, in the order in
    which they are read. query: of the link. script: the recipe. layers, soft: of the maps.
    """

    headline: str
    page: str
    families: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]
    query: str
    script: str
    layers: tuple[str, ...] = tuple(DEFAULT_LAYERS)
    soft: bool = True


def report(about: About, shown: Pictures, bayes: Lines | None = None) -> str:
    """The report as a text; the page adds what is seen on it to ``#seen``, if it is not maps."""
    data = shown.source.data
    sections = [
        f"<p class=lead>{plain(about.headline)}</p>",
        _numbers(about, shown),
        f"<h2>Maps</h2><p>Seen: {plain(shown.plane.label)}. {_legend(data, about.layers)}</p>",
        f"<div class=maps>{''.join(_maps(about, shown, bayes))}</div>",
    ]
    if about.page not in ("Boundaries", "Paint"):
        sections.append(f'<section id="seen"><h2>{plain(about.page)}</h2></section>')
    sections += [_data(data), _settings(about), _models(about, shown), _versions()]
    link = f"?{about.query}" if about.query else "the first screen"
    sections.append(
        f'<h2>Again</h2><p>Link: <a id="link">{plain(link)}</a></p>'
        "<details><summary>A script that prints these figures and draws the maps</summary>"
        f"<pre>{plain(about.script)}</pre></details>"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Forest Explorer: {plain(data.title)}</title><style>{css('report')}</style>"
        f"</head><body><main><h1>Forest Explorer</h1>{''.join(sections)}</main></body></html>"
    )


def _legend(data: Any, layers: Sequence[str]) -> str:
    parts = []
    for k, name in enumerate(data.class_names[:12]):
        spot = f'<span class=spot style="background:{class_colour(k).base}"></span>'
        parts.append(f"{spot}{plain(name[:40])}")
    more = f" and {data.n_classes - 12} more" if data.n_classes > 12 else ""
    told = data.truth is not None
    lines = {
        "Boundary": "solid: learned boundary",
        "Bayes": "dashed: Bayes" if told else "",
        "Errors": "rings: out-of-bag errors",
        "Test errors": "small marks with dashed rings: test errors" if told else "",
        "One tree": "thin: cells of one tree",
    }
    seen = "; ".join(words for layer, words in lines.items() if layer in layers and words)
    return f"Classes: {', '.join(parts)}{more}. {seen[:1].upper()}{seen[1:]}{'.' if seen else ''}"


def _named(about: About, i: int) -> str:
    return f"{LETTERS[i]} {plain(about.families[i])}"


def _numbers(about: About, shown: Pictures) -> str:
    rows = []
    told = shown.source.data.truth is not None
    for i, record in enumerate(shown.records):
        if record is None:
            continue
        cells = {"oob": percent(record.oob_error)}
        if told:
            cells["test"] = percent(record.test_error)
            cells["hellinger"] = "–" if record.hellinger is None else f"{record.hellinger:.3f}"
        cells["nodes"] = "–" if record.nodes is None else f"{record.nodes:.0f}"
        cells["time"] = duration(record.seconds)
        marked = [
            f"<td><b>{words}</b></td>" if shown.wins(name, i) else f"<td>{words}</td>"
            for name, words in cells.items()
        ]
        rows.append(f"<tr><th>{_named(about, i)}</th>{''.join(marked)}</tr>")
    tested = ("Test error", "Hellinger") if told else ()
    heads = ("Model", "OOB error", *tested, "Nodes per tree", "Time")
    why = "" if told else " There is no test set: errors are out of bag."
    return _table("Numbers", heads, rows) + (
        f"<p class=quiet>Bold: better by more than one standard error.{why}</p>"
    )


def _maps(about: About, shown: Pictures, bayes: Lines | None) -> list[str]:
    data = shown.source.data
    names = (shown.plane.x_label, shown.plane.y_label)
    figures = []
    for i, record in enumerate(shown.records):
        if record is None:
            continue
        picture = map_svg(
            record.index,
            data.n_classes,
            shown.window,
            shown.places,
            data.y,
            record.boundary,
            bayes,
            names,
            _caption(f"{LETTERS[i]} {about.families[i]}", record.words),
            f"map-{LETTERS[i]}",
            layers=about.layers,
            soft=about.soft,
            cells=record.cells,
            wrong=shown.places[record.wrong],
            tested=_test_errors(shown, record),
        )
        caption = f"<figcaption>{_caption(_named(about, i), plain(record.words))}.</figcaption>"
        figures.append(f"<figure>{picture}{caption}</figure>")
    return figures


def _test_errors(shown: Pictures, record: Any) -> tuple[Any, Any] | None:
    """Places and classes of the fresh rows that a model gets wrong; None where there are none."""
    if shown.test is None or not record.test_wrong.size:
        return None
    wrong = record.test_wrong > 0
    return shown.plane.project(shown.test.X[wrong]), shown.test.y[wrong]


def _caption(name: str, words: str) -> str:
    """Nothing follows the name where nothing is certain about the boundary."""
    return f"{name}: {words}" if words else name


def _data(data: Any) -> str:
    counts = ", ".join(
        f"{plain(name[:40])} {count}"
        for name, count in zip(data.class_names[:20], data.class_counts, strict=False)
    )
    rows = [
        ("Data", plain(data.title)),
        ("Samples", str(data.n_samples)),
        ("Features", str(data.n_features)),
        ("Samples per class", counts),
        ("What was done to them", plain(" ".join(data.notes))),
        ("From", plain(data.citation)),
    ]
    return _table("Data", (), [f"<tr><th>{k}</th><td>{v}</td></tr>" for k, v in rows if v])


def _settings(about: About) -> str:
    rows = [f"<tr><th>{plain(k)}</th><td>{plain(v)}</td></tr>" for k, v in about.settings]
    return _table("Settings", (), rows) if rows else ""


def _models(about: About, shown: Pictures) -> str:
    rows = []
    for i, spec in enumerate(shown.request.specs):
        if isinstance(spec, BaselineSpec):
            knobs = {k: "chosen" if v is None else v for k, v in spec.settings.items()}
        else:
            knobs = spec.to_dict()
        words = ", ".join(f"{k} {_value(v)}" for k, v in knobs.items())
        rows.append(f"<tr><th>{_named(about, i)}</th><td>{plain(words)}</td></tr>")
    return _table("Models", (), rows)


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "[" + " ".join(_value(v) for v in value) + "]"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _versions() -> str:
    found = [("forest-explorer", __version__), ("Python", platform.python_version())]
    for name in PACKAGES:
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return "<h2>Versions</h2><p>" + ", ".join(f"{n} {v}" for n, v in found) + "</p>"


def _table(title: str, heads: Sequence[str], rows: Sequence[str]) -> str:
    head = f"<thead><tr>{''.join(f'<th>{h}</th>' for h in heads)}</tr></thead>" if heads else ""
    return (
        f"<h2>{title}</h2><div class=wide><table>{head}<tbody>{''.join(rows)}</tbody></table></div>"
    )
