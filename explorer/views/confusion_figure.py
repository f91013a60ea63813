"""Draws a confusion matrix: true classes by rows, strength by share of the row, counts written."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import AllLabels, ColumnDataSource, FactorRange, HoverTool

from explorer.views.chart import chart, dress
from explorer.views.lettering import letter_marks
from explorer.views.theme import THEMES, amount_palette

LETTERS_ACROSS = 20  # of all names side by side under a matrix
MOST_WRITTEN = 6  # classes; more leave no room for counts, which hover then says


class ConfusionFigure:
    """Made once, updated with an Evaluation."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self._theme, self._present = theme, present
        self.figure: Any = chart(
            x_range=FactorRange(factors=["a"]),
            y_range=FactorRange(factors=["a"]),
            x_axis_label="predicted",
            y_axis_label="true",
        )
        self.cells = ColumnDataSource(
            {name: [] for name in ("x", "y", "count", "words", "fill", "ink")}
        )
        self._cells = self.figure.rect(
            "x", "y", width=1, height=1, fill_color="fill", line_width=2, source=self.cells
        )
        self._counts = self.figure.text(
            "x",
            "y",
            text="count",
            text_color="ink",
            text_align="center",
            text_baseline="middle",
            source=self.cells,
        )
        self.figure.axis.major_label_policy = AllLabels()  # a class without its name misleads
        self.figure.add_tools(HoverTool(renderers=[self._cells], tooltips=[("cell", "@words")]))
        self.record: Any = None
        self.restyle(theme, present)

    def update(self, record: Any) -> None:
        """Show the confusion of an Evaluation."""
        self.record = record
        names = distinct(record.class_names)
        K = len(names)
        counts = record.confusion
        total = np.maximum(counts.sum(axis=1, keepdims=True), 1)
        share = counts / total
        palette = amount_palette(self._theme)
        true, predicted = (i.ravel() for i in np.indices((K, K)))
        look = THEMES[self._theme]
        strong = share.ravel() > 0.45
        self.cells.data = {str(name): [] for name in self.cells.data}
        self.figure.x_range.factors = names
        self.figure.y_range.factors = names[::-1]
        self.figure.xaxis.major_label_orientation = _slant(names)
        self.cells.data = {
            "x": [names[k] for k in predicted],
            "y": [names[k] for k in true],
            "count": [str(c) for c in counts.ravel()],
            "words": [
                f"{c} of {names[t]} called {names[p]}, {100 * s:.0f} %"
                for c, t, p, s in zip(counts.ravel(), true, predicted, share.ravel(), strict=True)
            ],
            # the palette's far end is too strong to write on
            "fill": [palette[round(200 * float(s))] for s in share.ravel()],
            "ink": [look.card if s else look.ink for s in strong],
        }
        self._counts.visible = K <= MOST_WRITTEN
        letter_marks(self._counts, self._present or K <= 3)

    def clear(self) -> None:
        """Show no counts at all."""
        self.record = None
        self.cells.data = {str(name): [] for name in self.cells.data}
        self.figure.x_range.factors = self.figure.y_range.factors = [" "]

    def restyle(self, theme: str, present: bool = False) -> None:
        self._theme, self._present = theme, present
        dress(self.figure, theme, present)
        self._cells.glyph.line_color = THEMES[theme].card
        if self.record is not None:
            self.update(self.record)


def _slant(names: list[str]) -> float:
    """The angle at which the names have room under their columns."""
    if len(names) > 4:
        return 1.0
    return 0.0 if len(names) * max(map(len, names)) <= LETTERS_ACROSS else 0.5


def distinct(names: Any, longest: int = 14) -> list[str]:
    """Names short enough for an axis, and still all different."""
    out: list[str] = []
    for i, name in enumerate(names):
        short = str(name)[:longest] or f"class {i + 1}"
        out.append(short if short not in out else f"{short[: longest - 4]} {i + 1}")
    return out
