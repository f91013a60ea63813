"""Owns the Posterior page: truth, estimate, difference and Hellinger distance, models as columns.

After Tomita Fig. 2. Built when its tab is first opened.
"""

from __future__ import annotations

import panel as pn

from explorer.app import measure
from explorer.app.session import Session
from explorer.app.state import LETTERS
from explorer.app.widgets import text
from explorer.app.work import Pictures
from explorer.views.map_figure import frame_pixels
from explorer.views.posterior_figure import HellingerBars, PosteriorFigure
from explorer.views.theme import THEMES, amount_palette, signed_palette

ROWS = ("posterior", "signed", "amount")


class PosteriorPage:
    """A grid of small maps; it follows the pictures of the session while it is seen."""

    def __init__(self, session: Session) -> None:
        self.session, self.view_state = session, session.state.view
        theme, soft = self.view_state.theme, self.view_state.soft
        self.truth = PosteriorFigure(session.frame, "posterior", theme, soft)
        self.bars = HellingerBars(theme)
        self.key = text(session.style, sizing_mode="stretch_width")
        self.words = text(session.style, sizing_mode="stretch_width", visible=False)
        self.columns: list[list[PosteriorFigure]] = []
        self.view = pn.Column(
            css_classes=["grid"],
            stylesheets=[session.style.panes],
            margin=0,
            sizing_mode="stretch_both",
        )
        self._styled = (theme, soft)
        session.listeners.append(self.follow)
        session.rulers["Posterior"] = lambda: frame_pixels(self.truth.figure)
        self.truth.figure.on_change("inner_width", session.resized)
        self.truth.figure.on_change("inner_height", session.resized)

    def _arrange(self, n: int) -> None:
        """Truth and bars on the left, then a column per model."""
        frame, (theme, soft) = self.session.frame, self._styled
        self.columns = [
            [PosteriorFigure(frame, kind, theme, soft) for kind in ROWS] for _ in range(n)
        ]
        bars = pn.Column(
            self._pane(self.bars.figure),
            self.key,
            margin=0,
            css_classes=["bars"],
            stylesheets=[self.session.style.panes],
            sizing_mode="stretch_both",
        )
        first = [self._pane(self.truth.figure), bars]
        cells = [first[0], *(self._pane(column[0].figure) for column in self.columns), bars]
        for row in (1, 2):
            cells += [self._pane(column[row].figure) for column in self.columns]
        self.view.css_classes = ["grid", f"m{n}"]
        self.view[:] = cells

    @staticmethod
    def _pane(figure: object) -> pn.pane.Bokeh:
        return pn.pane.Bokeh(figure, sizing_mode="stretch_both", margin=0)

    def follow(self, shown: Pictures) -> None:
        """Draw new pictures, if this page is seen."""
        if self.view_state.page != "Posterior":
            return
        if len(self.columns) != len(shown.records):
            self._arrange(len(shown.records))
        self._restyle()
        data, window = shown.source.data, shown.window
        names = [m.family for m in self.session.state.models.models]
        truth = shown.truth
        if data.truth is None:
            self.session.note(
                "The truth behind these data is not known: only estimates are shown. "
                "Choose simulated data to compare."
            )
        elif truth is not None:
            self.truth.update(truth, window, "Truth")
        distances = []
        about = data.class_names[1] if data.n_classes == 2 else "the true winner"
        for i, (column, record) in enumerate(zip(self.columns, shown.records, strict=True)):
            label = f"{LETTERS[i]} {names[i]}"
            column[0].update(record.posterior, window, f"{label}: estimate")
            if truth is None or record.posterior.shape != truth.shape:
                continue
            column[1].update(
                measure.difference(record.posterior, truth),
                window,
                f"Estimate minus truth, {about[:20]}",
            )
            column[2].update(
                measure.hellinger(record.posterior, truth), window, "Hellinger distance"
            )
            distances.append(record.hellinger or 0.0)
        self.bars.update(
            [f"{LETTERS[i]} {names[i]}" for i in range(len(distances))], distances, self._styled[0]
        )

    def _restyle(self) -> None:
        wanted = (self.view_state.theme, self.view_state.soft)
        theme, soft = wanted
        if self.key.object == "" or wanted != self._styled:
            self._styled = wanted
            for small in [self.truth, *(f for column in self.columns for f in column)]:
                small.restyle(theme, soft)
            self.bars.restyle(theme)
            self.key.object = (
                _ramp("too low", "too high", signed_palette(theme))
                + _ramp("Hellinger 0", "1", amount_palette(theme))
                + f'<p class="hint" style="color:{THEMES[theme].muted}">Dashed: Bayes boundary.</p>'
            )


def _ramp(low: str, high: str, palette: tuple[str, ...]) -> str:
    stops = ", ".join(palette[i] for i in range(0, 256, 32)) + f", {palette[255]}"
    return (
        f'<div class="ramp"><span>{low}</span>'
        f'<i style="background:linear-gradient(90deg, {stops})"></i><span>{high}</span></div>'
    )
