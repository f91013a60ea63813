from bokeh.models import BoxSelectTool

from explorer.views.plain_figure import dress, equal_units, look_at, not_by_touch, plain_figure
from explorer.views.theme import THEMES


def test_a_plain_figure_has_no_tools_no_grid_and_no_logo():
    plot = plain_figure(x_axis_label="x")
    assert plot.toolbar.tools == []
    assert plot.toolbar.logo is None
    assert not any(grid.visible for grid in plot.grid)
    assert plot.xaxis[0].axis_label == "x"


def test_dressing_changes_the_colours_in_place():
    plot = plain_figure()
    for theme in ("light", "dark"):
        dress(plot, theme)
        assert plot.background_fill_color == THEMES[theme].card
        assert plot.xaxis[0].axis_line_color == THEMES[theme].muted


def test_a_figure_of_equal_units_remembers_where_it_looks():
    plot = plain_figure()
    equal_units(plot)
    look_at(plot, 1.0, 2.0, 3.0, 0.0)
    assert plot.tags[:3] == [1.0, 2.0, 3.0]
    assert plot.tags[3] > 0  # never a window without height
    assert (plot.x_range.start, plot.x_range.end) == (-2.0, 4.0)


def test_a_brush_is_switched_off_for_fingers_when_the_figure_is_laid_out():
    plot, tool = plain_figure(), BoxSelectTool()
    not_by_touch(plot, tool)
    (callback,) = plot.js_property_callbacks["change:inner_width"]
    assert callback.args["tool"] is tool
