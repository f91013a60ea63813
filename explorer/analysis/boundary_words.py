"""The boundary of a model in words, from a raster that does not depend on a page's size."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.boundary_shape import boundary_shape, cuts_along_axes, runs_along_features
from explorer.analysis.contours import Line, Range, separate
from explorer.analysis.planes import LabelledPlane
from explorer.analysis.posterior_map import model_posterior
from explorer.data import Dataset
from explorer.engine import Forest

PIXELS = 200  # along each side of the region whose boundary is put into words
PIXELS_MARGINAL = 80  # the same for a map that is averaged over many samples


def boundary_words(
    model: Any,
    dataset: Dataset,
    plane: LabelledPlane,
    posterior: NDArray[np.float32],
    boundary: Line,
    region: tuple[Range, Range] | None = None,
    **options: Any,
) -> str:
    """The boundary as a person would describe it; empty where nothing is certain.

    posterior [h, w, K] and boundary: as drawn on the plane. region: x and y range of the part that
    the words are about, None for all. A forest is drawn again on a raster of the region. A baseline
    takes too long for that: its picture is described, without a number of pieces.
    """
    along = cuts_along_axes(model) if runs_along_features(plane) else False
    if not isinstance(model, Forest):
        return boundary_shape(posterior, along_axes=along, count=False).in_words()
    side = PIXELS if plane.rows is None else PIXELS_MARGINAL
    part = plane if region is None else replace(plane, x_range=region[0], y_range=region[1])
    found = model_posterior(model, dataset, part, side, side, **options)
    shape = boundary_shape(found, along_axes=along)
    # what is seen may reach farther than the region: say so where that makes a difference
    farther = region is not None and region != (plane.x_range, plane.y_range)
    same = len(separate(boundary)) == (shape.pieces or 0)
    return shape.in_words("near the samples" if farther and not same else "")
