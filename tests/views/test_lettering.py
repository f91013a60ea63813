from bokeh.plotting import figure

from explorer.views.lettering import FONT, letter, letter_marks, type_size


def test_everything_that_is_written_has_one_font_and_is_larger_on_a_wall():
    plot = figure(title="t")
    marks = plot.text(x=[0], y=[0], text=["a"])
    for present in (False, True):
        letter(plot, present)
        letter_marks(marks, present)
        size = type_size(present)
        axis = plot.xaxis[0]
        assert plot.title.text_font == axis.axis_label_text_font == FONT
        assert plot.title.text_font_size == axis.major_label_text_font_size == size
        assert marks.glyph.text_font_size == size
    assert int(type_size(True).removesuffix("px")) > int(type_size(False).removesuffix("px"))
