"""Draws ROC curves: square, chance dashed, a band behind each line where curves were averaged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, CustomJS, Legend, LegendItem, Range1d

from explorer.views.chart import chart, dress
from explorer.views.error_figure import DASHES
from explorer.views.theme import THEMES

# the frame stays square: what is left of a wide card goes to the right border
_SQUARE = """
const [w, h] = [cb_obj.outer_width, cb_obj.outer_height]
if (!(w > 0 && h > 0)) return
const side = Math.min(w - left - right, h - bottom - 8)
cb_obj.min_border_right = Math.max(right, w - left - side)
cb_obj.min_border_bottom = Math.max(bottom, h - 8 - side)
"""
LEFT, BOTTOM, RIGHT = 54, 42, 92


class RocFigure:
    """True against false positive rate of one class, a line per model."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self._theme = theme
        self.figure: Any = chart(
            x_range=Range1d(-0.01, 1.01),
            y_range=Range1d(-0.01, 1.01),
            x_axis_label="false positive rate",
            y_axis_label="true positive rate",
        )
        square = CustomJS(args={"left": LEFT, "bottom": BOTTOM, "right": RIGHT}, code=_SQUARE)
        self.figure.js_on_change("outer_width", square)
        self.figure.js_on_change("outer_height", square)
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
        self.legend = Legend(
            items=[],
            location="center",
            padding=4,
            margin=6,
            spacing=0,
            label_standoff=4,
            glyph_width=18,
            border_line_color=None,
        )
        self.figure.add_layout(self.legend, "right")
        self.curves: list[tuple[str, Any]] = []
        self.restyle(theme, present)

    def update(self, curves: Sequence[tuple[str, Any]]) -> None:
        """Show (name, AveragedRoc or None) of each model."""
        self.curves = list(curves)
        items = []
        for i, (band, line) in enumerate(zip(self.bands, self.lines, strict=True)):
            record = curves[i][1] if i < len(curves) else None
            if record is None:
                band.data = line.data = {"x": [], "y": []}
                continue
            line.data = {"x": record.false_positive, "y": record.true_positive}
            low, high = record.true_positive_low, record.true_positive_high
            x = record.false_positive
            wide = np.isfinite(low) & np.isfinite(high)
            band.data = {
                "x": np.concatenate([x[wide], x[wide][::-1]]),
                "y": np.concatenate([low[wide], high[wide][::-1]]),
            }
            label = f"{curves[i][0][:1]}  {record.auc:.3f}"
            items.append(LegendItem(label=label, renderers=[self._lines[i]]))
        if [self._key(i) for i in self.legend.items] != [self._key(i) for i in items]:
            self.legend.items = items

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
        self.legend.update(
            background_fill_color=look.card,
            background_fill_alpha=0.85,
            label_text_color=look.ink,
            label_text_font_size="16px" if present else "12px",
        )
