"""`BiasVariance`: how much of a model's error is systematic and how much is variance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.evaluation import Evaluation
from explorer.analysis.record import Record
from explorer.data import Dataset

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BiasVariance(Record):
    """Bias and variance of votes, as for regression (Menze s.4, Fig. 5).

    The votes p_k for class k are taken as a regression on the target t_k: 1 for the sample's
    class and 0 for others, or, with ``against_truth``, its true posterior. Over repeats r:

        mean_r 1/2 sum_k (p_rk - t_k)^2 = 1/2 sum_k (mean p_k - t_k)^2 + 1/2 sum_k var_r p_k
                          squared_error =                        bias2 + variance

    The half makes two classes count once. rows: intp[n] samples; bias2, variance: float64[n];
    mean_bias2, mean_variance, mean_squared_error: over samples. noise: mean 1/2 sum_k f_k (1 -
    f_k) of the true posterior f, or None where it is not known (then it is part of the bias).
    n_repeats: predictions per sample, at least two.
    """

    model: str
    dataset: str
    against_truth: bool
    rows: NDArray[np.intp]
    n_repeats: NDArray[np.intp]
    bias2: Floats
    variance: Floats
    mean_bias2: float
    mean_variance: float
    mean_squared_error: float
    noise: float | None

    def to_frame(self) -> pandas.DataFrame:
        """One row per sample."""
        import pandas

        return pandas.DataFrame(
            {
                "row": self.rows,
                "repeats": self.n_repeats,
                "bias2": self.bias2,
                "variance": self.variance,
            }
        )


def bias_variance(evaluation: Evaluation, dataset: Dataset | None = None) -> BiasVariance:
    """Bias and variance from an evaluation with repeats.

    dataset: the one that was tested on; if its truth is known, bias is measured against the true
    posterior and the noise is told apart.
    """
    rows, where, times = np.unique(evaluation.row, return_inverse=True, return_counts=True)
    often = times >= 2
    if not often.any():
        raise ValueError(
            "Every sample was predicted once; bias and variance need a protocol with repeats."
        )
    K = evaluation.posterior.shape[1]
    total, square = np.zeros((rows.size, K)), np.zeros((rows.size, K))
    np.add.at(total, where, evaluation.posterior)
    mean = total / times[:, None]
    np.add.at(square, where, (evaluation.posterior - mean[where]) ** 2)
    spread = square / times[:, None]
    y = np.zeros(rows.size, np.intp)
    y[where] = evaluation.y
    noise, truth = None, None
    if dataset is not None:
        if rows[-1] >= dataset.n_samples or not np.array_equal(dataset.y[rows], y):
            raise ValueError(f"The evaluation did not test on data set '{dataset.name}'.")
        truth = dataset.truth
    target = np.eye(K)[y]
    if truth is not None and dataset is not None:
        target = truth.posterior(dataset.X[rows])
        noise = float(0.5 * (target * (1 - target)).sum(axis=1)[often].mean())
    bias2 = 0.5 * ((mean - target) ** 2).sum(axis=1)[often]
    variance = 0.5 * spread.sum(axis=1)[often]
    return BiasVariance(
        evaluation.model,
        evaluation.dataset,
        truth is not None,
        rows[often],
        times[often],
        bias2,
        variance,
        float(bias2.mean()),
        float(variance.mean()),
        float((bias2 + variance).mean()),
        noise,
    )
