"""Transforms: frozen, seeded, composable; each knows what it does to axis, names and truth.

A new one is a file here with a `Transform`, and one line in TRANSFORMS.
"""

from explorer.data.transforms.affine import Affine, RandomScaling, Rotation, Turn
from explorer.data.transforms.base import Compose, Transform
from explorer.data.transforms.baseline import Baseline
from explorer.data.transforms.channels import BandSelection, Binning
from explorer.data.transforms.correlation import CorrelationDial, PrecisionWarning
from explorer.data.transforms.corruption import Corruption
from explorer.data.transforms.derivative import Derivative
from explorer.data.transforms.fill import Fill
from explorer.data.transforms.normalise import MeanCentre, Normalise
from explorer.data.transforms.scatter import EMSC, MSC
from explorer.data.transforms.snv import SNV

# What the app and the command line list, by name; Compose is how they are put together.
TRANSFORMS: dict[str, type[Transform]] = {
    "turn": Turn,
    "rotation": Rotation,
    "scaling": RandomScaling,
    "affine": Affine,
    "corruption": Corruption,
    "correlation": CorrelationDial,
    "snv": SNV,
    "derivative": Derivative,
    "baseline": Baseline,
    "bands": BandSelection,
    "binning": Binning,
    "msc": MSC,
    "emsc": EMSC,
    "normalise": Normalise,
    "centre": MeanCentre,
    "fill": Fill,
}

__all__ = [
    "EMSC",
    "MSC",
    "SNV",
    "TRANSFORMS",
    "Affine",
    "BandSelection",
    "Baseline",
    "Binning",
    "Compose",
    "CorrelationDial",
    "Corruption",
    "Derivative",
    "Fill",
    "MeanCentre",
    "Normalise",
    "PrecisionWarning",
    "RandomScaling",
    "Rotation",
    "Transform",
    "Turn",
]
