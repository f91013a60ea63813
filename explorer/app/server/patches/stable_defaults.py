"""Bokeh's properties: a default that is the same for all models of a class is worked out once.

What: `PropertyDescriptor._get_default` evaluates the default of a property again whenever it is
read, and a page of 200 models reads 10 000 properties several times before it is sent. A default
that Bokeh itself calls stable, and that is not a container, is kept by class and name.
Why: without it a page takes a quarter more processor time to open (benchmarks/patches.py).
Upstream: none that we know of.
Versions: Bokeh 3.8 and 3.9.
Off switch: EXPLORER_PATCHES_OFF=stable_defaults.
Test: tests/app/server/patches/test_stable_defaults.py.
"""

from __future__ import annotations

from typing import Any

from bokeh.core.has_props import HasProps
from bokeh.core.property.descriptors import PropertyDescriptor

from explorer.app.server.patches import is_off

_get_default: Any = PropertyDescriptor._get_default
_stable: dict[tuple[type[HasProps], str], Any] = {}
_unstable: set[tuple[type[HasProps], str]] = set()


def _kept_default(self: PropertyDescriptor[Any], obj: HasProps) -> Any:
    """What `PropertyDescriptor._get_default` gives."""
    name = self.name
    themed = obj.__dict__.get("__themed_values__")
    if themed is not None and name in themed:
        return _get_default(self, obj)
    key = obj.__class__, name
    if key in _stable:
        return _stable[key]
    default = _get_default(self, obj)
    if key not in _unstable:
        if self.has_unstable_default(obj) or isinstance(default, (list, dict, set)):
            _unstable.add(key)
        else:
            _stable[key] = default
    return default


def install() -> None:
    """Have Bokeh keep defaults from now on, in this process."""
    if not is_off("stable_defaults"):
        setattr(PropertyDescriptor, "_get_default", _kept_default)  # noqa: B010 (mypy: a method)
