"""The app's own widgets: Panel's, in our style and with a 5 ms debounce."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import panel as pn
import param
from bokeh.models import CustomJS, CustomJSTickFormatter, PrintfTickFormatter

from explorer.app.gil_yield import give_way
from explorer.data import Knob
from explorer.views.tick_labels import short_number

_ASSETS = Path(__file__).parent / "assets"


@cache
def css(name: str) -> str:
    """The text of one of our style sheets."""
    whole = (_ASSETS / f"{name}.css").read_text(encoding="utf-8")
    lean = re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", whole, flags=re.DOTALL)).strip()
    # Panel's sheet for buttons names six classes in a selector; repeating ours outweighs it
    return re.sub(r"\.bk-btn(?![-\w])", ".bk-btn" * 6, lean) if name == "button" else lean


class Style:
    """Style sheets by kind of widget: short ones, because each widget carries its own copy."""

    slider = css("slider")
    button = css("button")
    field = css("field")
    panes = css("panes")


class _Live(pn.widgets.base.Widget):
    """A slider whose moves reach Python after 5 ms instead of Panel's 50.

    No tooltip over its handle: it would take what it shows, perhaps a feature's name, for HTML.
    """

    _debounce = 5
    tooltips = param.Boolean(default=False)
    __abstract = True

    def _process_events(self, events: dict[str, Any]) -> None:
        """Take a move. Panel makes all fifty parameters writable for it, and back: a tenth of it.

        The end of a drag sets a parameter that is not writable, and goes Panel's way.
        """
        if set(events) != {"value"}:
            super()._process_events(events)
            return
        document = pn.state.curdoc
        if document is not None:
            self._in_process__events[document] = events  # so that it is not sent back
        try:
            self.param.update(**self._process_property_change(events))
        finally:
            self._in_process__events.pop(document, None)


class LiveIntSlider(_Live, pn.widgets.IntSlider):
    """A slider over whole numbers."""


class LiveFloatSlider(_Live, pn.widgets.FloatSlider):
    """A slider over numbers."""


class ButtonRow(pn.widgets.RadioButtonGroup):
    """A row of buttons of which one is lit, whose labels come from the server alone.

    While a document holds its messages back, Panel takes the server's own new labels for a change
    that the browser made: it replaced the options by their labels, and no button was lit.

    A click on a button that was just removed is ignored: it was on its way when the labels changed.
    """

    def _process_property_change(self, props: dict[str, Any]) -> dict[str, Any]:
        given = {name: value for name, value in props.items() if name != "labels"}
        place = given.get("active")
        if place is not None and place not in range(len(self.values)):
            del given["active"]
        changed: dict[str, Any] = super()._process_property_change(given)
        return changed


class Choice(pn.widgets.Select):
    """A list to choose from. A choice that was just removed is ignored: it was on its way."""

    def _process_property_change(self, props: dict[str, Any]) -> dict[str, Any]:
        value = props.get("value")
        known = value in self.labels or value in self.unicode_values
        given = {k: v for k, v in props.items() if k != "value" or known or value == ""}
        changed: dict[str, Any] = super()._process_property_change(given)
        return changed


def in_browser(widget: Any, code: str, on: str = "button_click", **args: Any) -> None:
    """Have a browser run code when the widget is clicked, or a property of its model changes.

    In it, ``source`` is the model; args: other models and values. Panel's own way (jscallback)
    looks through all parts of a page after every change of a layout, to find its callbacks again,
    and stumbles over pages that are built at the same time.
    """
    make = widget._get_model

    def made(*where: Any, **options: Any) -> Any:
        model = make(*where, **options)
        callback = CustomJS(args={"source": model, **args}, code=code)
        if on == "button_click":
            model.js_on_event(on, callback)
        else:
            model.js_on_change(on, callback)
        return model

    widget._get_model = made


ICONS = {
    "play": '<path d="M6 4v12l10-6z" fill="currentColor"/>',
    "pause": '<path d="M6 4h3v12H6zM11 4h3v12h-3z" fill="currentColor"/>',
    "step": '<path d="M5 4v12l8-6zM14 4h2v12h-2z" fill="currentColor"/>',
    "back": '<path d="M15 4v12l-8-6zM4 4h2v12H4z" fill="currentColor"/>',
    "home": '<path d="M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4" fill="none" stroke="currentColor" '
    'stroke-width="1.8"/>',
    "moon": '<path d="M15.5 12A6.5 6.5 0 0 1 8 4.5a6.5 6.5 0 1 0 7.5 7.5z" fill="none" '
    'stroke="currentColor" stroke-width="1.6"/>',
    "screen": '<path d="M3 4h14v9H3zM10 13v3M6 17h8" fill="none" stroke="currentColor" '
    'stroke-width="1.6"/>',
    "link": '<path d="M8.5 11.5l3-3M9 6l2-2a3.2 3.2 0 0 1 4.5 4.5l-2 2M11 14l-2 2a3.2 3.2 0 0 1'
    '-4.5-4.5l2-2" fill="none" stroke="currentColor" stroke-width="1.6"/>',
    "keys": '<path d="M2.5 5.5h15v9h-15zM5 8.5h1M8 8.5h1M11 8.5h1M14 8.5h1M6 11.5h8" '
    'fill="none" stroke="currentColor" stroke-width="1.5"/>',
    "book": '<path d="M10 5.5C8 4 5.5 3.8 3 4v11c2.5-.2 5 0 7 1.5 2-1.5 4.5-1.7 7-1.5V4c-2.5-.2-5 '
    '0-7 1.5zM10 5.5v11" fill="none" stroke="currentColor" stroke-width="1.5"/>',
    "close": '<path d="M5 5l10 10M15 5L5 15" fill="none" stroke="currentColor" '
    'stroke-width="1.8"/>',
    "fold": '<path d="M4 12l6-6 6 6M4 16h12" fill="none" stroke="currentColor" '
    'stroke-width="1.8"/>',
    "copy": '<path d="M7 7h9v9H7zM4 13V4h9" fill="none" stroke="currentColor" stroke-width="1.5"/>',
    "save": '<path d="M10 3.5v8M6.5 8.5 10 12l3.5-3.5M4 13v3.5h12V13" fill="none" '
    'stroke="currentColor" stroke-width="1.6"/>',
    "dice": '<path d="M4 4h12v12H4z" fill="none" stroke="currentColor" stroke-width="1.5"/>'
    '<circle cx="7.5" cy="7.5" r="1.3" fill="currentColor"/>'
    '<circle cx="12.5" cy="12.5" r="1.3" fill="currentColor"/>'
    '<circle cx="10" cy="10" r="1.3" fill="currentColor"/>',
}


def icon(name: str, size: int = 18) -> str:
    """An inline SVG: no icon font, so nothing is fetched from elsewhere."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" width="{size}" '
        f'height="{size}">{ICONS[name]}</svg>'
    )


