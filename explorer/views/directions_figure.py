"""Draws the fan of split directions on two features (Menze Fig. 2): from LDA's on as λ grows."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, Range1d

from explorer.views.chart import chart, dress
from explorer.views.lettering import letter_marks
from explorer.views.map_figure import frame_pixels
from explorer.views.theme import THEMES, class_colour

MOST_POINTS = 500
_NAMED = ("lda", "pca", "pls")
_PLACES = {"lda": 0.88, "pca": 0.62, "pls": 0.86}  # of the way from the middle to the frame
_DASHES = {"lda": [10, 4], "pca": [3, 4], "pls": [10, 4, 2, 4]}


class DirectionsFigure:
    """Standardised points, the cuts of all λ faint, those of LDA, PCA and PLS named, one λ lit."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self.figure: Any = chart(
            x_range=Range1d(start=-3, end=3),
            y_range=Range1d(start=-3, end=3),
            x_axis_type=None,
            y_axis_type=None,
        )
        plot = self.figure
        self.points: list[ColumnDataSource] = []
        self._marks: list[Any] = []
        self.path = ColumnDataSource({"xs": [], "ys": []})
        self.named = {kind: ColumnDataSource({"x": [], "y": []}) for kind in _NAMED}
        self.names = ColumnDataSource({"x": [], "y": [], "text": []})
        self.lit = ColumnDataSource({"x": [], "y": []})
        self._path = plot.multi_line("xs", "ys", source=self.path, line_width=1, line_alpha=0.35)
        self._named = {
            kind: plot.line("x", "y", source=self.named[kind], line_width=1.6, line_dash=dash)
            for kind, dash in _DASHES.items()
        }
        self._halo = plot.line("x", "y", source=self.lit, line_width=6, line_alpha=0.75)
        self._lit = plot.line("x", "y", source=self.lit, line_width=3)
        self._names = plot.text(
            "x",
            "y",
            text="text",
            text_align="center",
            text_baseline="middle",
            source=self.names,
        )
        self._names.level = "overlay"
        self.record: Any = None
        self.restyle(theme, present)

    def update(self, record: Any, x: Any, y: Any, codes: Any, penalty: float) -> None:
        """Show a Directions record of two features; x, y, codes: its samples as they are."""
        self.record = record
        keep = np.arange(len(x))
        if keep.size > MOST_POINTS:
            keep = np.random.default_rng(0).permutation(keep)[:MOST_POINTS]
        x = ((np.asarray(x) - record.mean[0]) / record.scale[0])[keep]
        y = ((np.asarray(y) - record.mean[1]) / record.scale[1])[keep]
        codes = np.asarray(codes)[keep]
        self._show_points(x, y, codes)
        width, height = frame_pixels(self.figure) or (280, 160)
        high = 1.12 * max(1.5, float(np.abs(y).max()), float(np.abs(x).max()) * height / width)
        wide = high * width / height  # equal units, whatever the frame
        self.figure.x_range.update(start=-wide, end=wide)
        self.figure.y_range.update(start=-high, end=high)
        ridge = [i for i, kind in enumerate(record.kind) if kind == "ridge"]
        ends = [cut_line(record.unit[i], wide, high) for i in ridge]
        self.path.data = {"xs": [e[0] for e in ends], "ys": [e[1] for e in ends]}
        names: dict[str, Any] = {"x": [], "y": [], "text": []}
        for kind in _NAMED:
            if kind not in record.kind:
                continue
            i = record.kind.index(kind)
            xs, ys = cut_line(record.unit[i], wide, high)
            self.named[kind].data = {"x": xs, "y": ys}
            # LDA and PCA are named at their right ends, PLS at its left: they often coincide
            end = int(np.argmin(xs) if kind == "pls" else np.argmax(xs))
            names["x"].append(_PLACES[kind] * xs[end])
            names["y"].append(_PLACES[kind] * ys[end])
            names["text"].append(record.label[i])
        self.names.data = names
        self.turn(penalty)

    def _show_points(self, x: Any, y: Any, codes: Any) -> None:
        for k in range(len(self.points), int(codes.max()) + 1):
            look = class_colour(k)
            self.points.append(ColumnDataSource({"x": [], "y": []}))
            self._marks.append(
                self.figure.scatter(
                    "x",
                    "y",
                    source=self.points[k],
                    marker=look.marker,
                    fill_color=look.base,
                    size=6,
                    line_width=0.7,
                    level="underlay",
                )
            )
        for k, source in enumerate(self.points):
            source.data = {"x": x[codes == k], "y": y[codes == k]}

    def turn(self, penalty: float) -> int | None:
        """Light up the cut of the λ nearest to penalty; which direction that is."""
        if self.record is None:
            return None
        i = nearest_ridge(self.record, penalty)
        reach = (float(self.figure.x_range.end), float(self.figure.y_range.end))
        xs, ys = cut_line(self.record.unit[i], *reach)
        self.lit.data = {"x": xs, "y": ys}
        return i

    def restyle(self, theme: str, present: bool = False) -> None:
        look = THEMES[theme]
        dress(self.figure, theme, present)
        self._path.glyph.line_color = look.ink
        self._halo.glyph.line_color = look.card
        self._lit.glyph.line_color = look.ink
        letter_marks(self._names, present)
        self._names.glyph.update(
            text_color=look.ink, background_fill_color=look.card, background_fill_alpha=0.85
        )
        for line in self._named.values():
            line.glyph.line_color = look.accent
        for mark in self._marks:
            mark.glyph.line_color = look.ink


def cut_line(unit: Any, wide: float, high: float) -> tuple[list[float], list[float]]:
    """Ends of the cut through the origin, across a direction, as far as the frame."""
    across, up = -float(unit[1]), float(unit[0])
    far = 1.0 / max(abs(across) / wide, abs(up) / high)
    return [-across * far, across * far], [-up * far, up * far]


def nearest_ridge(record: Any, penalty: float) -> int:
    """The direction of the λ nearest to penalty, on a scale of powers."""
    ridge = np.array([i for i, kind in enumerate(record.kind) if kind == "ridge"])
    gap = np.abs(np.log10(record.penalty[ridge]) - np.log10(penalty))
    return int(ridge[gap.argmin()])
