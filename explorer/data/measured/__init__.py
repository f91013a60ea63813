"""Measured spectra: a folder of instrument files becomes a data set.

found = read_spectra("folder")          # every file gives spectra, or a reason why not
found.class_proposals()                 # sub-folders, file names, metadata, a table
grid = found.propose_grid()             # one axis for all; range, step and unit can be changed
dataset = found.to_dataset()            # aligned, with classes and replicate groups
"""

from explorer.data.measured.align import Grid
from explorer.data.measured.classes import Proposal
from explorer.data.measured.images import cube_of, read_cube, read_labels
from explorer.data.measured.reading import read_spectra
from explorer.data.measured.spectra import MeasuredSpectra, NotRead, Spectrum

__all__ = [
    "Grid",
    "MeasuredSpectra",
    "NotRead",
    "Proposal",
    "Spectrum",
    "cube_of",
    "read_cube",
    "read_labels",
    "read_spectra",
]
