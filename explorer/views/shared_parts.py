"""Parts of Bokeh figures that hold no state of their own, made once for all maps of a page.

A figure brings about forty models of its own, and every layer seven. Most of them say nothing but
"as usual": a linear scale, a ticker, all rows of a source, no selection. Browser and server keep
and walk through all of them, so maps of one page share theirs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from bokeh.models import (
    AllIndices,
    BasicTicker,
    BoxZoomTool,
    CDSView,
    ColumnDataSource,
    CustomJSTickFormatter,
    LinearScale,
    NoOverlap,
    PanTool,
    ResetTool,
    Selection,
    UnionRenderers,
    WheelZoomTool,
)

from explorer.views.tick_labels import no_overlap, number_formatter

TICKS = 5


def _tools() -> list[Any]:
    return [
        PanTool(),
        WheelZoomTool(zoom_on_axis=False),
        BoxZoomTool(match_aspect=True),
        ResetTool(),
    ]


@dataclass
class SharedParts:
    """Stateless parts of figures; nothing that is drawn from them can be selected by a tool.

    tools: the same for all maps, whose ranges are linked anyway: a tool that is chosen on one map
    is chosen on all. (A shared tool for saving would save all of them.)
    """

    scale: LinearScale = field(default_factory=LinearScale)
    ticker: BasicTicker = field(default_factory=lambda: BasicTicker(desired_num_ticks=TICKS))
    labels: NoOverlap = field(default_factory=no_overlap)
    numbers: CustomJSTickFormatter = field(default_factory=number_formatter)
    tools: list[Any] = field(default_factory=_tools)
    _every_row: AllIndices = field(default_factory=AllIndices)
    _nothing: Selection = field(default_factory=Selection)
    _policy: UnionRenderers = field(default_factory=UnionRenderers)
    _views: WeakKeyDictionary[Any, CDSView] = field(default_factory=WeakKeyDictionary)

    def source(self, data: dict[str, Any], **options: Any) -> Any:
        """A source of columns whose rows are not selected by any tool."""
        return ColumnDataSource(
            data, selected=self._nothing, selection_policy=self._policy, **options
        )

    def add_glyph(self, plot: Any, source: Any, glyph: Any, **options: Any) -> Any:
        """A layer of all rows of a source; layers of one source share their view of it."""
        if source not in self._views:
            self._views[source] = CDSView(filter=self._every_row)
        return plot.add_glyph(source, glyph, view=self._views[source], **options)

    def simplify(self, plot: Any) -> None:
        """Take the parts of a figure that it has in common with others; no grid, no title."""
        plot.update(x_scale=self.scale, y_scale=self.scale, title=None, center=[])
        for axis in plot.axis:
            axis.update(ticker=self.ticker, major_label_policy=self.labels, formatter=self.numbers)
