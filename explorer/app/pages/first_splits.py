"""The comparison of first splits on the Nodes page (Tomita Fig. 1).

Every forest is given all samples once and makes its best first cut; side by side one sees what a
slant is worth before any voting.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bokeh.models import CustomJSTickFormatter

from explorer import analysis
from explorer.app.export.download import table
from explorer.app.pages.board import Board
from explorer.app.pages.node_text import cut
from explorer.app.pages.picture import Picture
from explorer.app.state.visitor import MOST_MODELS
from explorer.app.widgets import LiveIntSlider, Style
from explorer.app.work.kernel_compile import is_ready, prepare
from explorer.app.work.requests import Pictures, Source
from explorer.engine import ForestSpec
from explorer.sentences import sentence_of
from explorer.views.projection_figure import ProjectionFigure
from explorer.views.worth_figure import WorthFigure

WAITING = "Growing the forests."


@dataclass(frozen=True)
class FirstSplit:
    """The best first cut of one forest, or why there is none.

    share: of the impurity of all samples that the cut removes.
    """

    record: Any
    share: float = 0.0
    fault: str = ""


def steps(n_features: int) -> list[int]:
    """How many candidates a node may try: 1, 2, 3, 5, 10 ... and all features at the end."""
    some = [m * 10**k for k in range(5) for m in (1, 2, 3, 5)]
    return [*(s for s in some if s < n_features), n_features]


def first_splits(
    source: Source, specs: tuple[ForestSpec, ...], candidates: int | None, cancel: threading.Event
) -> Iterator[tuple[FirstSplit, ...] | str | None]:
    """One after another; words while a family is compiled."""
    found: list[FirstSplit] = []
    for spec in specs:
        if not is_ready(spec):
            yield "A family is being compiled, once on this machine: 15 s to a minute"
            prepare(spec)
        if cancel.is_set():
            return
        found.append(_first(source, spec, candidates))
        yield None
    yield tuple(found)


def _first(source: Source, spec: ForestSpec, candidates: int | None) -> FirstSplit:
    try:
        record = analysis.first_split(spec, source.data, candidates, threads=1)
    except ValueError as error:
        return FirstSplit(None, fault=sentence_of(error))
    return FirstSplit(record, record.best_share)


class FirstSplits:
    """Pictures of first cuts, a card per forest, and bars of what each is worth."""

    def __init__(self, style: Style, look: tuple[str, bool]) -> None:
        self.options: list[int] = []
        self.figures = [ProjectionFigure(*look) for _ in range(MOST_MODELS)]
        self.worth = WorthFigure(*look)
        self.found: tuple[FirstSplit, ...] = ()
        self.candidates = LiveIntSlider(
            label="Random directions tried",
            tags=["candidates", "tip:Directions a node tries; more finds better cuts. d"],
            start=0,
            end=1,
            value=1,
            stylesheets=[style.slider],
            margin=0,
            sizing_mode="stretch_width",
        )
        self.cards = [
            Picture(
                style,
                f"First cut {i + 1}",
                f"first-cut-{i + 1}",
                figure.figure,
                lambda i=i: table(self._record(i)),  # type: ignore[misc]
                classes=("first",),
                lines=1,
            )
            for i, figure in enumerate(self.figures)
        ]
        self.worth_card = Picture(
            style,
            "What one cut is worth",
            "first-cuts",
            self.worth.figure,
            self._csv,
            classes=("worth",),
            top=(self.candidates,),
            lines=5,
        )
        for card in (*self.cards, self.worth_card):
            card.say(WAITING)

    @property
    def views(self) -> list[Any]:
        return [card.view for card in (*self.cards, self.worth_card)]

    def offer(self, n_features: int) -> None:
        """Candidates as these data allow; the slider keeps its end at all features."""
        options = steps(n_features)
        if options == self.options:
            return
        self.options = options
        names = [*map(str, options[:-1]), f"all {options[-1]}"]
        self.candidates.param.update(
            end=max(1, len(options) - 1),
            value=len(options) - 1,
            format=CustomJSTickFormatter(args={"names": names}, code="return names[tick]"),
        )

    def wanted(self) -> int | None:
        """How many candidates; None for all. A client may send a place that is none."""
        place = self.candidates.value
        if not isinstance(place, int) or not 0 <= place < len(self.options) - 1:
            return None
        return self.options[place]

    def ask(self, page: Board, maps: Pictures) -> None:
        """Have the first cuts of all forests of these maps made, and show them."""
        pairs = [(i, s) for i, s in enumerate(maps.request.specs) if isinstance(s, ForestSpec)]
        places, specs = [i for i, _ in pairs], tuple(s for _, s in pairs)
        self.offer(maps.source.data.n_features)
        wanted, names = self.wanted(), page.names()

        def take(found: Any) -> None:
            if isinstance(found, str):
                page.say_progress(found)
            else:
                page.say_progress("")
                self.show(found, names, places)

        page.ask(
            "first splits",
            lambda cancel: first_splits(maps.source, specs, wanted, cancel),
            take,
        )

    def _record(self, i: int) -> Any:
        return self.found[i].record if i < len(self.found) else None

    def _csv(self) -> str:
        import pandas

        some = [f for f in self.found if f.record is not None]
        rows = [{"cut": f.record.label, "impurity removed": f.share} for f in some]
        return table(pandas.DataFrame(rows) if rows else None)

    def show(self, found: tuple[FirstSplit, ...], names: list[str], places: list[int]) -> None:
        """Draw the first cuts of forests; places: of each among the models."""
        self.found = found
        for i, (first, name) in enumerate(zip(found, names, strict=False)):
            self.cards[i].title(name, "first cut, all samples")
            if first.record is None:
                self.cards[i].fault(first.fault)
                continue
            self.figures[i].update(first.record)
            self.cards[i].say(
                f"Left: {cut(first.record)}. This removes {_percent(first.share)} of the impurity."
            )
        good = [i for i, f in enumerate(found) if f.record is not None]
        self.worth.update(
            [names[i] for i in good], [places[i] for i in good], [found[i].share for i in good]
        )
        self.worth_card.say(_verdict([(names[i], found[i]) for i in good]))

    def fault(self, sentence: str) -> None:
        for card in (*self.cards, self.worth_card):
            card.fault(sentence)

    def restyle(self, theme: str, present: bool) -> None:
        for figure in self.figures:
            figure.restyle(theme, present)
        self.worth.restyle(theme, present)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _verdict(found: list[tuple[str, FirstSplit]]) -> str:
    """Which first cut is worth most, and what it mixes."""
    if not found:
        return "No forest found a cut."
    order = sorted(found, key=lambda pair: -pair[1].share)
    (best, first), (least, last) = order[0], order[-1]
    slants = any(f.record.weights.size > 1 for _, f in found)
    little = " Oblique cuts gain little here." if slants and last.share > 0.98 * first.share else ""
    if len(order) > 1 and _percent(first.share) == _percent(last.share):
        who = "Both cuts remove" if len(order) == 2 else f"All {len(order)} cuts remove"
        return f"{who} {_percent(first.share)}.{little}"
    mixed = first.record.weights.size
    what = "one feature" if mixed == 1 else f"{mixed} features at once"
    words = f"{best} cuts best: it looks at {what} and removes {_percent(first.share)}."
    if len(order) > 1:
        words += f" {least} removes {_percent(last.share)}.{little}"
    return words
