import numpy as np
from bokeh.models import CustomJS

from explorer.views.hover import Probe
from explorer.views.map_figure import MapFigure, SharedFrame
from explorer.views.theme import class_colour, levels


def test_only_a_map_with_a_number_says_what_is_under_the_pointer():
    frame = SharedFrame()
    assert not MapFigure(frame).figure.js_event_callbacks
    drawn = MapFigure(frame, card=1)
    callbacks = drawn.figure.js_event_callbacks
    for event in ("mousemove", "mouseleave", "tap"):
        (callback,) = callbacks[event]
        assert isinstance(callback, CustomJS)
        assert callback.args["card"] == 1
        assert callback.args["levels"] == levels(2)
        assert callback.args["image"] is drawn.image


def test_names_come_with_the_colours_of_their_classes_and_none_switches_the_bars_off():
    probe = Probe()
    probe.name(("a", "b" * 50))
    assert probe.legend.data["name"] == ["a", "b" * 24]
    assert probe.legend.data["colour"] == [class_colour(k).base for k in (0, 1)]
    probe.name(())
    assert probe.legend.data["name"] == []


def test_an_answer_is_sent_as_plain_numbers():
    probe = Probe()
    probe.say(np.array([0.25, 0.75], np.float32))
    assert probe.answer.data["share"] == [0.25, 0.75]


def test_names_from_data_never_become_html():
    drawn = MapFigure(SharedFrame(), card=0)
    (callback,) = drawn.figure.js_event_callbacks["mousemove"]
    assert "innerHTML" not in callback.code
    assert "textContent" in callback.code
