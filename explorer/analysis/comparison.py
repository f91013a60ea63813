"""`Comparison`: models x data sets, with the papers' tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from explorer.analysis.evaluation import Evaluation
from explorer.analysis.record import Record

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
SAME = 1e-9  # errors closer than this are a tie
_FEW = 13  # differences up to which the signed-rank test is exact even with ties, as scipy has it


@dataclass(frozen=True, eq=False)
class Comparison(Record):
    """M models on D data sets. Small values are good: errors, or 1 - AUC (``measure``).

    value: float64[M, D], mean over runs.
    best: int[D], the model with the smallest value. best_p: float64[M, D], paired Wilcoxon test
        against it over runs (two-sided); as_good: bool[M, D], not different at 5 %; wins_or_ties:
        int[M], on how many data sets the model is best or as good (Menze s.3, Tables 1-2). NaN
        and None where there are no runs.
    rank: float64[M, D], 1 is best, ties share; mean_rank: float64[M].
    win, tie, defeat: int[M, M], data sets on which the row's model beats the column's, ...;
    sign_p: float64[M, M], two-sided sign test of them (ties left out); student_t, student_p:
        float64[M, M], paired Student test over data sets, t > 0 where the row's model is better
        (Do Tables 5-9).
    reference: a model, usually RF. chance: float64[D], error of always saying the commonest
        class. relative: float64[M, D] = (value - reference's) / chance (Tomita s.3.4, Fig. 5).
    better_p, worse_p: float64[M], one-sided Wilcoxon signed-rank tests against the reference
        over data sets; verdict: "+", "-" or "" at 5 % (Tomita Table 1).
    """

    measure: str
    models: tuple[str, ...]
    datasets: tuple[str, ...]
    value: Floats
    best: Ints
    best_p: Floats
    as_good: NDArray[np.bool_] | None
    wins_or_ties: Ints | None
    rank: Floats
    mean_rank: Floats
    win: Ints
    tie: Ints
    defeat: Ints
    sign_p: Floats
    student_t: Floats
    student_p: Floats
    reference: str
    chance: Floats
    relative: Floats
    better_p: Floats
    worse_p: Floats
    verdict: tuple[str, ...]

    def to_frame(self) -> pandas.DataFrame:
        """One row per model and data set."""
        import pandas

        M, D = self.value.shape
        model, data = np.repeat(np.arange(M), D), np.tile(np.arange(D), M)
        table: dict[str, Any] = {
            "model": [self.models[k] for k in model],
            "dataset": [self.datasets[k] for k in data],
            self.measure: self.value.ravel(),
            "rank": self.rank.ravel(),
            "best": (self.best[None, :] == np.arange(M)[:, None]).ravel(),
            "p against the best": self.best_p.ravel(),
            f"relative to {self.reference}": self.relative.ravel(),
        }
        if self.as_good is not None:
            table["as good as the best"] = self.as_good.ravel()
        return pandas.DataFrame(table)

    def pair_frame(self) -> pandas.DataFrame:
        """One row per ordered pair of models."""
        import pandas

        pairs = [(a, b) for a in range(len(self.models)) for b in range(len(self.models)) if a != b]
        return pandas.DataFrame(
            [
                {
                    "model": self.models[a],
                    "against": self.models[b],
                    "win": self.win[a, b],
                    "tie": self.tie[a, b],
                    "defeat": self.defeat[a, b],
                    "sign test p": self.sign_p[a, b],
                    "student t": self.student_t[a, b],
                    "student p": self.student_p[a, b],
                }
                for a, b in pairs
            ]
        )

    def histogram(self, edges: ArrayLike) -> Ints:
        """Data sets per bin of the relative error, int[M, bins] (Tomita Fig. 5)."""
        return np.array([np.histogram(row, np.asarray(edges))[0] for row in self.relative])


def wilcoxon_p(
    a: Any, b: Any, alternative: Literal["two-sided", "less", "greater"] = "two-sided"
) -> float:
    """p of the paired Wilcoxon signed-rank test of a - b; 1 where all differences are zero."""
    away = np.asarray(a, np.float64) - np.asarray(b, np.float64)
    away = np.where(np.abs(away) <= SAME, 0.0, away)
    if not away.any():
        return 1.0
    # equal differences share a rank only if rounding does not tell them apart
    away = np.round(away, 12)
    if away.size <= _FEW:
        return _exact_wilcoxon_p(away[away != 0], alternative)
    return float(stats.wilcoxon(away, alternative=alternative).pvalue)


def _exact_wilcoxon_p(away: Floats, alternative: str) -> float:
    """The exact p, ties or not: every choice of signs is counted by its sum of ranks.

    scipy draws up each of these choices by itself, which takes a thousand times as long.
    """
    ranks = np.round(2 * stats.rankdata(np.abs(away))).astype(int)  # halves become whole
    ways = np.ones(1)
    for rank in ranks:
        more = np.zeros(ways.size + rank)
        more[: ways.size] += ways
        more[rank:] += ways
        ways = more
    share = ways / ways.sum()
    seen = int(ranks[away > 0].sum())
    less, greater = float(share[: seen + 1].sum()), float(share[seen:].sum())
    p = {"less": less, "greater": greater, "two-sided": 2 * min(less, greater)}[alternative]
    return min(1.0, p)


def sign_test_p(wins: int, defeats: int) -> float:
    """Two-sided sign test; 1 without wins and defeats."""
    if wins + defeats == 0:
        return 1.0
    return float(stats.binomtest(int(wins), int(wins + defeats)).pvalue)


def paired_student(a: Floats, b: Floats) -> tuple[float, float]:
    """(t, p) of the paired Student test of a - b; (0, 1) where all differences are alike zero."""
    away = a - b
    if away.size < 2:
        return np.nan, np.nan
    spread = away.std(ddof=1)
    if spread <= SAME * max(1.0, np.abs(away).max()):
        same = bool(np.abs(away.mean()) <= SAME)
        return (0.0, 1.0) if same else (float(np.copysign(np.inf, away.mean())), 0.0)
    t = float(away.mean() / (spread / np.sqrt(away.size)))
    return t, float(2 * stats.t.sf(abs(t), away.size - 1))


def compare_values(
    models: Sequence[str],
    datasets: Sequence[str],
    value: ArrayLike,
    *,
    runs: Sequence[Sequence[ArrayLike]] | None = None,
    chance: ArrayLike | None = None,
    reference: str = "RF",
    measure: str = "error",
) -> Comparison:
    """Compare a table of errors [M, D], such as a printed one.

    runs[m][d]: errors of single runs, paired between models, for the tests within a data set.
    chance: float[D]; NaN where it is not known.
    """
    value = np.array(value, np.float64)
    M, D = len(models), len(datasets)
    if value.shape != (M, D) or not np.isfinite(value).all():
        raise ValueError(f"{M} models on {D} data sets need as many finite values: {value.shape}.")
    if len(set(models)) != M or len(set(datasets)) != D:
        raise ValueError("Every model and every data set must be named once.")
    if reference not in models:
        raise ValueError(f"The reference {reference!r} is not among {', '.join(models)}.")
    base = list(models).index(reference)
    level = np.full(D, np.nan) if chance is None else np.array(chance, np.float64)
    best = value.argmin(axis=0)
    best_p = np.full((M, D), np.nan)
    if runs is not None:
        for d in range(D):
            for m in range(M):
                mine, top = np.asarray(runs[m][d]), np.asarray(runs[best[d]][d])
                if mine.size != top.size:
                    raise ValueError(
                        f"{models[m]} and {models[best[d]]} have different runs on {datasets[d]}; "
                        "give them the same protocol and seed."
                    )
                best_p[m, d] = 1.0 if m == best[d] else wilcoxon_p(mine, top)
    as_good = None if runs is None else best_p > 0.05
    rank = stats.rankdata(np.round(value, 12), axis=0)
    away = value[None, :, :] - value[:, None, :]  # > 0 where the row's model is better
    win, defeat = (away > SAME).sum(axis=2), (away < -SAME).sum(axis=2)
    sign_p, student = np.ones((M, M)), np.zeros((2, M, M))
    student[1] = 1.0
    for a in range(M):
        for b in range(M):
            if a != b:
                sign_p[a, b] = sign_test_p(win[a, b], defeat[a, b])
                student[:, a, b] = paired_student(value[b], value[a])
    better = np.array([wilcoxon_p(row, value[base], "less") for row in value])
    worse = np.array([wilcoxon_p(row, value[base], "greater") for row in value])
    signs = tuple(
        "+" if p < 0.05 else "-" if q < 0.05 else "" for p, q in zip(better, worse, strict=True)
    )
    return Comparison(
        measure,
        tuple(models),
        tuple(datasets),
        value,
        best,
        best_p,
        as_good,
        None if as_good is None else as_good.sum(axis=1),
        rank,
        rank.mean(axis=1),
        win,
        D - win - defeat,
        defeat,
        sign_p,
        student[0],
        student[1],
        reference,
        level,
        (value - value[base]) / level,
        better,
        worse,
        signs,
    )


def compare(
    evaluations: Sequence[Evaluation], *, reference: str = "RF", measure: str = "error"
) -> Comparison:
    """Compare evaluations of every model on every data set, made with the same protocol.

    measure: "error", tested over runs (Menze: the 100 test sets), or "1 - AUC", tested over
    repeats.
    """
    if measure not in ("error", "1 - AUC"):
        raise ValueError(f"measure is {measure!r}; choose 'error' or '1 - AUC'.")
    models = list(dict.fromkeys(e.model for e in evaluations))
    datasets = list(dict.fromkeys(e.dataset for e in evaluations))
    found = {(e.model, e.dataset): e for e in evaluations}
    if len(found) != len(evaluations):
        raise ValueError("Some model was evaluated twice on the same data set; give each once.")
    for m in models:
        for d in datasets:
            if (m, d) not in found:
                raise ValueError(f"{m} was not evaluated on {d}.")
    for d in datasets:
        first = found[models[0], d]
        for m in models[1:]:
            other = found[m, d]
            if not (np.array_equal(first.row, other.row) and np.array_equal(first.run, other.run)):
                raise ValueError(
                    f"{models[0]} and {m} were tested on different samples of {d}; give them the "
                    "same protocol and seed."
                )

    def of(e: Evaluation) -> tuple[float, Floats]:
        if measure == "error":
            return e.error, e.run_error
        return 1.0 - e.auc, 1.0 - e.repeat_auc

    value = [[of(found[m, d])[0] for d in datasets] for m in models]
    runs = [[of(found[m, d])[1] for d in datasets] for m in models]
    chance = []
    for d in datasets:
        y = found[models[0], d].y
        chance.append(1.0 - np.bincount(y).max() / y.size)
    return compare_values(
        models, datasets, value, runs=runs, chance=chance, reference=reference, measure=measure
    )
