from types import SimpleNamespace

import pytest
from bokeh.plotting import figure

from explorer.app.pages.picture import Picture, forest_options, hint, tip
from explorer.app.widgets import Style


@pytest.fixture
def style():
    return Style()


def test_the_words_under_a_picture_describe_it_to_those_who_do_not_see_it(style):
    picture = Picture(style, "Errors", "errors", figure())
    picture.title("Errors", "5 runs")
    picture.say("RF <is> best.", "m_try")
    attributes = picture.figure.html_attributes
    assert attributes["role"] == "figure"
    assert attributes["aria-label"] == "Errors, 5 runs. RF <is> best."
    assert "RF &lt;is&gt; best." in picture.words.object


def test_a_fault_is_marked_and_escaped(style):
    picture = Picture(style, "Errors", "errors", figure())
    picture.fault("No <data>.")
    assert 'class="note fault"' in picture.words.object
    assert "No &lt;data&gt;." in picture.words.object


def test_a_table_scrolls_by_keyboard_too(style):
    picture = Picture(style, "Samples", "samples")
    picture.fill("<table></table>")
    assert 'tabindex="0" role="region" aria-label="Samples"' in picture.body.object


def test_tooltips_are_plain_text():
    assert tip("<b>a</b>").content == "&lt;b&gt;a&lt;/b&gt;"
    assert hint("a", "left").value.position == "left"


def test_many_forests_are_named_by_their_letters_alone():
    models = [SimpleNamespace(family=f, has_trees=f != "knn") for f in ("RF", "knn", "F-RC")]
    assert forest_options(models) == {"A RF": 0, "B knn": 1, "C F-RC": 2}
    assert forest_options(models, only_forests=True) == {"A RF": 0, "C F-RC": 2}
    assert list(forest_options([*models, models[0]])) == ["A", "B", "C", "D"]
