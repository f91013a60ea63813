import json

import numpy as np
import pytest
from bokeh.document import Document
from bokeh.models import ColumnDataSource, Div, Range1d

from explorer.app.session.frame_message import KIND, WORD, frame_message, frame_of


@pytest.fixture
def page():
    """A document with a source, a text and a range; and its changes from now on."""
    document, events = Document(), []
    models = ColumnDataSource(), Div(), Range1d()
    for model in models:
        document.add_root(model)
    document.on_change(events.append)
    return models, events


def array_of(about, content):
    dtype = np.dtype(about["dtype"])
    size = dtype.itemsize * int(np.prod(about["shape"]))
    return content[about["at"] : about["at"] + size].view(dtype).reshape(about["shape"])


def test_pictures_lines_texts_and_ranges_are_one_text_and_one_run_of_bytes(page):
    (source, words, across), events = page
    picture = np.arange(15, dtype=np.uint8).reshape(3, 5)
    line = np.array([0.5, np.nan], np.float32)
    source.data = {"image": [picture, picture], "x": line, "dw": [2.0, 3.0]}
    words.text = "<b>5 %</b>"
    across.end = 3.5
    text, content = frame_of(events)
    (first, data, columns), second, third = json.loads(text)
    assert (first, data) == (source.id, "data")
    assert second == [words.id, "text", "<b>5 %</b>"]
    assert third == [across.id, "end", 3.5]
    assert np.array_equal(array_of(columns["image"][1], content), picture)
    assert np.array_equal(array_of(columns["x"], content), line, equal_nan=True)
    assert columns["x"]["at"] % WORD == 0
    assert columns["dw"] == [2.0, 3.0]


def test_a_message_has_one_event_and_one_buffer(page):
    (source, words, _), events = page
    source.data = {"x": np.zeros(3), "y": np.ones(3)}
    words.text = "words"
    message = frame_message(events)
    (event,) = message.content["events"]
    assert (event["kind"], event["msg_type"]) == ("MessageSent", KIND)
    assert message.header["num_buffers"] == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda source, words: setattr(words, "css_classes", ["old"]),
        lambda source, words: setattr(source, "data", {"x": [float("nan")]}),
        lambda source, words: setattr(source, "data", {"x": np.array(["a"])}),
        lambda source, words: source.stream({"x": [1.0]}),
    ],
)
def test_what_is_not_plain_is_left_to_bokeh(page, change):
    (source, words, _), events = page
    source.data = {"x": [0.0]}
    change(source, words)
    assert frame_message(events) is None
