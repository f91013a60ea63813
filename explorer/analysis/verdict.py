"""`Verdict`: whether oblique splits are worth it on one data set. The answer may be no."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from explorer.analysis.evaluation import Evaluation, evaluate
from explorer.analysis.model import Progress
from explorer.analysis.protocols import Protocol
from explorer.analysis.record import Record
from explorer.data import Dataset
from explorer.engine import FAMILIES

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
OBLIQUE = ("oRF-rnd", "oRF-lda", "oRF-ridge", "F-RC")
WORTH = 0.01  # a gain in error up to this is not worth a slanted split
ENOUGH = 0.02  # a possible gain up to this leaves axis splits enough


@dataclass(frozen=True, eq=False)
class Verdict(Record):
    """RF against oblique forests on one data set, over the same repeated splits and seeds.

    models: M names, the axis forest first. error: float64[M]; error_low, error_high: 95 %
    intervals. gain: float64[M], the axis forest's error minus the model's, with gain_low and
    gain_high (0 for the axis forest itself). The interval is Student's t over runs with the
    variance corrected for training sets that overlap (Nadeau and Bengio: 1/R + test/train
    instead of 1/R), at 95 % for all models together (Bonferroni).
    seconds: float64[M] to fit; nodes: float64[M] per tree; depth: float64[M].
    winner: the best model whose gain is beyond chance, or None. sentence: the verdict in words.
    """

    dataset: str
    protocol: str
    models: tuple[str, ...]
    error: Floats
    error_low: Floats
    error_high: Floats
    gain: Floats
    gain_low: Floats
    gain_high: Floats
    seconds: Floats
    nodes: Floats
    depth: Floats
    winner: str | None
    sentence: str

    def to_frame(self) -> pandas.DataFrame:
        """One row per model."""
        import pandas

        names = ("error", "error_low", "error_high", "gain", "gain_low", "gain_high")
        table: dict[str, Any] = {"model": list(self.models)}
        table |= {name: getattr(self, name) for name in (*names, "seconds", "nodes", "depth")}
        return pandas.DataFrame(table)


def corrected_interval(away: Floats, ratio: float, level: float) -> tuple[float, float, float]:
    """(mean, low, high) of paired differences over resampled runs (Nadeau and Bengio 2003)."""
    R = away.size
    mean = float(away.mean())
    if R < 2:
        return mean, np.nan, np.nan
    error = away.std(ddof=1) * np.sqrt(1.0 / R + ratio)
    reach = float(stats.t.isf((1.0 - level) / 2.0, R - 1) * error)
    return mean, mean - reach, mean + reach


def verdict(
    dataset: Dataset,
    recipes: Mapping[str, Any] | None = None,
    protocol: Protocol | None = None,
    *,
    axis: str = "RF",
    n_tree: int = 100,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: Any = None,
) -> Verdict:
    """Try RF and oblique forests on the same splits and say which is worth it.

    recipes: name -> recipe, ``axis`` among them; by default RF and OBLIQUE with n_tree trees.
    protocol: five times five-fold cross-validation by default.
    """
    if recipes is None:
        recipes = {name: FAMILIES[name].replace(n_tree=n_tree) for name in (axis, *OBLIQUE)}
    if axis not in recipes or len(recipes) < 2:
        raise ValueError(f"Give {axis} and at least one other recipe to compare it with.")
    protocol = Protocol(folds=5, repeats=5) if protocol is None else protocol
    names = [axis, *(name for name in recipes if name != axis)]
    found = []
    for k, name in enumerate(names):

        def report(done: int, wanted: int, what: str, k: int = k, name: str = name) -> None:
            if progress is not None:
                progress(k * wanted + done, len(names) * wanted, name)

        found.append(
            evaluate(
                recipes[name],
                dataset,
                protocol,
                name=name,
                trees=False,
                threads=threads,
                progress=report,
                cancel=cancel,
            )
        )
    return judge(found)


def judge(evaluations: list[Evaluation]) -> Verdict:
    """The verdict from evaluations on the same splits, the axis forest's first."""
    first = evaluations[0]
    M = len(evaluations)
    for other in evaluations[1:]:
        if not (np.array_equal(first.row, other.row) and np.array_equal(first.run, other.run)):
            raise ValueError(f"{first.model} and {other.model} were tested on different samples.")
    level = 1.0 - 0.05 / max(M - 1, 1)
    ratio = float(first.test_ratio.mean())
    gains = [(0.0, 0.0, 0.0)]
    gains += [
        corrected_interval(first.run_error - e.run_error, ratio, level) for e in evaluations[1:]
    ]
    gain, low, high = np.array(gains).T
    error = np.array([e.error for e in evaluations])
    seconds = np.array([e.fit_seconds.mean() for e in evaluations])
    nodes = np.array([e.nodes.mean() for e in evaluations])
    sure = np.flatnonzero(low > 0.0)
    winner = int(sure[gain[sure].argmax()]) if sure.size else None
    names = tuple(e.model for e in evaluations)
    return Verdict(
        first.dataset,
        first.protocol,
        names,
        error,
        np.array([e.error_low for e in evaluations]),
        np.array([e.error_high for e in evaluations]),
        gain,
        low,
        high,
        seconds,
        nodes,
        np.array([e.depth.mean() for e in evaluations]),
        None if winner is None else names[winner],
        _sentence(names, error, gain, low, high, seconds, nodes, winner, first.run_error.size),
    )


