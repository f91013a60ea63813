"""Data: generators with known truth, bundled real sets, transforms, and anyone's own file.

    from explorer import data
    d = data.load("clouds", angle=30)          # data.catalogue() lists names and knobs
    d = data.load("openml:credit-g")
    d = data.read("my.csv", label="class")     # data.preview shows what is in it
    d = data.read_spectra("folder").to_dataset()   # files as instruments write them
    cube = data.read_cube("map.wdf")           # an image with a spectrum in every pixel
    d = data.transforms.Rotation(seed=1).apply(d)

The room imports numpy, scipy and pandas; scikit-learn's data sets, pyarrow, openpyxl and jcamp
only inside the functions that need them. Names are imported when first used: the child process
that parses risky files starts through this package too, and should start fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.data import transforms
    from explorer.data.axis import SpectralAxis
    from explorer.data.chain import Chain, FittedChain
    from explorer.data.cube import Cube, regions
    from explorer.data.dataset import Dataset
    from explorer.data.entry import Entry, Knob
    from explorer.data.listing import catalogue, load
    from explorer.data.measured import (
        Grid,
        MeasuredSpectra,
        NotRead,
        Proposal,
        Spectrum,
        cube_of,
        read_cube,
        read_labels,
        read_spectra,
    )
    from explorer.data.readers import DEFAULT_LIMIT, FileRefused, Preview, preview, read
    from explorer.data.remote import NoNetwork, openml
    from explorer.data.scene import example_scene
    from explorer.data.spectra import Band
    from explorer.data.truth import Truth

_HOMES = {
    "DEFAULT_LIMIT": "readers",
    "Band": "spectra",
    "Chain": "chain",
    "Cube": "cube",
    "Dataset": "dataset",
    "Entry": "entry",
    "FileRefused": "readers",
    "FittedChain": "chain",
    "Grid": "measured",
    "Knob": "entry",
    "MeasuredSpectra": "measured",
    "NoNetwork": "remote",
    "NotRead": "measured",
    "Preview": "readers",
    "Proposal": "measured",
    "SpectralAxis": "axis",
    "Spectrum": "measured",
    "Truth": "truth",
    "catalogue": "listing",
    "cube_of": "measured",
    "example_scene": "scene",
    "load": "listing",
    "openml": "remote",
    "preview": "readers",
    "read": "readers",
    "read_cube": "measured",
    "read_labels": "measured",
    "read_spectra": "measured",
    "regions": "cube",
}

__all__ = [
    "DEFAULT_LIMIT",
    "Band",
    "Chain",
    "Cube",
    "Dataset",
    "Entry",
    "FileRefused",
    "FittedChain",
    "Grid",
    "Knob",
    "MeasuredSpectra",
    "NoNetwork",
    "NotRead",
    "Preview",
    "Proposal",
    "SpectralAxis",
    "Spectrum",
    "Truth",
    "catalogue",
    "cube_of",
    "example_scene",
    "load",
    "openml",
    "preview",
    "read",
    "read_cube",
    "read_labels",
    "read_spectra",
    "regions",
    "transforms",
]


def __getattr__(name: str) -> Any:
    if name == "transforms":
        return import_module("explorer.data.transforms")
    if name in _HOMES:
        value = getattr(import_module(f"explorer.data.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"explorer.data has no '{name}'; it has: {', '.join(__all__)}.")


def __dir__() -> list[str]:
    return sorted(__all__)
