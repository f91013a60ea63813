"""Owns the Proximity page: which samples a forest keeps together, and which stand apart.

After Menze Fig. 8. Built when its tab is first opened.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn

from explorer.analysis.proximity_picture import (
    OUTLYING,
    Places,
    sorted_proximity,
    turned_places,
)
from explorer.app.insight import Look, Nearness, Step, nearness
from explorer.app.proximity_words import model_key, sample_name, sample_table, summary
from explorer.app.session import Session
from explorer.app.state import LETTERS
from explorer.app.widgets import button, css, plain, text
from explorer.app.work import Pictures
from explorer.views.mds_figure import MdsFigure, SampleFrame, common_window
from explorer.views.proximity_heat import ProximityHeat
from explorer.views.variance_bars import VarianceBars

MARKS = ("Misclassified", "Outlying")
PAIRS = {"1 and 2": (0, 1), "1 and 3": (0, 2), "2 and 3": (1, 2)}


class ProximityPage:
    """Pictures of the same samples; what is selected in one lights up in all."""

    def __init__(self, session: Session) -> None:
        self.session, self.state = session, session.state
        self._theme = theme = self.state.view.theme
        self.frame = SampleFrame()
        self.maps: list[MdsFigure] = []
        self.panes: list[Any] = []
        self.keys: list[Any] = []
        self.heat = ProximityHeat(self.frame, theme)
        self.bars = VarianceBars(theme)
        self.made: Nearness | None = None
        self.shown: Pictures | None = None
        self.chosen: list[int] = []
        self._asked: Any = None
        self._quiet = False
        self._make_row()
        self._make_view()
        self.frame.samples.selected.on_change("indices", self._selected)
        # what is sent while a browser still opens the page may be lost on the way
        self.ready = True
        self._early: Pictures | None = None
        if session.mailbox.live and not pn.state.loaded:
            self.ready = False
            pn.state.onload(self._opened)
        session.listeners.append(self.follow)

    def _opened(self) -> None:
        self.ready = True
        if self._early is not None:
            self.follow(self._early)

    # ---- parts

    def _make_row(self) -> None:
        style = self.session.style
        here: dict[str, Any] = {"align": "center", "margin": (0, 8, 0, 0)}
        self.pair = pn.widgets.RadioButtonGroup(
            options=list(PAIRS),
            value="1 and 2",
            stylesheets=[style.button],
            tags=["tip:Principal coordinates that are drawn; the first explains most."],
            **here,
        )
        self.pair.param.watch(lambda event: self.session.guarded(self.draw), "value")
        self.marks = pn.widgets.CheckButtonGroup(
            options=list(MARKS),
            value=list(MARKS),
            css_classes=["chips"],
            stylesheets=[style.button],
            tags=["tip:Rings: out-of-bag trees chose another class. Crosses: far from its class."],
            **here,
        )
        self.marks.param.watch(self._mark, "value")
        self.above = pn.widgets.Select(
            options={"B": 1},
            value=1,
            width=70,
            stylesheets=[style.field],
            visible=False,
            tags=["label:Above the diagonal", "tip:The forest above the heat map's diagonal."],
            **here,
        )
        self.above.param.watch(lambda event: self._redraw_heat(), "value")
        self.pick = button(
            style,
            "Select the marked",
            tags=["tip:Select every sample with a ring or a cross, as the lasso would."],
            **here,
        )
        self.pick.on_click(lambda event: self.select(self._marked()))
        self.clear = button(
            style, "Clear", disabled=True, tags=["tip:Select nothing; all samples show."], **here
        )
        self.clear.on_click(lambda event: self.select([]))
        self.progress = text(style, align="center")
        self.stop = button(
            style, "Stop", visible=False, align="center", tags=["tip:Stop comparing samples."]
        )
        self.stop.on_click(lambda event: self._stop())
        self.row = pn.Row(
            self.pair,
            self.marks,
            self.pick,
            self.clear,
            self.above,
            self.progress,
            self.stop,
            margin=0,
            css_classes=["controls"],
            stylesheets=[style.panes],
            sizing_mode="stretch_width",
        )

    def _make_view(self) -> None:
        self.sheets = [self.session.style.panes, css("insight")]
        self.words = pn.pane.HTML("", stylesheets=self.sheets, sizing_mode="stretch_width")
        self.table = pn.pane.HTML("", stylesheets=self.sheets, sizing_mode="stretch_width")
        self.heat_tile = self._tile(["third", "last"], _pane(self.heat.figure))
        self.bar_tile = self._tile(["third", "last"], _pane(self.bars.figure))
        self.table_tile = self._tile(["most", "scroll"], self.words, self.table)
        self.waiting = pn.pane.HTML(
            '<p class="words centre">Growing the forests, then comparing the samples.</p>',
            stylesheets=self.sheets,
        )
        self._make_maps(len(self.state.models.models))
        parts = [*self.panes, self.heat_tile, self.bar_tile, self.table_tile]
        for part in parts:
            _show(part, False)
        self.view = pn.Column(
            *parts,
            self.waiting,
            css_classes=["board", "empty"],
            stylesheets=self.sheets,
            margin=0,
            sizing_mode="stretch_both",
        )

    def _tile(self, classes: list[str], *parts: Any) -> pn.Column:
        return pn.Column(
            *parts,
            css_classes=["tile", *classes],
            stylesheets=self.sheets,
            margin=0,
            sizing_mode="stretch_both",
        )

    def _arrange(self, n: int) -> None:
        """A map per model, then heat map, bars and table.

        What the first forests need is on the page from the start: a part that is added while a
        browser still opens the page would not be known to it.
        """
        self._make_maps(n)
        parts = [*self.panes, self.heat_tile, self.bar_tile, self.table_tile, self.waiting]
        if list(self.view) != parts:
            self.view[:] = parts
        for i, pane in enumerate(self.panes):
            _show(pane, i < n)
        for part in (self.heat_tile, self.bar_tile, self.table_tile):
            _show(part, True)
        _show(self.waiting, False)
        gone = [c for c in self.view.css_classes if c == "gone"]
        wanted = ["board", "near", *(["wide"] if n > 2 else []), *gone]
        if self.view.css_classes != wanted:
            self.view.css_classes = wanted

    def _make_maps(self, n: int) -> None:
        while len(self.maps) < n:
            drawn = MdsFigure(self.frame, len(self.maps), self._theme)
            drawn.show_marks(self.marks.value)
            key = pn.pane.HTML("", stylesheets=self.sheets, sizing_mode="stretch_width")
            self.maps.append(drawn)
            self.keys.append(key)
            self.panes.append(self._tile(["third"], key, _pane(drawn.figure)))

    # ---- what is asked and what comes

    def follow(self, shown: Pictures) -> None:
        """New forests: ask for their proximities, if this page is seen."""
        if self.state.view.page != "Proximity":
            return
        if not self.ready:
            self._early = shown
            return
        self._restyle()
        if not shown.finished:
            self._say(f"{shown.done} of {shown.wanted} trees")
            return
        if self.shown is not None and self.shown.source is not shown.source:
            self.select([])
        self.shown = shown
        look = Look(shown.source, shown.request.specs)
        asked = (shown.source, look.specs)
        if asked == self._asked:
            self._say("")
            return
        self._asked = asked
        self.session.scheduler.submit(
            self.session.key,
            "proximity",
            lambda cancel: nearness(look, self.session.cache, cancel),
            lambda value: self.session.mailbox.post("proximity", lambda: self.take(value)),
            lambda error: self.session.mailbox.post("proximity", lambda: self.fault(error)),
        )

    def take(self, value: Any) -> None:
        """Progress, or the result."""
        if isinstance(value, Step):
            self._say(value.words)
            return
        self._say("")
        self.made = value
        self.draw()

    def fault(self, error: BaseException) -> None:
        self._say("")
        known = isinstance(error, ValueError)
        words = str(error) if known else "Samples could not be compared; the last picture is kept."
        html = f'<p class="words fault">{plain(words)}</p>'
        self.words.object = html
        if self.made is None:
            self.waiting.object = html

    def _say(self, words: str) -> None:
        html = f'<p class="progress">{plain(words)}</p>' if words else ""
        if self.progress.object != html:
            self.progress.object = html
        if self.stop.visible != bool(words):
            self.stop.visible = bool(words)

    def _stop(self) -> None:
        for kind in ("maps", "proximity"):
            self.session.scheduler.stop(self.session.key, kind)
        self._say("")
        self._asked = None
        stopped = '<p class="words">Stopped. Change a forest, or open the page again.</p>'
        self.words.object = stopped
        if self.made is None:
            self.waiting.object = stopped

    # ---- drawing

    def families(self) -> list[str]:
        return [m.family for m in self.state.models.models]

    def draw(self) -> None:
        """Bring every picture to what was made."""
        made, shown = self.made, self.shown
        families = self.families()
        if made is None or shown is None or len(made.models) != len(families):
            return
        data = shown.source.data
        if made.models[0].y.size != data.n_samples:
            return
        self._arrange(len(made.models))
        pair = PAIRS[self.pair.value]
        places = turned_places(made.models, pair)
        n = len(made.models)
        self._offer_above(n)
        matrix = self._matrix(made)
        self.frame.set_samples(
            [p.xy for p in places],
            data.y,
            matrix.position,
            [sample_name(data, i) for i in range(data.n_samples)],
            data.class_names,
        )
        window = common_window([p.xy for p in places])
        for i, place in enumerate(places):
            self._draw_map(i, place, pair, window, families)
        self.heat.update(matrix, self._heat_title(n))
        self.bars.update([p.bars for p in places])
        self.words.object = summary(made, families, places)
        self._tabulate()

    def _draw_map(
        self,
        i: int,
        place: Places,
        pair: tuple[int, int],
        window: tuple[float, float, float, float],
        families: list[str],
    ) -> None:
        assert self.made is not None
        wrong = self.made.votes[i].wrong
        outlying = self.made.models[i].outlyingness > OUTLYING
        words = "turned {}" if i else "axis {}"
        labels = (words.format(pair[0] + 1), words.format(pair[1] + 1))
        self.maps[i].update(place.xy, place.explained, labels, wrong, outlying)
        self.maps[i].look(window)
        self.keys[i].object = model_key(
            i, families[i], int(wrong.sum()), int(outlying.sum()), self._theme
        )

    def _matrix(self, made: Nearness) -> Any:
        above = int(self.above.value or 0)
        other = made.models[above] if 0 < above < len(made.models) else None
        return sorted_proximity(made.models[0], other)

    def _heat_title(self, n: int) -> str:
        if n == 1:
            return "Proximity"
        return f"Proximity: A below, {LETTERS[int(self.above.value)]} above"

    def _offer_above(self, n: int) -> None:
        options = {LETTERS[i]: i for i in range(1, n)} or {"B": 1}
        if self.above.options != options:
            self._quiet = True
            value = self.above.value if self.above.value in options.values() else 1
            self.above.param.update(options=options, value=value)
            self._quiet = False
        self.above.visible = n > 2

    def _redraw_heat(self) -> None:
        if not self._quiet and self.made is not None:
            self.session.guarded(self.draw)

    def _mark(self, event: Any) -> None:
        for drawn in self.maps:
            drawn.show_marks(event.new)

    def _restyle(self) -> None:
        theme = self.state.view.theme
        if theme != self._theme:
            self._theme = theme
            picture: Any
            for picture in (*self.maps, self.heat, self.bars):
                picture.restyle(theme)
            self.draw()

    # ---- selecting

    def _marked(self) -> list[int]:
        if self.made is None:
            return []
        found = np.zeros(self.made.models[0].y.size, bool)
        for record, votes in zip(self.made.models, self.made.votes, strict=True):
            if "Misclassified" in self.marks.value:
                found |= votes.wrong
            if "Outlying" in self.marks.value:
                found |= record.outlyingness > OUTLYING
        rows: list[int] = np.flatnonzero(found).tolist()
        return rows

    def select(self, rows: list[int]) -> None:
        """Light up some samples in every picture."""
        self.frame.samples.selected.indices = rows
        self._selected("indices", None, rows)

    def _selected(self, attr: str, old: Any, new: Any) -> None:
        n = 0 if self.made is None else self.made.models[0].y.size
        rows = new if isinstance(new, list) else []
        self.chosen = sorted({int(r) for r in rows if isinstance(r, int) and 0 <= r < n})
        self.clear.disabled = not self.chosen
        self._tabulate()

    def _tabulate(self) -> None:
        if self.made is None or self.shown is None:
            return
        html = sample_table(self.shown.source.data, self.made, self.families(), self.chosen)
        if self.table.object != html:
            self.table.object = html


def _show(part: Any, seen: bool) -> None:
    classes = [c for c in part.css_classes if c != "gone"] + ([] if seen else ["gone"])
    if part.css_classes != classes:
        part.css_classes = classes


def _pane(figure: Any) -> pn.pane.Bokeh:
    return pn.pane.Bokeh(figure, sizing_mode="stretch_both", margin=0)