class Words(pn.pane.HTML):
    """HTML of our own that changes often.

    Panel writes a pane's style sheets again with every change of its text; new ones, so that
    Bokeh looks through all models of the page, which takes as long as growing a forest.
    """

    def _get_model(self, *where: Any, **options: Any) -> Any:
        give_way()  # a page has dozens of texts: a thread that builds it stops between them
        return super()._get_model(*where, **options)

    def _update(self, ref: str, model: Any) -> None:
        model.update(**self._process_param_change({"object": self.object}))


def text(style: Style, html: str = "", **options: Any) -> Words:
    """A pane for HTML of our own; anything from data or a link must be escaped before."""
    give_way()
    options.setdefault("margin", 0)
    return Words(html, stylesheets=[style.panes], **options)


def set_class(part: Any, name: str, on: bool) -> None:
    """Give a part a CSS class or take it; layouts with a display of their own hide so."""
    classes = [c for c in part.css_classes if c != name] + ([name] if on else [])
    if part.css_classes != classes:
        part.css_classes = classes


def plain(value: object) -> str:
    """Any text from data or a link, safe inside HTML."""
    return escape(str(value), quote=True)


def symbols(words: str) -> str:
    """A paper's symbols as HTML: β_m gets its index below the line."""
    return re.sub("_([a-z])(?![a-z])", r"<sub>\1</sub>", plain(words))


