"""Which properties a browser may change, and which events it may send.

Everything else is refused before it is applied: new models, columns streamed or patched into a
picture, the end of a slider, a text of ours. The list is one of model classes:

- The value of a widget, of any widget: `WIDGET_VALUES`. A new widget of Panel needs no line here.
- What Bokeh and our own scripts in the browser write elsewhere: `OTHERS`, by class.
- The data and tags of a source only where Python or a script listens to them on that very source:
  questions, the pen, own files and downloads. The picture of a map has no listener.
- Events only if Python subscribed to them on that very model, so a browser sends them.

If a page needs more, its browser test fails with "Unhandled ERROR reply" in the console, and the
server's log names the class and the property that are missing here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from bokeh.model import DataModel
from bokeh.models import Axis, ColumnDataSource, Plot, Range1d, Selection, Tabs, Tool
from bokeh.models.annotations import Legend
from bokeh.models.ui.tooltips import Tooltip
from bokeh.models.widgets.buttons import AbstractButton
from bokeh.models.widgets.sliders import AbstractSlider
from bokeh.models.widgets.widget import Widget
from panel.models.layout import Card

WIDGET_VALUES = frozenset(
    {
        "value",
        "value_input",  # a text while it is typed
        "value_throttled",  # a slider that was let go
        "active",  # toggles, check boxes and groups of buttons
        "color",
        "clicks",
        "filename",
        "mime_type",
    }
)
OTHERS: dict[type[Any], frozenset[str]] = {
    # what a figure measured, and borders that our scripts set on narrow and on square figures
    Plot: frozenset({"inner_width", "inner_height", "outer_width", "outer_height"})
    | {f"min_border_{side}" for side in ("left", "right", "top", "bottom")},
    Range1d: frozenset({"start", "end"}),  # pan, zoom and equal units
    Selection: frozenset({"indices"}),  # lasso, box and tap
    Axis: frozenset({"visible"}),  # no ticks on a narrow map
    Legend: frozenset({"visible"}),  # over a narrow square, beside a wide one
    Tool: frozenset({"active"}),  # no brush for a finger
    Tooltip: frozenset({"visible"}),
    AbstractButton: frozenset({"label"}),  # "Copied"
    AbstractSlider: frozenset({"css_classes"}),  # the first slider pulses until it is touched
    Tabs: frozenset({"active"}),
    Card: frozenset({"collapsed"}),
}
LISTENED = {ColumnDataSource: frozenset({"data", "tags"})}
DOCUMENT_EVENTS = frozenset({"document_ready", "client_reconnected"})
GONE = "gone"  # a model that was there when the browser wrote; such messages are dropped


@cache
def changeable(kind: type[Any]) -> frozenset[str]:
    """Properties of a class that a browser may change on any model."""
    names: set[str] = set()
    if issubclass(kind, Widget):
        names |= WIDGET_VALUES
    for base, more in OTHERS.items():
        if issubclass(kind, base):
            names |= more
    return frozenset(names & set(kind.properties()))


def may_change(model: Any, name: str) -> bool:
    """Whether a browser may change this property of this model."""
    kind: Any = type(model)
    if name in changeable(kind):
        return True
    if isinstance(model, DataModel):  # the data of a component with JavaScript of its own
        return name in kind.properties() and _is_heard(model, name)
    for base, names in LISTENED.items():
        if isinstance(model, base) and name in names:
            return _is_heard(model, name)
    return False


def _is_heard(model: Any, name: str) -> bool:
    return bool(model._callbacks.get(name) or model.js_property_callbacks.get(f"change:{name}"))


def changed_by(content: Mapping[str, Any], models: Any) -> tuple[str | None, list[tuple[str, str]]]:
    """What stands against a change of the document, and the (model, property) that it sets.

    content: as in a message, not decoded; models: of the document. The first is None if all of it
    is allowed, `GONE` if a model is no longer there, else "Class.property" of what is not allowed.
    """
    changed: list[tuple[str, str]] = []
    for event in content["events"]:
        kind = event.get("kind") if type(event) is dict else None
        if kind == "ModelChanged" and len(event) == 4:
            where, name = _id_of(event.get("model")), event.get("attr")
            model = None if where is None else models.get_by_id(where)
            if where is None or type(name) is not str or "new" not in event:
                return "ModelChanged", changed
            if model is None:
                return GONE, changed
            if not may_change(model, name):
                return f"{type(model).__name__}.{name[:60]}", changed
            changed.append((where, name))
        elif kind == "MessageSent" and event.get("msg_type") == "bokeh_event" and len(event) == 3:
            refused = _refused_event(event.get("msg_data"), models)
            if refused is not None:
                return refused, changed
        else:
            return str(kind)[:60], changed
    return None, changed


def _refused_event(data: Any, models: Any) -> str | None:
    if type(data) is not dict or data.get("type") != "event" or type(data.get("name")) is not str:
        return "MessageSent"
    name, values = data["name"], data.get("values")
    if type(values) is not dict or values.get("type") != "map":
        return "MessageSent"
    if name in DOCUMENT_EVENTS:
        return None
    about = next((value for key, value in values.get("entries", []) if key == "model"), None)
    where = _id_of(about)
    if where is None:
        return f"event {name[:60]}"
    model = models.get_by_id(where)
    if model is None:
        return GONE
    if name in model.subscribed_events:
        return None
    return f"event {name[:60]} of {type(model).__name__}"


def _id_of(reference: Any) -> str | None:
    if type(reference) is dict and len(reference) == 1 and type(reference.get("id")) is str:
        return str(reference["id"])
    return None
