"""Draws why a forest says what it says of one sample: votes, and what each feature adds."""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, FactorRange, HoverTool, Range1d
from bokeh.models.annotations import Span

from explorer.views.chart import chart, dress
from explorer.views.theme import THEMES, class_colour

MOST_BARS = 8
LONGEST_NAME = 16


def votes_svg(votes: Any, fresh: Any, width: int = 260) -> str:
    """One cell per tree in the colour of its vote, in rows of up to fifty; HTML of our own.

    Trees that never saw the sample are full, the others pale: these have learned its class.
    """
    votes = np.asarray(votes)
    per_row = 50 if len(votes) > 25 else 25
    shown = votes[:500]
    side = width / per_row
    rows = (len(shown) + per_row - 1) // per_row
    cells = "".join(
        f'<rect x="{(i % per_row) * side:.2f}" y="{(i // per_row) * (side + 1):.2f}" '
        f'width="{side - 0.6:.2f}" height="{side - 0.6:.2f}" rx="1" '
        f'fill="{class_colour(int(k)).base}" fill-opacity="{1 if fresh[i] else 0.4}"/>'
        for i, k in enumerate(shown)
    )
    high = rows * (side + 1)
    return (
        f'<svg viewBox="0 0 {width} {high:.1f}" width="100%" role="img" '
        f'aria-label="Votes of {len(shown)} trees">{cells}</svg>'
    )


class AttributionBars:
    """Signed bars with their standard errors: violet speaks for the class, green against it."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self._theme = theme
        self.figure: Any = chart(
            x_range=Range1d(start=-1, end=1),
            y_range=FactorRange(factors=[""], range_padding_units="absolute"),
        )
        names = ("name", "value", "low", "high", "colour", "text")
        self.bars = ColumnDataSource({name: [] for name in names})
        bars = self.figure.hbar(
            y="name", right="value", height=0.7, color="colour", source=self.bars
        )
        self._errors = self.figure.segment(
            "low", "name", "high", "name", line_width=2, source=self.bars
        )
        self.figure.add_tools(HoverTool(renderers=[bars], tooltips=[("", "@text")]))
        self._zero = Span(location=0, dimension="height", line_width=1)
        self.figure.add_layout(self._zero)
        self.record: Any = None
        self.restyle(theme, present)

    def update(self, record: Any, k: int) -> None:
        """Show an Attribution for class k: the bands that count most, the largest on top."""
        self.record, self.k = record, k
        look = THEMES[self._theme]
        values, errors = record.values[:, k], record.error[:, k]
        order = np.argsort(-np.abs(values), kind="stable")[:MOST_BARS]
        names: list[str] = []
        for i in order:  # factors must differ
            name = str(record.names[i])[:LONGEST_NAME]
            names.append(name if name not in names else f"{name[:11]} ({int(i) + 1})")
        self.bars.data = {str(name): [] for name in self.bars.data}
        self.figure.y_range.factors = names[::-1]
        self.bars.data = {
            "name": names,
            "value": values[order],
            "low": values[order] - errors[order],
            "high": values[order] + errors[order],
            "colour": [look.low if v < 0 else look.high for v in values[order]],
            "text": [
                f"{record.names[i]}: {100 * values[i]:+.1f} ± {100 * errors[i]:.1f} points"
                for i in order
            ],
        }
        most = 1.1 * float((np.abs(values) + errors).max()) or 1.0
        self.figure.x_range.update(start=-most, end=most)

    def restyle(self, theme: str, present: bool = False) -> None:
        self._theme = theme
        dress(self.figure, theme, present)
        self.figure.yaxis.major_label_text_font_size = "12px"
        self._zero.line_color = THEMES[theme].muted
        self._errors.glyph.line_color = THEMES[theme].ink
        if self.record is not None:
            self.update(self.record, self.k)


class AttributionSpectrum:
    """The sample's spectrum, each band in the colour of what it adds."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self._theme = theme
        self.figure: Any = chart(x_range=Range1d(start=0, end=1), y_range=Range1d(start=0, end=1))
        self.figure.yaxis.visible = False
        self.lines = ColumnDataSource({"xs": [], "ys": [], "colour": [], "text": []})
        lines = self.figure.multi_line(
            "xs", "ys", line_color="colour", line_width=4, source=self.lines
        )
        self.figure.add_tools(HoverTool(renderers=[lines], tooltips=[("", "@text")]))
        self.record: Any = None
        self.restyle(theme, present)

    def update(self, record: Any, k: int, x: Any, axis: Any) -> None:
        """Show an Attribution for class k on the spectrum x of a data set with an axis."""
        self.record, self.rest = record, (k, x, axis)
        values = record.values[:, k]
        most = float(np.abs(values).max()) or 1.0
        at, x = np.asarray(axis.values, float), np.asarray(x, float)
        xs, ys, colours = [], [], []
        for columns, value in zip(record.features, values, strict=True):
            to = np.append(columns, columns[-1] + 1) if columns[-1] + 1 < len(at) else columns
            xs.append(at[to].tolist())
            ys.append(x[to].tolist())
            colours.append(_between(self._theme, float(value) / most))
        self.lines.data = {
            "xs": xs,
            "ys": ys,
            "colour": colours,
            "text": [
                f"{name}: {100 * v:+.1f} ± {100 * e:.1f} points"
                for name, v, e in zip(record.names, values, record.error[:, k], strict=True)
            ],
        }
        low, high = float(at.min()), float(at.max())
        if axis.reversed:
            low, high = high, low
        self.figure.x_range.update(start=low, end=high)
        room = 0.06 * (float(np.ptp(x)) or 1.0)
        self.figure.y_range.update(start=float(x.min()) - room, end=float(x.max()) + room)
        self.figure.xaxis.axis_label = axis.label

    def restyle(self, theme: str, present: bool = False) -> None:
        self._theme = theme
        dress(self.figure, theme, present)
        if self.record is not None:
            self.update(self.record, *self.rest)


def _between(theme: str, share: float) -> str:
    """A colour from green (-1) over muted (0) to violet (1)."""
    look = THEMES[theme]
    end = look.low if share < 0 else look.high
    part = abs(share)
    middle = look.hairline
    mixed = [
        round((1 - part) * int(middle[i : i + 2], 16) + part * int(end[i : i + 2], 16))
        for i in (1, 3, 5)
    ]
    return "#" + "".join(f"{v:02X}" for v in mixed)