def _sentence(
    names: tuple[str, ...],
    error: Floats,
    gain: Floats,
    low: Floats,
    high: Floats,
    seconds: Floats,
    nodes: Floats,
    winner: int | None,
    runs: int,
) -> str:
    axis = names[0]

    def points(x: float) -> str:
        return f"{100 * x:.1f}"

    def percent(share: float) -> str:
        return f"{100 * share:.1f} %"

    if winner is not None:
        words = (
            f"{names[winner]} does better than {axis}: {percent(error[winner])} of the test "
            f"samples wrong instead of {percent(error[0])}, a gain of {points(gain[winner])} "
            f"points ({points(low[winner])} to {points(high[winner])}) over {runs} runs."
        )
        return words + _cost(seconds[winner] / seconds[0], nodes[winner] / nodes[0], axis)
    best = 1 + int(gain[1:].argmax())
    if (high[1:] < 0.0).all():
        return (
            f"Axis splits are better here: {axis} gets {percent(error[0])} of the test samples "
            f"wrong, the best other, {names[best]}, {percent(error[best])}, over {runs} runs."
        )
    most = float(high[1:].max())
    if gain[best] > WORTH and not most <= ENOUGH:
        return (
            f"Not decided: {names[best]} gets {percent(error[best])} of the test samples "
            f"wrong, {axis} {percent(error[0])}, but over {runs} runs that may be chance (gain "
            f"{points(low[best])} to {points(high[best])} points)."
        )
    words = (
        f"Axis splits are enough: {axis} gets {percent(error[0])} of the test samples wrong, and "
        f"no other does better by more than chance over {runs} runs (best: {names[best]}, "
        f"{percent(error[best])})."
    )
    if most > ENOUGH:
        words += f" These samples cannot rule out a gain of up to {points(most)} points."
    return words


_FRACTIONS = {
    3 / 4: "three quarters of",
    2 / 3: "two thirds of",
    1 / 2: "half",
    1 / 3: "a third of",
    1 / 4: "a quarter of",
    1 / 5: "a fifth of",
    1 / 10: "a tenth of",
}


def _cost(time: float, size: float, axis: str) -> str:
    words = f" It takes {_part(time, 'the time')} of {axis} to grow"
    if np.isfinite(size):
        words += f", with {_part(size, 'the nodes')}"
    return words + "."


def _part(ratio: float, whole: str) -> str:
    """A ratio as people say it: "half the time", "a fifth of the time", "3.2 times the time"."""
    if 0.95 <= ratio < 1.05:
        return whole
    if ratio >= 1.05:
        return f"{ratio:.1f} times {whole}"
    near = min(_FRACTIONS, key=lambda share: abs(np.log(share / max(ratio, 1e-9))))
    if abs(near - ratio) <= 0.1 * near:
        return f"{_FRACTIONS[near]} {whole}"
    return f"{100 * ratio:.0f} % of {whole}"
