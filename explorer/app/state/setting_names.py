"""Names of the settings of single pages that a link may hold, and what they look like there."""

from __future__ import annotations

NAMES = (
    "nodes",  # one node, or first cuts
    "levels",  # of the tree that is drawn
    "lambda",  # of the fan of directions, as a place on its slider
    "spectra",  # layers: means, single spectra
    "features",  # one by one, or correlated ones together
    "pair",  # of principal coordinates
    "marks",  # of samples
    "judged",  # forest whose confusion is shown
    "curve",
    "by",  # trees or m_try
    "folds",
    "repeats",
    "tour",  # grand, guided or by hand
    "speed",  # of a tour, in tenths of a radian per second
    "confidence",  # of the class sets of unknown samples
)
LONGEST = 60  # characters of a value
NOTHING = "-"  # an empty list, in a link
REFUSED = "A setting in the link could not be used; its default is shown."
