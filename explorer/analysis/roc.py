"""`AveragedRoc`: one ROC out of many, with its uncertainty in both directions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from explorer.analysis.evaluation import Evaluation
from explorer.analysis.record import Record
from explorer.analysis.scores import interval

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class AveragedRoc(Record):
    """ROC curves averaged at equal thresholds (Fawcett 2006, algorithm 4; Sazonau Figs. 3, 5).

    positive: the class whose posterior is thresholded; n_curves: R curves averaged.
    thresholds: float64[m], falling, the first infinite: samples with a posterior >= threshold
        count as positive. false_positive, true_positive: float64[m], mean rates.
    false_positive_low, ..._high and true_positive_low, ..._high: horizontal and vertical 95 %
        intervals (Student's t over curves, cut at 0 and 1; NaN for a single curve).
    auc: mean area under the single curves, with auc_low and auc_high; aucs: float64[R].
    """

    model: str
    positive: str
    n_curves: int
    thresholds: Floats
    false_positive: Floats
    false_positive_low: Floats
    false_positive_high: Floats
    true_positive: Floats
    true_positive_low: Floats
    true_positive_high: Floats
    auc: float
    auc_low: float
    auc_high: float
    aucs: Floats

    def to_frame(self) -> pandas.DataFrame:
        """One row per threshold."""
        import pandas

        names = ("thresholds", "false_positive", "false_positive_low", "false_positive_high")
        more = ("true_positive", "true_positive_low", "true_positive_high")
        return pandas.DataFrame({name: getattr(self, name) for name in (*names, *more)})


def averaged_roc(
    evaluation: Evaluation, positive: int | None = None, *, points: int | None = 50
) -> AveragedRoc:
    """Average the ROCs of an evaluation's runs; of its repeats where runs are too small.

    positive: class code, the last by default. points: thresholds to keep, evenly spread over the
    sorted posteriors of all test samples; None for all of them.
    """
    code, curves = curves_of(evaluation, positive)
    return average_curves(
        curves, points=points, model=evaluation.model, positive=evaluation.class_names[code]
    )


def curves_of(
    evaluation: Evaluation, positive: int | None = None
) -> tuple[int, list[tuple[Any, Any]]]:
    """(class code, a pair truth bool[n], score float64[n] per run, or per repeat).

    A curve needs samples of the class and others; where a run lacks one, repeats are taken.
    """
    K = len(evaluation.class_names)
    code = K - 1 if positive is None else int(positive)
    if not 0 <= code < K:
        raise ValueError(f"There is no class {code}; there are 0 ... {K - 1}.")
    truth, score = evaluation.y == code, evaluation.posterior[:, code]
    for part in (evaluation.run, evaluation.repeat):
        curves = [(truth[part == r], score[part == r]) for r in np.unique(part)]
        if all(t.any() and not t.all() for t, _ in curves):
            break
    else:
        raise ValueError(
            f"Not every repeat tests both {evaluation.class_names[code]} and other samples; "
            "there is no curve to draw."
        )
    return code, curves


def average_curves(
    curves: Sequence[tuple[Any, Any]],
    *,
    points: int | None = 50,
    model: str = "",
    positive: str = "",
) -> AveragedRoc:
    """Average the ROCs of (truth bool[n], score float[n]) pairs by thresholds."""
    if points is not None and points < 2:
        raise ValueError(f"A curve needs at least two points, not {points}.")
    pairs = [(np.asarray(t, bool), np.asarray(s, np.float64)) for t, s in curves]
    if not pairs:
        raise ValueError("There are no curves to average.")
    everything = np.unique(np.concatenate([s for _, s in pairs]))[::-1]
    if points is not None and everything.size > points - 1:
        # by rank, so that thresholds crowd where samples do (Fawcett, algorithm 4)
        everything = everything[
            np.round(np.linspace(0, everything.size - 1, points - 1)).astype(int)
        ]
    thresholds = np.concatenate([[np.inf], everything])
    rates = np.empty((2, len(pairs), thresholds.size))
    aucs = np.empty(len(pairs))
    for r, (truth, score) in enumerate(pairs):
        for k, mine in enumerate((score[~truth], score[truth])):
            if mine.size == 0:
                raise ValueError("A ROC needs both positive and negative samples.")
            rates[k, r] = 1.0 - np.searchsorted(np.sort(mine), thresholds, "left") / mine.size
        aucs[r] = roc_auc_score(truth, score)
    bands = [np.array([interval(column) for column in rate.T]).T for rate in rates]
    across, up = (np.clip(band, 0.0, 1.0) for band in bands)
    mean, low, high = interval(aucs)
    return AveragedRoc(
        model=model,
        positive=positive,
        n_curves=len(pairs),
        thresholds=thresholds,
        false_positive=across[0],
        false_positive_low=across[1],
        false_positive_high=across[2],
        true_positive=up[0],
        true_positive_low=up[1],
        true_positive_high=up[2],
        auc=mean,
        auc_low=low,
        auc_high=high,
        aucs=aucs,
    )
