"""Sliders for any picture: `NAME.interactive(model, data, trees=(1, 100))`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import holoviews as hv
import numpy as np

from explorer.plot import inputs, style


def with_sliders(draw: Callable[..., Any]) -> Callable[..., Any]:
    """Give a picture's function the attribute ``interactive``."""

    def interactive(model: Any, data: Any = None, **controls: Any) -> Any:
        return sliders(draw, model, data, **controls)

    interactive.__doc__ = f"`{draw.__name__}` with a slider or list for every control."
    setattr(draw, "interactive", interactive)  # noqa: B010 (mypy: functions have no such)
    return draw


def sliders(draw: Callable[..., Any], model: Any, data: Any = None, **controls: Any) -> Any:
    """A Panel layout: widgets, and the picture that follows them.

    Parameters
    ----------
    draw : callable
        A function of `explorer.plot`.
    model, data
        As the function takes them. With a family's name or a ForestSpec, knobs of the spec
        (``n_tree``, ``m_try``, ``seed``, ...) can be controls, too; the forest is grown again.
    **controls
        Name of an option to a pair (low, high) for a slider, a list to choose from, a Panel
        widget, or anything else for a fixed value.
    """
    import panel as pn

    style.load()
    widgets = {name: _widget(pn, name, value) for name, value in controls.items()}
    moving = {name: widget for name, widget in widgets.items() if widget is not None}
    fixed = {name: value for name, value in controls.items() if widgets[name] is None}

    def show(**values: Any) -> Any:
        return draw(model, data, **values, **fixed)

    picture = hv.DynamicMap(pn.bind(show, **moving)) if moving else show()
    return pn.Column(*moving.values(), pn.pane.HoloViews(picture))


def _widget(pn: Any, name: str, value: Any) -> Any:
    if isinstance(value, pn.widgets.Widget):
        return value
    if isinstance(value, tuple) and len(value) == 2 and all(_is_number(v) for v in value):
        low, high = value
        kind = pn.widgets.FloatSlider
        if all(isinstance(v, (int, np.integer)) for v in value):
            kind = pn.widgets.IntSlider
        return kind(label=name, start=low, end=high, value=high)
    if isinstance(value, list):
        return pn.widgets.Select(label=name, options=value, value=value[0])
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def split_knobs(model: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The options that are knobs of a spec to be grown here; others are an error in words."""
    from dataclasses import fields

    from explorer.engine import ForestSpec

    known = {field.name for field in fields(ForestSpec)}
    strange = [name for name in options if name not in known]
    if strange or (options and inputs.spec_of(model) is None):
        names = ", ".join(strange or options)
        raise TypeError(
            f"There is no option {names} here. Knobs of a forest can be given with a family's "
            "name or a ForestSpec only."
        )
    return options