def button(style: Style, label: str = "", **options: Any) -> pn.widgets.Button:
    """A button in our style."""
    give_way()
    options.setdefault("margin", 0)
    return pn.widgets.Button(label=label, stylesheets=[style.button], **options)


def _steps(low: float, high: float) -> list[int]:
    """1, 2, 3, 5 times powers of ten between two whole numbers, both ends included."""
    found = {int(low), int(high)}
    power = 1
    while power <= high:
        found |= {m * power for m in (1, 2, 3, 5) if low <= m * power <= high}
        power *= 10
    return sorted(found)


def _stepped(
    options: list[int],
    value: int,
    turned: Callable[[Any], None],
    committed: Callable[[], None],
    common: dict[str, Any],
) -> pn.viewable.Viewable:
    """A slider over 1, 2, 3, 5, 10, ...: a plain slider over places, which shows what is there."""
    widget = LiveIntSlider(
        start=0,
        end=len(options) - 1,
        value=options.index(value),
        format=CustomJSTickFormatter(
            args={"words": [short_number(v) for v in options]}, code="return words[tick]"
        ),
        **common,
    )
    widget.offered = options  # type: ignore[attr-defined]
    last = len(options) - 1  # a client can send any whole number
    widget.param.watch(lambda event: turned(options[min(max(event.new, 0), last)]), "value")
    widget.param.watch(lambda event: committed(), "value_throttled")
    return widget


def bring(widget: Any, value: Any) -> bool:
    """Bring the widget of a knob to a value; False if it does not offer that value."""
    offered = getattr(widget, "offered", None)
    if offered is not None:
        if value not in offered:
            return False
        value = offered.index(value)
    elif isinstance(widget, pn.widgets.Select):
        if value not in widget.values:
            return False
    elif (
        hasattr(widget, "end")
        and widget.end is not None
        and not (widget.start <= value <= widget.end)
    ):
        return False
    if widget.value != value:
        widget.value = value
    return True


def knob_widget(
    style: Style,
    label: str,
    knob: Knob,
    value: Any,
    turned: Callable[[Any], None],
    committed: Callable[[], None],
    tip: str = "",
    steps: list[int] | None = None,
) -> pn.viewable.Viewable:
    """The widget of one knob: list, switch, slider or field, whatever suits its range.

    turned is called with every move, committed at its end. steps: the only values offered.
    """
    common: dict[str, Any] = {
        "label": label,
        "tags": [f"tip:{tip or knob.doc}"],
        "stylesheets": [style.slider],
        "margin": (0, 0, 2, 0),
        "sizing_mode": "stretch_width",
    }
    widget: Any
    live = True
    if steps is not None:
        return _stepped(sorted({*steps, value}), value, turned, committed, common)
    if knob.choices:
        common["stylesheets"] = [style.field]
        widget = pn.widgets.Select(options=list(knob.choices), value=value, **common)
        live = False
    elif isinstance(knob.default, bool):
        common["stylesheets"] = [style.field]
        widget = pn.widgets.Checkbox(value=value, **common)
        live = False
    elif knob.low is None or knob.high is None or knob.high > 100_000:
        common["stylesheets"] = [style.field]
        whole = isinstance(knob.default, int)
        kind = pn.widgets.IntInput if whole else pn.widgets.FloatInput
        widget = kind(value=value, start=knob.low, end=knob.high, **common)
        live = False
    elif isinstance(knob.default, int) and knob.high - knob.low > 60:
        return _stepped(
            sorted({*_steps(knob.low, knob.high), value}), value, turned, committed, common
        )
    elif isinstance(knob.default, int):
        widget = LiveIntSlider(start=int(knob.low), end=int(knob.high), value=value, **common)
    else:
        reach = knob.high - knob.low
        step = 10.0 ** (len(str(int(reach))) - 3) if reach >= 1 else 0.01
        widget = LiveFloatSlider(
            start=knob.low,
            end=max(knob.high, value),
            value=value,
            step=step,
            format=PrintfTickFormatter(format="%.4g"),
            **common,
        )
    widget.param.watch(lambda event: turned(event.new), "value")
    widget.param.watch(lambda event: committed(), "value_throttled" if live else "value")
    return widget
