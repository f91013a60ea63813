"""A browser may change what widgets change, and nothing else."""

import inspect

import panel as pn
import pytest
from bokeh.document import Document
from bokeh.events import Tap
from bokeh.models import Button, Column, ColumnDataSource, CustomJS, Div, Slider, Widget
from bokeh.plotting import figure

from app.screen import screen_of
from explorer.app.layout.page import Pages
from explorer.app.pages.controls import Controls
from explorer.app.server.allowed_changes import GONE, changeable, changed_by, may_change
from explorer.app.state.visitor import PAGES

# of every widget of Panel, also those that no page has yet; their models are Bokeh widgets
WIDGETS = sorted(
    {
        one._widget_type
        for one in vars(pn.widgets).values()
        if inspect.isclass(one)
        and issubclass(one, pn.widgets.Widget)
        and inspect.isclass(getattr(one, "_widget_type", None))
        and issubclass(one._widget_type, Widget)
        and {"value", "active"} & set(one._widget_type.properties())
    },
    key=lambda kind: kind.__name__,
)


@pytest.fixture
def page():
    """A document with a slider, a button, a figure with a picture, and sources."""
    document = Document()
    plot = figure()
    renderer = plot.image("image", x=0, y=0, dw=1, dh=1, source=ColumnDataSource({"image": []}))
    plot.on_event(Tap, lambda event: None)
    asked = ColumnDataSource({"x": []}, name="asked")
    asked.on_change("data", lambda attr, old, new: None)
    answered = ColumnDataSource({"x": []}, name="answered")
    answered.js_on_change("data", CustomJS(code="1"))
    slider, button, words = Slider(start=0, end=9, value=1), Button(), Div(tags=[asked, answered])
    document.add_root(Column(children=[slider, button, words, plot]))
    document.add_root(asked)
    document.add_root(answered)
    return document, slider, button, plot, renderer.data_source, asked, answered


def change(model, name, new=1):
    return {"kind": "ModelChanged", "model": {"id": model.id}, "attr": name, "new": new}


def event(name, model=None):
    entries = [] if model is None else [["model", {"id": model.id}]]
    data = {"type": "event", "name": name, "values": {"type": "map", "entries": entries}}
    return {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": data}


def verdict(document, *events):
    return changed_by({"events": list(events)}, document.models)[0]


@pytest.mark.parametrize("kind", WIDGETS, ids=lambda kind: kind.__name__)
def test_the_value_of_any_widget_of_panel_may_be_changed(kind):
    assert {"value", "active"} & changeable(kind)
    assert not {"start", "end", "options", "title", "text", "stylesheets"} & changeable(kind)


def test_the_value_of_a_slider_may_be_changed_and_its_end_not(page):
    document, slider, *_ = page
    assert verdict(document, change(slider, "value"), change(slider, "value_throttled")) is None
    assert verdict(document, change(slider, "value"), change(slider, "end")) == "Slider.end"


def test_what_is_changed_is_named_by_model_and_property(page):
    document, slider, _, plot, *_ = page
    events = [change(slider, "value"), change(plot.x_range, "tags")]
    refused, changed = changed_by({"events": events}, document.models)
    assert refused == "DataRange1d.tags"
    assert changed == [(slider.id, "value")]


def test_sources_take_data_only_where_somebody_listens(page):
    *_, image, asked, answered = page
    assert may_change(asked, "data")
    assert may_change(answered, "data")
    assert not may_change(asked, "tags")
    assert not may_change(image, "data")
    assert not may_change(image, "name")


def test_events_come_only_from_models_that_python_subscribed_to(page):
    document, slider, button, plot, *_ = page
    button.on_event("button_click", lambda: None)
    assert verdict(document, event("tap", plot), event("button_click", button)) is None
    assert verdict(document, event("document_ready")) is None
    assert verdict(document, event("pan", plot)) == "event pan of figure"
    assert verdict(document, event("button_click", slider)) == "event button_click of Slider"
    assert verdict(document, event("connection_lost")) == "event connection_lost"


@pytest.mark.parametrize(
    "kind", ["ColumnsPatched", "ColumnsStreamed", "ColumnDataChanged", "RootAdded", "TitleChanged"]
)
def test_no_other_kind_of_event_is_taken(page, kind):
    document, *_, image, _, _ = page
    assert verdict(document, change(image, "data") | {"kind": kind}) == kind


@pytest.mark.parametrize(
    "odd",
    [
        None,
        [],
        {},
        {"kind": []},
        {"kind": "ModelChanged"},
        {"kind": "ModelChanged", "model": "p1", "attr": "value", "new": 1},
        {"kind": "ModelChanged", "model": {"id": ["p1"]}, "attr": "value", "new": 1},
        {"kind": "ModelChanged", "model": {"id": "p1"}, "attr": ["value"], "new": 1},
        {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": 1},
        {"kind": "MessageSent", "msg_type": "other", "msg_data": {}},
        {
            "kind": "MessageSent",
            "msg_type": "bokeh_event",
            "msg_data": {"type": "event", "name": "tap", "values": 1},
        },
    ],
)
def test_what_is_no_event_is_refused_by_a_name(page, odd):
    assert isinstance(verdict(page[0], odd), str)


def test_a_change_of_a_model_that_is_gone_is_dropped(page):
    document, slider, *_ = page
    assert verdict(document, change(slider, "value"), change(Slider(), "value")) == GONE
    assert verdict(document, event("tap", Button())) == GONE


def test_every_widget_on_every_page_of_ours_has_a_value_to_change(new_session):
    session = new_session("d.n=60&model=RF~n_tree:2")
    controls = Controls(session)
    screen = screen_of(session)
    pages = Pages(screen, controls)
    for name in PAGES:
        session.open_page(name)
    parts = [screen.stage, screen.sidebar.view, controls.row, controls.tabs, pages.controls]
    widgets = [w for part in parts for w in part.select(pn.widgets.Widget)]
    assert len(widgets) > 50
    silent = (pn.widgets.Button, pn.widgets.TooltipIcon)  # a button's click is an event
    for widget in widgets:
        model = widget.get_root()
        if isinstance(model, Widget) and not isinstance(widget, silent):
            assert {"value", "active"} & changeable(type(model)), widget
