"""Pictures for notebooks: HoloViews elements, from the same records and colours as the app.

    import explorer as fx
    data = fx.data.load("mixture")
    forest = fx.grow("oRF-ridge", data)
    fx.plot.boundary(forest, data) + fx.plot.roc(forest, data)

Every function takes a model and data, or the record of `explorer.analysis` that it would compute
from them. A model is a forest, a fitted estimator, a family's name or a `ForestSpec`; data are a
`Dataset` or a pair (X, y). What comes back composes with ``*`` and ``+``, takes ``.opts``, and can
be saved with ``hv.save``. ``NAME.interactive(model, data, trees=(1, 100))`` adds sliders.

Functions are imported when they are first used: the first one loads HoloViews.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.plot.curves import calibration, error_by_trees, precision_recall, roc, sweep
    from explorer.plot.features import attribution, bands, directions, importance
    from explorer.plot.maps import boundary, partition, posterior
    from explorer.plot.nodes import projection, tree, weights
    from explorer.plot.places import proximity, proximity_matrix, samples, spectra, unknowns
    from explorer.plot.scores import bias_variance, comparison, confusion, margins, verdict

_HOMES = {
    "attribution": "features",
    "bands": "features",
    "bias_variance": "scores",
    "boundary": "maps",
    "calibration": "curves",
    "comparison": "scores",
    "confusion": "scores",
    "directions": "features",
    "error_by_trees": "curves",
    "importance": "features",
    "margins": "scores",
    "partition": "maps",
    "posterior": "maps",
    "precision_recall": "curves",
    "projection": "nodes",
    "proximity": "places",
    "proximity_matrix": "places",
    "roc": "curves",
    "samples": "places",
    "spectra": "places",
    "sweep": "curves",
    "tree": "nodes",
    "unknowns": "places",
    "verdict": "scores",
    "weights": "nodes",
}

__all__ = [
    "attribution",
    "bands",
    "bias_variance",
    "boundary",
    "calibration",
    "comparison",
    "confusion",
    "directions",
    "error_by_trees",
    "importance",
    "margins",
    "partition",
    "posterior",
    "precision_recall",
    "projection",
    "proximity",
    "proximity_matrix",
    "roc",
    "samples",
    "spectra",
    "sweep",
    "tree",
    "unknowns",
    "verdict",
    "weights",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(f"explorer.plot.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"explorer.plot has no picture '{name}'; it has: {', '.join(__all__)}.")


def __dir__() -> list[str]:
    return sorted(__all__)
