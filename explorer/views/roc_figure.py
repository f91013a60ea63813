"""Draws curves in a unit square, a line per model: ROC, precision and recall, calibration.

Chance is dashed; a band is behind each line where curves were averaged.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Literal, cast

import numpy as np
from bokeh.models import ColumnDataSource, CustomJS, Range1d
from bokeh.models.annotations import Legend, LegendItem

from explorer.views.chart import chart, dress
from explorer.views.error_figure import DASHES
from explorer.views.lettering import FONT, type_size
from explorer.views.theme import THEMES

# the frame stays square: what is left of a wide card goes to the right border; on a narrow card the
# names of few models lie over the square, which would be half as large beside them
_SQUARE = """
const [w, h] = [plot.outer_width, plot.outer_height]
if (!(w > 0 && h > 0)) return
const narrow = over.items.length <= most && w - left - right < h - bottom - above
if (over.visible != narrow) {
  over.visible = narrow
  beside.visible = !narrow
}
const [r, t] = narrow ? [12, above] : [right, 8]
const side = Math.min(w - left - r, h - bottom - t)
plot.min_border_right = Math.max(r, w - left - side)
plot.min_border_bottom = Math.max(bottom, h - t - side)
"""
LEFT, BOTTOM, RIGHT, ABOVE = 54, 42, 92, 34
MOST_ABOVE = 2  # models whose names fit over a narrow square
HIGHEST = 0.3  # of the square, the bar of the largest count
Curve = tuple[Any, Any, Any, Any, float]  # x, y, low and high of y, the number in the legend


class SquareFigure(ABC):
    """Lines in a square from 0 to 1, dashed what chance or truth would give."""

    labels: ClassVar[tuple[str, str]]

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self._theme = theme
        self.figure: Any = chart(
            x_range=Range1d(start=-0.01, end=1.01),
            y_range=Range1d(start=-0.01, end=1.01),
            x_axis_label=self.labels[0],
            y_axis_label=self.labels[1],
        )
        self.figure.update(min_border_left=LEFT, min_border_bottom=BOTTOM, min_border_top=8)
        self.figure.axis.ticker = [0, 0.5, 1]
        self._chance = self.figure.line([0, 1], [0, 1], line_dash=[6, 4], line_width=1.2)
        self.bands = [ColumnDataSource({"x": [], "y": []}) for _ in DASHES]
        self.lines = [ColumnDataSource({"x": [], "y": []}) for _ in DASHES]
        self._bands = [
            self.figure.patch("x", "y", source=s, fill_alpha=0.15, line_color=None)
            for s in self.bands
        ]
        self._lines = [
            self.figure.line("x", "y", source=s, line_width=2, line_dash=dash)
            for s, dash in zip(self.lines, DASHES, strict=True)
        ]
        self.legend, self.over = self._legend("vertical"), self._legend("horizontal")
        self.over.visible = False
        self.figure.add_layout(self.legend, "right")
        self.figure.add_layout(self.over, "above")
        room = {"left": LEFT, "bottom": BOTTOM, "right": RIGHT, "above": ABOVE, "most": MOST_ABOVE}
        square = CustomJS(
            args={"plot": self.figure, "beside": self.legend, "over": self.over, **room},
            code=_SQUARE,
        )
        self.figure.js_on_change("outer_width", square)
        self.figure.js_on_change("outer_height", square)
        self.over.js_on_change("items", square)
        self.curves: list[tuple[str, Any]] = []
        SquareFigure.restyle(self, theme, present)

    @staticmethod
    def _legend(orientation: Literal["vertical", "horizontal"]) -> Legend:
        return Legend(
            items=[],
            orientation=orientation,
            location="center",
            padding=4,  # type: ignore[arg-type] # a number is allowed
            margin=6,
            spacing=0 if orientation == "vertical" else 10,
            label_standoff=4,
            glyph_width=18,
            border_line_color=None,
        )

    @abstractmethod
    def curve(self, record: Any) -> Curve:
        """What is drawn of a record."""

    def chance(self, record: Any) -> tuple[list[float], list[float]]:
        """The dashed line, from a record of any model."""
        return [0.0, 1.0], [0.0, 1.0]

    def update(self, curves: Sequence[tuple[str, Any]]) -> None:
        """Show (name, record or None) of each model."""
        self.curves = list(curves)
        items = []
        for i, (band, line) in enumerate(zip(self.bands, self.lines, strict=True)):
            record = curves[i][1] if i < len(curves) else None
            if record is None:
                band.data = line.data = {"x": [], "y": []}
                continue
            x, y, low, high, number = self.curve(record)
            line.data = {"x": x, "y": y}
            wide = np.isfinite(low) & np.isfinite(high)
            band.data = {
                "x": np.concatenate([x[wide], x[wide][::-1]]),
                "y": np.concatenate([low[wide], high[wide][::-1]]),
            }
            ends = self.chance(record)
            self._chance.data_source.data = {"x": ends[0], "y": ends[1]}
            label = f"{curves[i][0][:1]}  {number:.3f}"
            items.append(LegendItem(label=label, renderers=[self._lines[i]]))
        if [self._key(cast("LegendItem", i)) for i in self.legend.items] != [
            self._key(i) for i in items
        ]:
            self.legend.items = items
            self.over.items = [LegendItem(label=i.label, renderers=i.renderers) for i in items]

    @staticmethod
    def _key(item: LegendItem) -> tuple[str, Any]:
        return str(item.label), item.renderers[0].id

    def restyle(self, theme: str, present: bool = False) -> None:
        self._theme = theme
        look = THEMES[theme]
        dress(self.figure, theme, present)
        self.figure.outline_line_color = look.hairline
        self._chance.glyph.line_color = look.muted
        for i, colour in enumerate(look.models):
            self._lines[i].glyph.line_color = colour
            self._bands[i].glyph.fill_color = colour
        for legend in (self.legend, self.over):
            legend.update(
                background_fill_color=look.card,
                background_fill_alpha=0.85,
                label_text_color=look.ink,
                label_text_font=FONT,
                label_text_font_size=type_size(present),
            )


class RocFigure(SquareFigure):
    """True against false positive rate of one class (AveragedRoc)."""

    labels = ("false positive rate", "true positive rate")

    def curve(self, record: Any) -> Curve:
        band = record.true_positive_low, record.true_positive_high
        return record.false_positive, record.true_positive, *band, record.auc


class PrecisionRecallFigure(SquareFigure):
    """Precision against recall of one class (PrecisionRecall); chance is the class's share."""

    labels = ("recall", "precision")

    def curve(self, record: Any) -> Curve:
        band = record.precision_low, record.precision_high
        return record.recall, record.precision, *band, record.average

    def chance(self, record: Any) -> tuple[list[float], list[float]]:
        return [0.0, 1.0], [record.share, record.share]


