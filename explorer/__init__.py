"""Forest Explorer: see what the splits of random forests and oblique random forests do.

    import explorer as fx
    data = fx.load("mixture")                  # or fx.read("my.csv"), fx.dataset(X, y)
    forest = fx.grow("oRF-ridge", data)
    fx.plot.boundary(forest, data)             # a HoloViews element
    fx.explore(forest, data)                   # the whole app on your own data

Names are imported when they are first used, so that ``import explorer`` takes no time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import analysis, data, engine, plot
    from .data import load, read
    from .estimators import ForestClassifier, TreeClassifier
    from .exploration import Exploration, explore
    from .plot.inputs import dataset_of as dataset
    from .plot.inputs import grown as grow

__version__ = "0.1.0"

# name -> where it is: a room, or a name inside a module
_HOMES = {
    "Exploration": ".exploration:Exploration",
    "ForestClassifier": ".estimators:ForestClassifier",
    "TreeClassifier": ".estimators:TreeClassifier",
    "analysis": ".analysis",
    "data": ".data",
    "dataset": ".plot.inputs:dataset_of",
    "engine": ".engine",
    "explore": ".exploration:explore",
    "grow": ".plot.inputs:grown",
    "load": ".data:load",
    "plot": ".plot",
    "read": ".data:read",
}
__all__ = [
    "Exploration",
    "ForestClassifier",
    "TreeClassifier",
    "__version__",
    "analysis",
    "data",
    "dataset",
    "engine",
    "explore",
    "grow",
    "load",
    "plot",
    "read",
]


def __getattr__(name: str) -> Any:
    # on demand, because the engine must not pull in scikit-learn
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, inside = _HOMES[name].partition(":")
    found = import_module(module, __name__)
    return getattr(found, inside) if inside else found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
