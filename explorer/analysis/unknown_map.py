"""`UnknownMap`: new samples among the training samples, where their proximities put them.

Classical scaling of the distances sqrt(1 - proximity) of training samples, each judged by trees
that saw neither; new samples are placed by their distances to these (landmark MDS: de Silva and
Tenenbaum 2004), so that they do not move the map.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.analysis.class_spectra import thinned
from explorer.analysis.model import check_training, stop_if
from explorer.analysis.proximity import classical_mds
from explorer.analysis.record import Record
from explorer.analysis.unknowns import LeafNeighbours
from explorer.data import Dataset
from explorer.engine import Forest

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
MOST_PLACED = 600  # training samples that make the map
_COMPONENTS = 2


@dataclass(frozen=True, eq=False)
class UnknownMap(Record):
    """training: intp[m], rows of the training samples that are drawn; y: intp[m], their classes.
    places: float64[m, 2] of them; new: float64[N, 2] of the new samples. explained: float64[2],
    each coordinate's share of the spread."""

    class_names: tuple[str, ...]
    training: NDArray[np.intp]
    y: NDArray[np.intp]
    places: Floats
    new: Floats
    explained: Floats

    def to_frame(self) -> pandas.DataFrame:
        """One row per sample: training samples with their class, then the new ones."""
        import pandas

        both = np.concatenate([self.places, self.new])
        return pandas.DataFrame(
            {
                "sample": [
                    *(f"training {i + 1}" for i in self.training),
                    *(f"new {i + 1}" for i in range(len(self.new))),
                ],
                "class": [*(self.class_names[k] for k in self.y), *[""] * len(self.new)],
                "coordinate 1": both[:, 0],
                "coordinate 2": both[:, 1],
            }
        )


def unknown_map(
    forest: Forest,
    training: Dataset,
    X: ArrayLike,
    *,
    threads: int | None = None,
    cancel: Any = None,
) -> UnknownMap:
    """Places of new samples X [N, p] in the map of the training samples of a forest."""
    check_training(forest, training)
    rows = np.asarray(X, np.float64)
    chosen = np.asarray(thinned(training.y, MOST_PLACED), np.intp)
    near = LeafNeighbours(forest, training, threads)
    stop_if(cancel)
    own = np.maximum(1.0 - near.among(chosen), 0.0)  # squared distances
    places, values, explained, (vectors, mean) = classical_mds(np.sqrt(own), _COMPONENTS)
    new = np.zeros((len(rows), values.size))
    if len(rows) and values.size:
        away = np.maximum(1.0 - near.of(rows)[:, chosen], 0.0)
        new = 0.5 * (mean[None, :] - away) @ vectors / np.sqrt(values)
    stop_if(cancel)
    missing = _COMPONENTS - values.size
    if missing:  # all samples in one place: the map has fewer sides
        places, new = (np.pad(part, ((0, 0), (0, missing))) for part in (places, new))
        explained = np.pad(explained, (0, missing))
    return UnknownMap(training.class_names, chosen, training.y[chosen], places, new, explained)
