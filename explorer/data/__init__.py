"""Data: generators with known truth, bundled real sets, transforms, and anyone's own file.

    from explorer import data
    d = data.load("clouds", angle=30)          # data.catalogue() lists names and knobs
    d = data.load("openml:credit-g")
    d = data.read("my.csv", label="class")     # data.preview shows what is in it
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
    from explorer.data.dataset import Dataset
    from explorer.data.entry import Entry, Knob
    from explorer.data.listing import catalogue, load
    from explorer.data.readers import DEFAULT_LIMIT, FileRefused, Preview, preview, read
    from explorer.data.remote import NoNetwork, openml
    from explorer.data.spectra import Band
    from explorer.data.truth import Truth

_HOMES = {
    "DEFAULT_LIMIT": "readers",
    "Band": "spectra",
    "Dataset": "dataset",
    "Entry": "entry",
    "FileRefused": "readers",
    "Knob": "entry",
    "NoNetwork": "remote",
    "Preview": "readers",
    "SpectralAxis": "axis",
    "Truth": "truth",
    "catalogue": "listing",
    "load": "listing",
    "openml": "remote",
    "preview": "readers",
    "read": "readers",
}

__all__ = [
    "DEFAULT_LIMIT",
    "Band",
    "Dataset",
    "Entry",
    "FileRefused",
    "Knob",
    "NoNetwork",
    "Preview",
    "SpectralAxis",
    "Truth",
    "catalogue",
    "load",
    "openml",
    "preview",
    "read",
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
