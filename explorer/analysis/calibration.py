"""`Calibration`: whether samples with a vote share of 70 % are right 70 % of the time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from explorer.analysis.evaluation import Evaluation
from explorer.analysis.record import Record

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Calibration(Record):
    """A reliability diagram, from all test predictions together.

    positive: the class whose posterior is judged. Per bin of equal width that holds samples:
    predicted: float64[b], mean posterior; observed: float64[b], share of the class, with low and
    high (95 %, Wilson's interval); count: intp[b]. gap: mean distance of the two, weighted by
    count (expected calibration error). brier: mean squared distance of posterior and truth.
    """

    model: str
    positive: str
    predicted: Floats
    observed: Floats
    low: Floats
    high: Floats
    count: NDArray[np.intp]
    gap: float
    brier: float

    def to_frame(self) -> pandas.DataFrame:
        """One row per bin."""
        import pandas

        names = ("predicted", "observed", "low", "high", "count")
        return pandas.DataFrame({name: getattr(self, name) for name in names})


def calibration(
    evaluation: Evaluation, positive: int | None = None, *, bins: int = 10
) -> Calibration:
    """Compare posteriors with what came true. positive: class code, the last by default."""
    K = len(evaluation.class_names)
    code = K - 1 if positive is None else int(positive)
    if not 0 <= code < K:
        raise ValueError(f"There is no class {code}; there are 0 ... {K - 1}.")
    if bins < 1:
        raise ValueError(f"A reliability diagram has at least one bin, not {bins}.")
    share, truth = evaluation.posterior[:, code], evaluation.y == code
    which = np.minimum((share * bins).astype(np.intp), bins - 1)
    count = np.bincount(which, minlength=bins)
    seen = count > 0
    n = count[seen]
    predicted = np.bincount(which, weights=share, minlength=bins)[seen] / n
    observed = np.bincount(which, weights=truth, minlength=bins)[seen] / n
    low, high = _wilson(observed, n)
    gap = float((n * np.abs(predicted - observed)).sum() / n.sum())
    brier = float(((share - truth) ** 2).mean())
    return Calibration(
        evaluation.model,
        evaluation.class_names[code],
        predicted,
        observed,
        low,
        high,
        n.astype(np.intp),
        gap,
        brier,
    )


def _wilson(share: Floats, n: NDArray[np.intp], level: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson's interval of shares out of n."""
    z = stats.norm.isf((1 - level) / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return np.maximum(middle - reach, 0.0), np.minimum(middle + reach, 1.0)
