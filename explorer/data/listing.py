"""The list of data sets. A new one is a file with ENTRIES and one line in SOURCES."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from explorer.data.dataset import Dataset
    from explorer.data.entry import Entry

# In the order in which people should meet them. Imported when the catalogue is first asked for,
# so that `import explorer.data` stays light.
SOURCES = (
    "explorer.data.generators.clouds",
    "explorer.data.generators.mixture",
    "explorer.data.generators.curves",
    "explorer.data.generators.circles",
    "explorer.data.generators.boards",
    "explorer.data.generators.norms",
    "explorer.data.generators.gaussian",
    "explorer.data.generators.spectra",
    "explorer.data.bundled.spectra",
    "explorer.data.bundled.tables",
    "explorer.data.bundled.sklearn_sets",
    "explorer.data.bundled.digits",
)


@cache
def _entries() -> Mapping[str, Entry]:
    from explorer.data.entry import GROUPS

    found: dict[str, Entry] = {}
    for source in SOURCES:
        for entry in import_module(source).ENTRIES:
            if entry.name in found:
                raise RuntimeError(f"Two data sets are named '{entry.name}' in the catalogue.")
            found[entry.name] = entry
    order = sorted(found, key=lambda name: GROUPS.index(found[name].group))  # stable
    return MappingProxyType({name: found[name] for name in order})


def catalogue() -> Mapping[str, Entry]:
    """Name -> Entry of every data set that `load` knows, grouped 2-D, synthetic, spectral, real."""
    return _entries()


def load(name: str, **knobs: Any) -> Dataset:
    """The data set of that name in the catalogue, with knobs; or "openml:<name or id>".

    An unknown name, knob or value is a ValueError that lists what there is.
    """
    if name.startswith("openml:"):
        from explorer.data.remote import openml

        return openml(name.removeprefix("openml:"), **knobs)
    entries = catalogue()
    if name not in entries:
        raise ValueError(
            f"There is no data set '{name}'. Choose one of: {', '.join(entries)}; "
            "or 'openml:<name or id>'."
        )
    return entries[name].load(**knobs)
