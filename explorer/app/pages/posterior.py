"""The Posterior page: truth, estimate, difference and Hellinger distance, models as columns.

After Tomita Fig. 2. Built when its tab is first opened.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn
from bokeh.events import Tap

from explorer.analysis import hellinger, signed_difference
from explorer.app.export.download import save_button, table
from explorer.app.export.map_csv import grid_csv
from explorer.app.pages.board import set_class
from explorer.app.session.events import MapsDrawn, Restyled
from explorer.app.session.session import Session
from explorer.app.state.visitor import LETTERS
from explorer.app.widgets import text
from explorer.app.work.requests import Pictures
from explorer.views.map_figure import frame_pixels
from explorer.views.posterior_figure import HellingerBars, PosteriorFigure
from explorer.views.theme import THEMES, amount_palette, signed_palette

ROWS = ("posterior", "signed", "amount")


class PosteriorPage:
    """A grid of small maps; it follows the pictures of the session while it is seen."""

    def __init__(self, session: Session) -> None:
        self.session, self.view_state = session, session.state.view
        self._styled = self._look()
        theme, soft, present = self._styled
        self.truth = PosteriorFigure(session.frame, "posterior", theme, soft, present)
        self.bars = HellingerBars(theme, present)
        self.key = text(session.style, sizing_mode="stretch_width")
        self.columns: list[list[PosteriorFigure]] = []
        self._of_truth: list[pn.Column] = []
        # what each small map shows now, for its CSV: values, window, names of the columns
        self._drawn: dict[PosteriorFigure, tuple[Any, Any, Any]] = {}
        self._distances: list[float] = []
        self.view = pn.Column(
            css_classes=["grid"],
            stylesheets=[session.style.panes],
            margin=0,
            sizing_mode="stretch_both",
        )
        session.subscribe(MapsDrawn, lambda event: self.follow(event.maps))
        session.subscribe(Restyled, lambda event: self._follow_latest())
        for side in ("inner_width", "inner_height"):
            self.truth.figure.on_change(side, lambda attr, old, new: self._measure())
        self._measure()

    def _measure(self) -> None:
        """Tell the size of a map that is seen."""
        hidden = "untold" in self.view.css_classes and self.columns
        figure = (self.columns[0][0] if hidden else self.truth).figure
        self.session.viewport.measured("Posterior", frame_pixels(figure))

    def _follow_latest(self) -> None:
        if self.session.latest is not None:
            self.follow(self.session.latest)

    def _arrange(self, n: int) -> None:
        """Truth and bars on the left, then a column per model."""
        frame = self.session.frame
        self.columns = [
            [PosteriorFigure(frame, kind, *self._styled) for kind in ROWS] for _ in range(n)
        ]
        bars = pn.Column(
            self._pane(self.bars.figure),
            self._save("mean Hellinger distances", "hellinger", self.bars.figure, self._bars_csv),
            self.key,
            margin=0,
            css_classes=["bars"],
            stylesheets=[self.session.style.panes],
            sizing_mode="stretch_both",
        )
        truth = self._cell("truth", "truth", self.truth)
        cells = [truth, *(self._of_model(i, 0) for i in range(n)), bars]
        for row in (1, 2):
            cells += [self._of_model(i, row) for i in range(n)]
        # what cannot be shown where the truth is not known
        self._of_truth = [truth, *cells[n + 1 :]]
        self.view.css_classes = ["grid", f"m{n}"]
        self.view[:] = cells

    def _of_model(self, i: int, row: int) -> pn.Column:
        what = ("estimate", "difference", "distance")[row]
        name = f"{what}-{LETTERS[i]}"
        return self._cell(f"{what} of forest {LETTERS[i]}", name, self.columns[i][row])

    def _cell(self, title: str, name: str, small: PosteriorFigure) -> pn.Column:
        cell = pn.Column(
            self._pane(small.figure),
            self._save(title, name, small.figure, lambda: self._values_csv(small)),
            margin=0,
            css_classes=["cell", name],
            stylesheets=[self.session.style.panes],
            sizing_mode="stretch_both",
        )
        small.figure.on_event(Tap, lambda event: self._tapped(cell))
        return cell

    def _tapped(self, cell: pn.Column) -> None:
        """A small map on a phone takes the whole width, until it is tapped again."""
        classes = [c for c in cell.css_classes if c != "wide"]
        if cell.css_classes != classes:
            cell.css_classes = classes
        elif self.session.viewport.narrow():
            cell.css_classes = [*classes, "wide"]

    def _save(self, title: str, name: str, figure: object, csv: Callable[[], str]) -> object:
        return save_button(self.session.style, title, name, figure, csv, css_classes=["corner"])

    def _values_csv(self, small: PosteriorFigure) -> str:
        """One row per pixel: where it is, and what is drawn there."""
        drawn = self._drawn.get(small)
        if drawn is None:
            return table(None)
        values, window, names = drawn
        return grid_csv(values, window, names)

    def _bars_csv(self) -> str:
        import pandas

        labels = [f"{LETTERS[i]} {m.family}" for i, m in enumerate(self._models())]
        pairs = list(zip(labels, self._distances, strict=False))
        return table(pandas.DataFrame(pairs, columns=["model", "mean Hellinger distance"]))

    def _models(self) -> Any:
        return self.session.state.models.models

    def _draw(
        self, small: PosteriorFigure, values: Any, window: Any, title: str, names: Any
    ) -> None:
        small.update(values, window, title)
        self._drawn[small] = (values, window, names)

    @staticmethod
    def _pane(figure: object) -> pn.pane.Bokeh:
        return pn.pane.Bokeh(figure, sizing_mode="stretch_both", margin=0)

    def follow(self, shown: Pictures) -> None:
        """Draw new pictures, if this page is seen."""
        if self.view_state.page != "Posterior" or len(shown.records) != len(self._models()):
            return
        if len(self.columns) != len(shown.records):
            self._arrange(len(shown.records))
        self._restyle()
        data, window = shown.source.data, shown.window
        names = [m.family for m in self._models()]
        truth = shown.truth
        for part in self._of_truth:
            set_class(part, "gone", data.truth is None)
        set_class(self.view, "untold", data.truth is None)  # the headline says why
        if truth is not None:
            self._draw(self.truth, truth, window, "Truth", data.class_names)
        distances = []
        about = data.class_names[1] if data.n_classes == 2 else "the true winner"
        for i, (column, record) in enumerate(zip(self.columns, shown.records, strict=True)):
            label = f"{LETTERS[i]} {names[i]}"
            if record is None:
                column[0].title(f"{label}: being fitted")
                distances.append(0.0)
                continue
            posterior = record.posterior
            self._draw(column[0], posterior, window, f"{label}: estimate", data.class_names)
            if truth is None or posterior.shape != truth.shape:
                continue
            self._draw(
                column[1],
                signed_difference(posterior, truth),
                window,
                f"{LETTERS[i]} minus truth: {about[:16]}",
                ("estimate minus truth",),
            )
            self._draw(
                column[2],
                hellinger(posterior, truth),
                window,
                f"{LETTERS[i]} Hellinger distance",
                ("Hellinger distance",),
            )
            distances.append(record.hellinger or 0.0)
        self._distances = distances
        self.bars.update(
            [f"{LETTERS[i]} {names[i]}" for i in range(len(distances))], distances, self._styled[0]
        )

    def _look(self) -> tuple[str, bool, bool]:
        return self.view_state.theme, self.view_state.soft, self.view_state.present

    def _restyle(self) -> None:
        wanted = self._look()
        theme, soft, present = wanted
        if self.key.object == "" or wanted != self._styled:
            self._styled = wanted
            for small in [self.truth, *(f for column in self.columns for f in column)]:
                small.restyle(theme, soft, present)
            self.bars.restyle(theme, present)
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
