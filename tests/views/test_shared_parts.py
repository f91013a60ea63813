from bokeh.models import Line
from bokeh.plotting import figure

from explorer.views.map_figure import MapFigure, SharedFrame
from explorer.views.shared_parts import SharedParts


def test_layers_of_one_source_share_their_view_of_it():
    parts, plot = SharedParts(), figure()
    source, other = parts.source({"x": [], "y": []}), parts.source({"x": [], "y": []})
    one, two, three = (
        parts.add_glyph(plot, s, Line(x="x", y="y")) for s in (source, source, other)
    )
    assert one.view is two.view
    assert one.view is not three.view
    assert one.view.filter is three.view.filter


def test_a_simplified_figure_has_no_grid_and_no_title_and_numbers_in_our_notation():
    parts, plot = SharedParts(), figure(title="gone")
    parts.simplify(plot)
    assert (plot.title, plot.center) == (None, [])
    assert {axis.formatter for axis in plot.axis} == {parts.numbers}
    assert {axis.ticker for axis in plot.axis} == {parts.ticker}


def test_a_further_map_of_a_page_adds_few_models():
    frame = SharedFrame()
    one = set(MapFigure(frame, card=0).figure.references())
    two = set(MapFigure(frame, card=1).figure.references())
    assert len(two - one) <= 25


def test_maps_share_their_tools_but_each_is_saved_by_itself():
    frame = SharedFrame()
    one, two = (MapFigure(frame).figure.toolbar.tools for _ in range(2))
    different = [tool for tool, other in zip(one, two, strict=True) if tool is not other]
    assert [type(tool).__name__ for tool in different] == ["SaveTool"]
