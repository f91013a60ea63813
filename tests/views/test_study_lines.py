import numpy as np
from bokeh.models import GlyphRenderer
from bokeh.models.annotations import Legend, Whisker

from explorer.views.study_lines import Curve, study_lines


def glyphs(plot):
    return [r.glyph for r in plot.renderers if isinstance(r, GlyphRenderer)]


def kinds(plot):
    return [type(g).__name__ for g in glyphs(plot)]


def test_a_curve_has_a_line_a_band_and_its_name_at_the_end():
    plot = study_lines(
        [Curve("RF", [1, 2], [0.1, 0.2], [0.0, 0.1], [0.2, 0.3]), Curve("F-RC", [1, 2], [0.3, 0.1])]
    )
    assert kinds(plot).count("Line") == 2
    assert kinds(plot).count("VArea") == 1
    (names,) = [r for r in plot.renderers if type(r.glyph).__name__ == "Text"]
    assert names.data_source.data["text"] == ["RF", "F-RC"]


def test_one_curve_alone_has_no_name():
    assert "Text" not in kinds(study_lines([Curve("RF", [1, 2], [0.1, 0.2])]))


def test_printed_values_are_rings_without_a_line():
    plot = study_lines([Curve("paper", [1, 2], [0.1, 0.2], printed=True)])
    assert kinds(plot) == ["Scatter"]
    assert glyphs(plot)[0].fill_color is None


def test_a_roc_has_a_diagonal_a_legend_and_whiskers_in_both_directions():
    y = np.array([0.0, 0.5, 1.0])
    curve = Curve("RF", y, y, y - 0.1, y + 0.1, across=(y - 0.1, y + 0.1))
    plot = study_lines([curve], chance=True)
    assert kinds(plot).count("Line") == 2
    assert len(plot.select(type=Whisker)) == 2
    (legend,) = plot.select(type=Legend)
    assert [item.label.value for item in legend.items] == ["RF"]


def test_names_do_not_overlap_where_curves_end_together():
    plot = study_lines([Curve(n, [1, 2], [0.1, 0.2]) for n in ("a", "b", "c")])
    (names,) = [r for r in plot.renderers if type(r.glyph).__name__ == "Text"]
    y = np.sort(names.data_source.data["y"])
    assert (np.diff(y) > 0).all()
    assert y.max() <= plot.y_range.end
