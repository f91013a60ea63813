"""What leaves the app as a file: the menu of a picture and what Python sends."""

import numpy as np
from bokeh.plotting import figure

from explorer.app.export import download
from explorer.app.export.download import Outbox, save_button
from explorer.app.export.map_csv import grid_csv
from explorer.app.state.plane_choice import Window
from explorer.app.widgets import Style
from explorer.data import load


def sent(outbox):
    return bytes(outbox.source.data["content"])


def test_a_file_is_made_when_the_browser_asks_for_it_by_name():
    made = []
    outbox = Outbox({"a.csv": lambda: made.append(1) or b"x,y\n", "b.csv": lambda: b"other"})
    assert made == []
    outbox.source.tags = ["a.csv", 1]
    assert (outbox.source.name, sent(outbox)) == ("a.csv", b"x,y\n")
    outbox.source.tags = ["b.csv", 2]
    assert (outbox.source.name, sent(outbox)) == ("b.csv", b"other")


def test_what_is_no_name_of_a_file_is_ignored():
    outbox = Outbox({"a.csv": lambda: b"x"})
    for odd in ([], ["../a.csv"], [None], [["a.csv"]], [{"a": 1}], [7]):
        outbox.source.tags = odd
    assert outbox.source.name is None
    assert sent(outbox) == b""


def test_a_file_that_cannot_be_made_is_a_sentence_and_nothing_is_sent(caplog):
    said = []

    def refused():
        load("no such data")  # an error of our own, in words

    def broken():
        raise ZeroDivisionError("secret")

    outbox = Outbox({"a": refused, "b": broken}, said.append)
    outbox.source.tags = ["a", 1]
    outbox.source.tags = ["b", 2]
    assert "no such data" in said[0]
    assert said[1:] == ["This file could not be made. Try another setting."]
    assert sent(outbox) == b""
    assert "ZeroDivisionError" in caplog.text
    assert len(caplog.records) == 1


def test_a_file_too_large_for_a_browser_is_refused_with_its_size(monkeypatch):
    said = []
    monkeypatch.setattr(download, "LARGEST", 2_000_000)
    outbox = Outbox({"a": lambda: bytes(3_000_000)}, said.append)
    outbox.source.tags = ["a", 1]
    assert "3 MB" in said[0]
    assert sent(outbox) == b""


def test_a_table_without_a_figure_offers_numbers_only():
    drawn = save_button(Style(), "map", "map", figure(), lambda: "x\n")
    table = save_button(Style(), "classes", "classes", None, lambda: "x\n")
    clicks = [one.get_root().js_event_callbacks["button_click"][0] for one in (drawn, table)]
    kinds = [click.args["kinds"] for click in clicks]
    assert kinds == [["png", "svg", "csv"], ["csv"]]


def test_the_csv_of_a_map_has_one_row_per_pixel_and_quotes_names():
    values = np.arange(12, dtype=np.float32).reshape(2, 3, 2)
    text = grid_csv(values, Window(0, 3, 10, 12), ['a "b"', "c,d", "not there"])
    lines = text.splitlines()
    assert lines[0] == '"across","up","a ""b""","c,d"'
    assert lines[1] == "0.5,10.5,0,1"
    assert lines[-1] == "2.5,11.5,10,11"
    assert len(lines) == 7
