"""The Bayes boundary on a plane: the truth's own lines where it has them, else traced."""

from __future__ import annotations

from explorer.analysis.contours import Line, joined, winner_lines
from explorer.analysis.planes import LabelledPlane
from explorer.analysis.posterior_map import true_posterior
from explorer.data import Dataset

_WIDTH, _HEIGHT = 120, 90  # pixels of the raster between which lines are sought


def bayes_lines(dataset: Dataset, plane: LabelledPlane) -> Line | None:
    """The Bayes boundary in the window of a plane: x and y, NaN between lines.

    None where the truth is not known. On a marginal plane: the contour of the averaged truth.
    """
    if dataset.truth is None:
        return None
    if dataset.n_features == 2 and plane.kind == "features":
        (x0, x1), (y0, y1) = plane.x_range, plane.y_range
        lines = dataset.truth.boundary((x0, y0), (x1, y1))
        if lines is not None:
            return joined(lines)
    found = true_posterior(dataset, plane, _WIDTH, _HEIGHT, boundary=plane.rows is None)
    if plane.rows is None:
        return joined(found.boundary)
    return winner_lines(found.posterior, plane.x_range, plane.y_range)
