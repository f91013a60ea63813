"""Draws new samples among the training samples, in the map of their proximities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, HoverTool
from numpy.typing import NDArray

from explorer.analysis.unknown_map import UnknownMap
from explorer.views.mds_figure import common_window
from explorer.views.plain_figure import dress, equal_units, look_at, plain_figure
from explorer.views.theme import THEMES, class_colour

_COLUMNS = ("x", "y", "colour", "marker", "name", "kind")


class UnknownMapFigure:
    """Small and pale: training samples. Large: new ones, in the colour of the class they got."""

    def __init__(self, theme: str = "light", present: bool = False) -> None:
        self.training: Any = ColumnDataSource({name: [] for name in _COLUMNS})
        self.new: Any = ColumnDataSource({name: [] for name in _COLUMNS})
        self.strange: Any = ColumnDataSource({"x": [], "y": []})
        self.figure: Any = plain_figure()
        plot = self.figure
        plot.xaxis.ticker.desired_num_ticks = plot.yaxis.ticker.desired_num_ticks = 4
        shape = {"marker": "marker", "fill_color": "colour"}
        self._old = plot.scatter(
            "x", "y", source=self.training, size=5, fill_alpha=0.35, line_color=None, **shape
        )
        self._new = plot.scatter("x", "y", source=self.new, size=12, line_width=1.5, **shape)
        self._crosses = plot.scatter(
            "x", "y", source=self.strange, marker="x", size=18, line_width=2
        )
        plot.add_tools(
            HoverTool(renderers=[self._new], tooltips=[("spectrum", "@name"), ("class", "@kind")])
        )
        equal_units(plot)
        self.restyle(theme, present)

    def update(
        self,
        record: UnknownMap,
        predicted: NDArray[np.intp],
        unlike: NDArray[np.bool_],
        names: Sequence[str],
    ) -> None:
        """predicted, unlike, names: of the new samples."""
        self.training.data = _marks(
            record.places, record.y, record.class_names, [""] * len(record.y)
        )
        self.new.data = _marks(record.new, predicted, record.class_names, names)
        self.strange.data = {"x": record.new[unlike, 0], "y": record.new[unlike, 1]}
        for axis, k in ((self.figure.xaxis, 0), (self.figure.yaxis, 1)):
            axis.axis_label = f"axis {k + 1}, {100 * record.explained[k]:.0f} %"
        look_at(self.figure, *common_window([record.places, record.new]))

    def restyle(self, theme: str, present: bool = False) -> None:
        look = THEMES[theme]
        dress(self.figure, theme, present)
        self._new.glyph.line_color = look.ink
        self._crosses.glyph.line_color = look.ink


def _marks(
    places: NDArray[np.float64], y: Any, class_names: Sequence[str], names: Sequence[str]
) -> dict[str, Any]:
    return {
        "x": places[:, 0],
        "y": places[:, 1],
        "colour": [class_colour(int(k)).base for k in y],
        "marker": [class_colour(int(k)).marker for k in y],
        "name": list(names),
        "kind": [class_names[int(k)] for k in y],
    }
