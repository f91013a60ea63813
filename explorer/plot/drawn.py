"""Which function draws which record: what `record.plot()` calls."""

from __future__ import annotations

from typing import Any

from explorer import plot

# class of the object -> name of the function of explorer.plot
PICTURES = {
    "Attribution": "attribution",
    "AveragedRoc": "roc",
    "BandImportance": "bands",
    "BiasVariance": "bias_variance",
    "Calibration": "calibration",
    "ClassSpectra": "spectra",
    "Comparison": "comparison",
    "Dataset": "samples",
    "Directions": "directions",
    "Evaluation": "confusion",
    "Forest": "error_by_trees",
    "Importance": "importance",
    "Partition": "partition",
    "PosteriorMap": "boundary",
    "PrecisionRecall": "precision_recall",
    "Projection": "projection",
    "Proximity": "proximity",
    "Strength": "margins",
    "Sweep": "sweep",
    "TreeDrawing": "tree",
    "TruePosterior": "posterior",
    "Unknowns": "unknowns",
    "Verdict": "verdict",
}


def draw(thing: Any, **options: Any) -> Any:
    """The picture of a record, a data set or a forest."""
    kind = type(thing).__name__
    if kind == "Dataset" and thing.axis is not None and "plane" not in options:
        return plot.spectra(thing, **options)
    if kind not in PICTURES:
        raise ValueError(
            f"There is no picture of a {kind} by itself; to_frame() gives its numbers. Pictures "
            f"are made of: {', '.join(sorted(PICTURES))}."
        )
    return getattr(plot, PICTURES[kind])(thing, **options)
