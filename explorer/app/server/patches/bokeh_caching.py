"""Caches in Bokeh and Panel for work that they repeat.

A page of ours has some 300 Bokeh models with 15 000 properties. Bokeh works out the default of a
property anew whenever it is read, and a page is read four times before it stands: that was half
of the time it took. A default that Bokeh itself calls stable is the same for every model of a
class, so it is worked out once.

For every message either way Bokeh lists all models of a page with their references; the list is
kept until the models change.

A model that comes and goes within one message is not noted by Bokeh as one that was there, and what
a browser still says of it would be a fault; it is dropped like what it says of others that went.

A press that arrives while a slider's value waits to be dealt with is handled by Panel without the
document's lock, unless the handler asks for it; ours change Bokeh models, so it does.

Which style sheets a design brings for a kind of widget Panel works out for every widget, asking the
disk each time whether they are still there; and Bokeh takes every callback's signature apart. The
two were a quarter of the time a page takes. (A thread that asks the disk all the time also
keeps Python's lock from others: it lets go of it for too short to be taken and
too often for their time to come.)

Panel keeps count, for an indicator that we do not show, of the callbacks that run; it did so four
times for every move of a slider, each as dear as all the rest of that callback.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import bokeh.util.callback_manager as callback_manager
import panel as pn
from bokeh.core.has_props import HasProps
from bokeh.core.property.descriptors import PropertyDescriptor, UnsetValueError
from bokeh.core.property.singletons import Undefined
from bokeh.core.property.wrappers import PropertyValueContainer
from bokeh.core.serialization import Serializer
from bokeh.document.models import DocumentModelManager
from panel.reactive import Syncable
from panel.theme.base import Design

from explorer.app.work.gil_yield import give_way

_stable: dict[tuple[type, str], Any] = {}


@cache
def _is_unstable(descriptor: PropertyDescriptor[Any], cls: type[HasProps]) -> bool:
    return _has_unstable_default(descriptor, cls)


@cache
def _overridden(cls: type[HasProps]) -> dict[str, Any]:
    return _overridden_defaults(cls)


def _default(self: PropertyDescriptor[Any], obj: HasProps) -> Any:
    """What `PropertyDescriptor._get_default` gives."""
    give_way()  # nothing is done so often while a page is built
    name, cls = self.name, obj.__class__
    themed = obj.themed_values()
    is_themed = themed is not None and name in themed
    own = obj._unstable_themed_values if is_themed else obj._unstable_default_values
    if name in own:
        return own[name]
    if not is_themed and (cls, name) in _stable:
        return _stable[cls, name]
    default = self.instance_default(obj)
    if _is_unstable(self, cls):
        if isinstance(default, PropertyValueContainer):
            default._register_owner(obj, self)
        own[name] = default
    elif not is_themed and not isinstance(default, (list, dict, set)):
        _stable[cls, name] = default
    return default


def _values(
    self: HasProps, query: Any, *, include_defaults: bool = True, include_undefined: bool = False
) -> dict[str, Any]:
    """What `HasProps.query_properties_with_values` gives; a default left out is not looked up."""
    if include_defaults:
        return _all_values(self, query, include_undefined=include_undefined)
    cls, own, themed = self.__class__, self._unstable_default_values, self.themed_values() or {}
    found: dict[str, Any] = {}
    for name in self.properties(_with_props=True):
        chosen = name in self._property_values or name in own or name in themed
        if not chosen and (cls, name) in _stable:
            continue
        descriptor = self.lookup(name)
        if not query(descriptor):
            continue
        try:
            value = descriptor.get_value(self)
        except UnsetValueError:
            if not include_undefined:
                raise
            found[name] = Undefined
            continue
        untouched = name in own and name not in themed and isinstance(value, PropertyValueContainer)
        if chosen and not untouched:
            found[name] = value
    return found


class _Synced(set[Any]):
    """Models that a browser knows, and their references by identity."""

    refs: dict[int, Any]


def _synced(self: DocumentModelManager) -> _Synced:
    """What `DocumentModelManager.synced_references` gives."""
    kept: tuple[Any, _Synced] | None = self.__dict__.get("_lean_synced")
    if kept is None or kept[0] is not self._models:  # it is made anew whenever models change
        every = _Synced(self._models.values())
        every.refs = {id(model): model.ref for model in every}
        kept = self._lean_synced = (self._models, every)  # type: ignore[attr-defined]
    if not self._new_models:
        return kept[1]
    known = _Synced(model for model in kept[1] if model not in self._new_models)
    known.refs = {id(model): kept[1].refs[id(model)] for model in known}
    return known


def _serializer(self: Serializer, *, references: Any = frozenset(), **options: Any) -> None:
    """What `Serializer.__init__` does."""
    if isinstance(references, _Synced):
        _make_serializer(self, **options)
        self._references = references.refs.copy()
    else:
        _make_serializer(self, references=references, **options)


def _modifiers(
    cls: type[Design], viewable: Any, theme: Any = None, isolated: bool = True
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What `Design._get_modifiers` gives: fresh dicts, which Panel changes."""
    document = pn.state.curdoc
    served = bool(document is not None and document.session_context)
    kind = theme if isinstance(theme, type) or theme is None else type(theme)
    key = cls, type(viewable), kind, isolated, served
    if key not in _designed:
        _designed[key] = _get_modifiers(cls, viewable, theme, isolated)
    own, children = _designed[key]
    return {k: list(v) if isinstance(v, list) else v for k, v in own.items()}, dict(children)


_designed: dict[Any, tuple[dict[str, Any], dict[str, Any]]] = {}
_get_modifiers: Any = Design._get_modifiers.__func__  # type: ignore[attr-defined]
_make_serializer: Any = Serializer.__init__
_has_unstable_default: Any = PropertyDescriptor.has_unstable_default
_all_values: Any = HasProps.query_properties_with_values
_overridden_defaults: Any = HasProps._overridden_defaults.__func__  # type: ignore[attr-defined]


def install() -> None:
    """Have Bokeh remember, and Panel lock and not count, from now on and in this process."""
    setattr(Syncable._event_coroutine, "lock", True)  # noqa: B010
    setattr(Syncable._change_coroutine, "lock", True)  # noqa: B010
    for name in ("_add_busy_event", "_remove_busy_event"):
        setattr(type(pn.state), name, lambda self, event_id: None)
    # most models have no theme of their own, and that they have none took longest to find out
    setattr(  # noqa: B010
        HasProps, "themed_values", lambda self: self.__dict__.get("__themed_values__")
    )
    setattr(Design, "_get_modifiers", classmethod(_modifiers))  # noqa: B010
    setattr(callback_manager, "_check_callback", lambda *args, **options: None)  # noqa: B010
    setattr(DocumentModelManager, "seen", lambda self, id: True)  # noqa: B010
    setattr(DocumentModelManager, "synced_references", property(_synced))  # noqa: B010
    setattr(Serializer, "__init__", _serializer)  # noqa: B010
    setattr(HasProps, "_overridden_defaults", classmethod(cast("Any", _overridden)))  # noqa: B010
    setattr(HasProps, "query_properties_with_values", _values)  # noqa: B010
    setattr(PropertyDescriptor, "_get_default", _default)  # noqa: B010
    setattr(  # noqa: B010
        PropertyDescriptor,
        "has_unstable_default",
        lambda self, obj: _is_unstable(self, obj.__class__),
    )
