import subprocess
import sys

import panel as pn
import pytest
from bokeh.document import Document
from bokeh.models import ColumnDataSource
from panel.links import Callback

from explorer.app.widgets import (
    ButtonRow,
    Choice,
    LiveFloatSlider,
    LiveIntSlider,
    Style,
    _stepped,
    in_browser,
    text,
)


def test_a_text_that_changes_sends_nothing_but_its_text():
    document, told = Document(), []
    pane = text(Style(), "<b>one</b>")
    model = pn.Column(pane).get_root(document).children[0]
    first = model.text
    for name in model.properties():
        if name != "text":
            model.on_change(name, lambda attr, old, new: told.append(attr))
    pane.object = "<b>two</b>"
    assert model.text == first.replace("one", "two")
    assert told == []


def test_code_for_the_browser_hangs_on_the_model_and_not_on_panels_list():
    source = ColumnDataSource()
    made = pn.widgets.Button(label="Save")
    in_browser(made, "window.go(source, other)", other=source)
    tabs = pn.widgets.RadioButtonGroup(options=["a", "b"])
    in_browser(tabs, "window.show(source.active)", on="active")
    pressed = made.get_root().js_event_callbacks["button_click"][0]
    assert pressed.args["other"] is source
    assert pressed.args["source"].label == "Save"
    assert [c.code for c in tabs.get_root().js_property_callbacks["change:active"]] == [
        "window.show(source.active)"
    ]
    assert made not in Callback.registry


def test_no_part_of_a_page_uses_panels_callbacks():
    """Or all of it would be looked through after every change of a layout."""
    code = (
        "import panel as pn; from panel.links import Callback; from panel.viewable import Viewable;"
        "from explorer.app.layout.page import build; build();"
        "print(Callback._process_callbacks in Viewable._preprocessing_hooks)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False"]


@pytest.mark.parametrize(("sent", "place"), [(-(10**9), 0), (10**9, -1), (10**308, -1), (2, 2)])
def test_a_stepped_slider_takes_the_nearest_place_to_any_number_sent(sent, place):
    turned, options = [], [1, 2, 3, 5, 10]
    widget = _stepped(options, 3, turned.append, lambda: None, {})
    widget.param.update(start=-(10**9), end=10**309, value=1)
    widget.value = sent
    assert turned[-1] == options[place]


def test_a_click_on_a_button_that_was_just_removed_is_ignored():
    row = ButtonRow(options={"A": 0, "B": 1}, value=1)
    row._process_events({"active": 2})  # C was there when the browser sent it
    assert row.value == 1
    row._process_events({"active": 0})
    assert row.value == 0


@pytest.mark.parametrize("kind", [LiveIntSlider, LiveFloatSlider])
def test_a_move_sets_the_value_and_is_not_sent_back(kind):
    slider, told = kind(start=0, end=9, value=3), []
    model = slider.get_root(Document())
    slider.param.watch(lambda event: told.append((event.name, event.new)), "value")
    model.value = 5  # as the browser did
    model.on_change("value", lambda attr, old, new: told.append("sent back"))
    slider._process_events({"value": 5})
    assert (slider.value, told) == (5, [("value", 5)])


def test_the_end_of_a_drag_is_told_like_panels_own():
    slider, ends = LiveFloatSlider(start=0, end=9, value=3), []
    slider.param.watch(lambda event: ends.append(event.new), "value_throttled")
    slider._process_events({"value": 6, "value_throttled": 6})
    assert (slider.value, slider.value_throttled, ends) == (6, 6, [6])


def test_a_choice_that_was_just_removed_is_ignored():
    names = Choice(options=["x1", "x2"], value="x1")
    names._process_events({"value": "x3"})
    assert names.value == "x1"
    names._process_events({"value": "x2"})
    assert names.value == "x2"
    numbers = Choice(options={"one": 1, "two": 2}, value=1)
    numbers._process_events({"value": "2"})
    assert numbers.value == 2
