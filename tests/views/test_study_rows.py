import numpy as np
import pytest
from bokeh.models.annotations import Legend

from explorer.views.study_rows import Marks, study_rows


def test_rows_run_from_top_to_bottom_with_a_mark_for_every_known_value():
    plot = study_rows(["first", "second"], [Marks("RF", [0.1, np.nan])])
    assert plot.y_range.factors == ["second", "first"]
    (marks,) = plot.renderers
    assert list(marks.data_source.data["row"]) == ["first"]


def test_printed_marks_are_open_and_named_in_the_legend():
    plot = study_rows(["a"], [Marks("RF", [1.0]), Marks("RF, printed", [2.0], printed=True)])
    assert plot.renderers[1].glyph.fill_color is None
    (legend,) = plot.select(type=Legend)
    assert [item.label.value for item in legend.items] == ["RF", "RF, printed"]


def test_one_model_alone_needs_no_legend():
    assert len(study_rows(["a"], [Marks("RF", [1.0])]).select(type=Legend)) == 0


def test_bars_begin_at_the_line_and_intervals_are_segments():
    plot = study_rows(["a"], [Marks("RF", [1.0], [0.5], [1.5])], bars=True, line_at=0.8)
    kinds = [type(r.glyph).__name__ for r in plot.renderers]
    assert kinds == ["Line", "HBar", "Segment", "Scatter"]
    assert plot.renderers[1].glyph.left == 0.8


@pytest.mark.parametrize("log", [False, True])
def test_the_range_holds_every_value(log):
    plot = study_rows(["a", "b"], [Marks("RF", [0.5, 40.0])], log=log)
    assert plot.x_range.start < 0.5
    assert plot.x_range.end > 40.0
