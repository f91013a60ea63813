"""`Strength`: how good single trees are, how alike, and the bound on the error that follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.model import check_training
from explorer.analysis.record import Record
from explorer.data import Dataset
from explorer.engine import Forest

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Strength(Record):
    """Strength s and mean correlation rho of a forest (Breiman 2001 s.2.2; Sazonau eq. 4).

    margin: float64[n], share of out-of-bag votes for a sample's own class minus that of the most
    frequent other class; NaN for a sample in every bag. strength: s, their mean.
    correlation: rho = var(margin) / (mean over trees of sd)^2, where a tree's raw margin is 1, -1
    or 0 as it votes for the sample's class, for the most frequent other one or for neither, and sd
    is its standard deviation over the tree's out-of-bag samples. NaN where no tree ever errs.
    bound: rho (1 / s^2 - 1), which the error of a forest of very many trees does not exceed; NaN if
    s is not positive, since then there is no such bound. It is usually loose.
    """

    model: str
    dataset: str
    margin: Floats
    strength: float
    correlation: float
    bound: float

    def to_frame(self) -> pandas.DataFrame:
        """One row: strength, correlation and bound."""
        import pandas

        row = {"strength": self.strength, "correlation": self.correlation, "bound": self.bound}
        return pandas.DataFrame([row])


def strength(forest: Forest, dataset: Dataset, *, threads: int | None = None) -> Strength:
    """Strength and correlation by the out-of-bag samples of the data a forest was grown on."""
    columns = check_training(forest, dataset)
    if not forest.has_oob:
        raise ValueError(
            "Strength and correlation are measured on out-of-bag samples, and this forest was "
            "grown on all of them (bootstrap='none'). Choose a family with a bootstrap."
        )
    n, K = dataset.n_samples, dataset.n_classes
    votes = np.stack(
        [
            np.asarray(columns)[
                forest.part(t, t + 1).predict_proba(dataset.X, threads=threads).argmax(axis=1)
            ]
            for t in range(forest.n_tree)
        ]
    )
    judged = forest.bags() == 0  # [trees, samples]
    counts = np.zeros((n, K))
    for k in range(K):
        counts[:, k] = ((votes == k) & judged).sum(axis=0)
    own = np.asarray(dataset.y)
    other, margin = _margins(counts, own)
    known = ~np.isnan(margin)
    raw = (votes == own).astype(np.float64) - (votes == other)
    deviations = [raw[t, judged[t]].std() for t in range(forest.n_tree) if judged[t].any()]
    s = float(margin[known].mean())
    spread = float(np.mean(deviations)) if deviations else 0.0
    rho = float(margin[known].var() / spread**2) if spread > 0 else float("nan")
    bound = rho * (1.0 / s**2 - 1.0) if s > 0 else float("nan")
    return Strength(forest.spec.split, dataset.name, margin, s, rho, bound)


def _margins(counts: Floats, y: NDArray[np.intp]) -> tuple[NDArray[np.intp], Floats]:
    """(most frequent other class, margin) of every sample from votes [n, K]."""
    n = y.size
    others = counts.copy()
    others[np.arange(n), y] = -1.0
    other = others.argmax(axis=1)
    total = counts.sum(axis=1)
    gap = counts[np.arange(n), y] - counts[np.arange(n), other]
    return other, np.divide(gap, total, out=np.full(n, np.nan), where=total > 0)