class CalibrationFigure(SquareFigure):
    """Observed against predicted share of one class (Calibration); counts are bars below."""

    labels = ("predicted share", "observed share")

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        super().__init__(theme, present)
        self.chosen = 0
        self.dots = ColumnDataSource({"x": [], "y": [], "size": [], "colour": []})
        self.counts = ColumnDataSource({"x": [], "top": []})
        self._counts = self.figure.vbar(
            x="x", top="top", width=0.05, source=self.counts, line_color=None, level="underlay"
        )
        self.figure.scatter(
            "x", "y", source=self.dots, size="size", fill_color="colour", line_color=None
        )
        self.restyle(theme, present)

    def curve(self, record: Any) -> Curve:
        return record.predicted, record.observed, record.low, record.high, record.gap

    def update(self, curves: Sequence[tuple[str, Any]], chosen: int = 0) -> None:
        """Show (name, Calibration or None); chosen: the model whose counts are drawn."""
        super().update(curves)
        self.chosen = chosen
        self._dot()

    def _dot(self) -> None:
        dots: dict[str, Any] = {"x": [], "y": [], "size": [], "colour": []}
        counts: dict[str, Any] = {"x": [], "top": []}
        for i, (_, record) in enumerate(self.curves[: len(DASHES)]):
            if record is None:
                continue
            share = record.count / record.count.max()
            dots["x"] += record.predicted.tolist()
            dots["y"] += record.observed.tolist()
            dots["size"] += (3 + 5 * np.sqrt(share)).tolist()
            dots["colour"] += [THEMES[self._theme].models[i]] * share.size
            if i == self.chosen:
                counts = {"x": record.predicted, "top": HIGHEST * share}
        self.dots.data, self.counts.data = dots, counts

    def restyle(self, theme: str, present: bool = False) -> None:
        super().restyle(theme, present)
        self._counts.glyph.update(fill_color=THEMES[theme].muted, fill_alpha=0.45)
        self._dot()
