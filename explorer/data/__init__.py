"""Data: generators with known truth, bundled real sets, transforms, and anyone's own file.

    from explorer import data
    d = data.load("clouds", angle=30)          # data.catalogue() lists names and knobs
    d = data.read("my.csv", label="class")
    d = data.Rotation(seed=1).apply(d)

The room imports numpy, scipy and pandas; scikit-learn's data sets, pyarrow, openpyxl and jcamp
only inside the functions that need them.
"""

from explorer.data.axis import SpectralAxis
from explorer.data.dataset import Dataset
from explorer.data.entry import Entry, Knob
from explorer.data.listing import catalogue, load
from explorer.data.spectra import Band
from explorer.data.truth import Truth

__all__ = ["Band", "Dataset", "Entry", "Knob", "SpectralAxis", "Truth", "catalogue", "load"]
