"""How a cut is chosen: what any cut of a node on two features would be worth, and the best ones.

The samples are those the node's own split was found on, in standardised features, so that an angle
means the same for features of any unit. Angle 0 cuts the first feature alone, 90 the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.discriminant import standardised
from explorer.analysis.model import check_training
from explorer.analysis.projection import draws_at, impurity, impurity_decrease
from explorer.analysis.record import Record
from explorer.data import Dataset
from explorer.engine import Forest

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
ANGLES = 181  # directions that are searched, a degree apart, from -90 to 90


@dataclass(frozen=True, eq=False)
class CutSearch(Record):
    """All that cuts of one node on two features are worth.

    features: the two, by number, with their names. z: float64[n, 2], the samples standardised by
    mean and scale float64[2]; y: intp[n]. before: the impurity of the node. angles: float64[A] in
    degrees; best: float64[A], the most that a cut along each direction gains, and where:
    best_cut float64[A]. straight, slanted: the places in ``angles`` of the best cut of one
    feature, and of the best cut of all. chosen: what the forest's own split gains, on whatever
    features it used; NaN for a leaf.
    """

    names: tuple[str, str]
    class_names: tuple[str, ...]
    features: tuple[int, int]
    z: Floats
    y: NDArray[np.intp]
    mean: Floats
    scale: Floats
    criterion: str
    before: float
    angles: Floats
    best: Floats
    best_cut: Floats
    straight: int
    slanted: int
    chosen: float

    def to_frame(self) -> pandas.DataFrame:
        """One row per direction."""
        import pandas

        return pandas.DataFrame({"angle": self.angles, "gain": self.best, "cut": self.best_cut})


@dataclass(frozen=True, eq=False)
class HandCut(Record):
    """One cut: scores cos(angle) z1 + sin(angle) z2 <= cut go left.

    counts: float64[2, K], samples of each class left and right; impurity: float64[2] of the two
    sides. gained: before - after. cuts, gains: float64[c], all cuts along this direction.
    """

    angle: float
    cut: float
    counts: Floats
    impurity: Floats
    before: float
    gained: float
    cuts: Floats
    gains: Floats

    @property
    def after(self) -> float:
        """The impurity of both sides together, each in its share."""
        return self.before - self.gained


def cut_search(
    forest: Forest, dataset: Dataset, tree: int, node: int, features: tuple[int, int]
) -> CutSearch:
    """Every direction on two features for one node of a tree; dataset is the training set."""
    check_training(forest, dataset)
    read = forest.tree(tree)
    at = read.nodes[node]
    rows = draws_at(forest, tree, node, forest.scaling.transform(dataset.X))
    z, mean, scale = standardised(dataset.X[rows][:, list(features)])
    y, K = dataset.y[rows], dataset.n_classes
    criterion = "gini" if forest.spec.criterion == "gini" else "entropy"
    before = float(impurity(np.bincount(y, minlength=K).astype(float), criterion))
    angles = np.linspace(-90.0, 90.0, ANGLES)
    best, where = np.zeros(ANGLES), np.zeros(ANGLES)
    for i, angle in enumerate(angles):
        cuts, gains = _along(z, y, angle, K, criterion)
        if cuts.size:
            top = int(gains.argmax())
            best[i], where[i] = gains[top], cuts[top]
    straight = max((0, ANGLES // 2), key=lambda i: best[i])
    weight = float(at.counts.sum())
    chosen = at.gain / weight if at.cut is not None and weight else float("nan")
    names = tuple(dataset.feature_names[f] for f in features)
    return CutSearch(
        (names[0], names[1]),
        dataset.class_names,
        features,
        z,
        y,
        mean,
        scale,
        criterion,
        before,
        angles,
        best,
        where,
        straight,
        int(best.argmax()),
        float(chosen),
    )


def hand_cut(search: CutSearch, angle: float, cut: float) -> HandCut:
    """What one cut is worth."""
    K = len(search.class_names)
    scores = _scores(search.z, angle)
    counts = np.zeros((2, K))
    np.add.at(counts, ((scores > cut).astype(int), search.y), 1.0)
    sides = impurity(counts, search.criterion)
    share = counts.sum(axis=1) / counts.sum()
    cuts, gains = _along(search.z, search.y, angle, K, search.criterion)
    gained = search.before - float(share @ sides)
    return HandCut(angle, cut, counts, sides, search.before, gained, cuts, gains)


def _scores(z: Floats, angle: float) -> Floats:
    turn = np.deg2rad(angle)
    return z @ np.array([np.cos(turn), np.sin(turn)])


def _along(
    z: Floats, y: NDArray[np.intp], angle: float, K: int, criterion: str
) -> tuple[Floats, Floats]:
    scores = _scores(z, angle)
    if scores.size < 2 or not scores.min() < scores.max():
        return np.empty(0), np.empty(0)
    return impurity_decrease(scores, y, np.ones(len(y)), K, criterion)
