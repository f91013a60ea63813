"""`PrecisionRecall`: precision against recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, precision_recall_curve

from explorer.analysis.evaluation import Evaluation
from explorer.analysis.record import Record
from explorer.analysis.roc import curves_of
from explorer.analysis.scores import interval

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
POINTS = 101


@dataclass(frozen=True, eq=False)
class PrecisionRecall(Record):
    """Precision at equal recalls, averaged over R curves.

    positive: the class that is looked for; share: its share of the samples, what chance gives.
    recall: float64[m], rising from 0 to 1; precision: float64[m], the best at that recall or
    more, mean over curves, with precision_low and precision_high (95 %, Student's t over curves,
    cut at 0 and 1; NaN for a single curve). average: mean average precision; averages: float64[R].
    """

    model: str
    positive: str
    share: float
    n_curves: int
    recall: Floats
    precision: Floats
    precision_low: Floats
    precision_high: Floats
    average: float
    averages: Floats

    def to_frame(self) -> pandas.DataFrame:
        """One row per recall."""
        import pandas

        names = ("recall", "precision", "precision_low", "precision_high")
        return pandas.DataFrame({name: getattr(self, name) for name in names})


def precision_recall(evaluation: Evaluation, positive: int | None = None) -> PrecisionRecall:
    """The curve of an evaluation's runs; of its repeats where runs are too small."""
    code, pairs = curves_of(evaluation, positive)
    grid = np.linspace(0.0, 1.0, POINTS)
    found = np.empty((len(pairs), POINTS))
    for r, (truth, score) in enumerate(pairs):
        precision, recall, _ = precision_recall_curve(truth, score)
        # recall falls along the curve: the best precision at this recall or more
        best = np.maximum.accumulate(precision)
        found[r] = best[np.searchsorted(-recall, -grid, "right") - 1]
    averages = np.array([average_precision_score(t, s) for t, s in pairs])
    mean, low, high = np.array([interval(column) for column in found.T]).T
    return PrecisionRecall(
        evaluation.model,
        evaluation.class_names[code],
        float((evaluation.y == code).mean()),
        len(pairs),
        grid,
        mean,
        np.clip(low, 0.0, 1.0),
        np.clip(high, 0.0, 1.0),
        float(averages.mean()),
        averages,
    )
