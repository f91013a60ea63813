"""Shapley values: how much each group of features moved a forest's votes for one sample.

Interventional values against background rows; see kernels/attribution.py for the game and the two
ways to compute it. Unlike tree explainers that credit one feature per split, every feature of an
oblique split gets its share.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.special import betaln

from . import check
from .forest import Forest
from .growing import Cancelled, Progress, is_cancelled
from .kernels import attribution
from .kernels.jit import call
from .threads import resolve, run

MOST_EXACT = 12  # players; beyond, all coalitions of an oblique split are too many
BLOCK = 8  # trees whose values are added up at once, in order, on whatever thread
ROUNDS = 2  # of random orders between two looks at the standard error
MOST_ROUNDS = 4096
MOST_AT_ONCE = 64  # rounds, so that a stop is heard


@dataclass(frozen=True)
class Shapley:
    """Shapley values of M players for one sample.

    values: float64[M, K], what each player adds to the posterior of each class; they sum to
        ``posterior - base``. error: float64[M, K], their standard errors; zero where exact.
    base: float64[K], the mean posterior of the background rows; posterior: float64[K], of the
        sample. rounds: how many rounds of random orders were drawn; 0 where exact.
    """

    values: np.ndarray
    error: np.ndarray
    base: np.ndarray
    posterior: np.ndarray
    rounds: int

    @property
    def exact(self) -> bool:
        return self.rounds == 0


def shapley(
    forest: Forest,
    x: Any,
    background: Any,
    players: Any = None,
    *,
    exact: bool | None = None,
    target: float = 0.002,
    seed: int = 0,
    progress: Progress | None = None,
    cancel: Any = None,
    threads: int | None = None,
) -> Shapley:
    """Shapley values of groups of features for the posterior of one sample.

    x: float[P], the sample. background: float[B, P], rows that stand for "unknown": features of
        players outside a coalition are taken from them, one row after the other.
    players: int[P], the number 0 ... M-1 of each feature's group; None makes every feature one.
    exact: every coalition counts, or random orders are drawn; None decides: exact for up to
        twelve players, and for any number where no split weighs features of two players.
    target: largest standard error to be reached by random orders; drawing stops there.
    seed: of the random orders. progress: called as progress(done, all, what). cancel: a function
        or threading.Event; once true, ``Cancelled`` is raised. threads do not change the result.
    """
    x = check.matrix(np.atleast_2d(np.asarray(x, float)), features=forest.n_features)
    background = check.matrix(background, features=forest.n_features)
    if len(x) != 1:
        raise ValueError(f"x holds {len(x)} samples; give one at a time.")
    if not len(background):
        raise ValueError("background has no rows; give some of the training samples.")
    if not target > 0:
        raise ValueError(f"target is {target}; use a standard error above zero, such as 0.002.")
    group = _checked_players(players, forest.n_features)
    game = _Game(forest, x, background, group, cancel, threads)
    if exact is None:
        exact = game.n_players <= MOST_EXACT or _one_player_a_split(forest, group)
    if exact:
        values, error, rounds = game.exact(progress), np.zeros(game.shape), 0
    else:
        values, error, rounds = game.permuted(target, seed, progress)
    return Shapley(values, error, game.base, game.posterior, rounds)


def _checked_players(players: Any, n_features: int) -> np.ndarray:
    if players is None:
        return check.read_only(np.arange(n_features, dtype=np.int32))
    group = np.asarray(players)
    if group.shape != (n_features,) or group.dtype.kind not in "iu":
        raise ValueError(
            f"players must be {n_features} whole numbers, one per feature: the number of its group."
        )
    found = np.unique(group)
    if found[0] != 0 or found[-1] != found.size - 1:
        raise ValueError("players must be numbered 0, 1, 2 ... without a gap.")
    return check.read_only(np.ascontiguousarray(group, np.int32))


def _one_player_a_split(forest: Forest, group: np.ndarray) -> bool:
    if not forest.begin.size:
        return True
    for t in range(forest.n_tree):
        nodes = slice(forest.node_at[t], forest.node_at[t + 1])
        oblique = forest.feature[nodes] < -1
        begins = forest.begin[nodes][oblique] + forest.weight_at[t]
        ends = forest.end[nodes][oblique] + forest.weight_at[t]
        for a, b in zip(begins, ends, strict=True):
            who = group[forest.index[a:b]]
            if (who != who[0]).any():
                return False
    return True


class _Game:
    """One sample against its background: blocks of trees are computed apart and added in order."""

    def __init__(
        self,
        forest: Forest,
        x: np.ndarray,
        background: np.ndarray,
        group: np.ndarray,
        cancel: Any,
        threads: int | None,
    ) -> None:
        self.forest, self.group, self.cancel, self.threads = forest, group, cancel, threads
        self.x = check.read_only(forest.scaling.transform(x))[0]
        self.background = check.read_only(forest.scaling.transform(background))
        self.n_players = int(group.max()) + 1
        self.shape = (self.n_players, forest.n_classes)
        self.vote, self.weights = forest._vote(forest.n_tree)
        self.blocks = [(a, min(a + BLOCK, forest.n_tree)) for a in range(0, forest.n_tree, BLOCK)]
        self.base = forest.predict_proba(background, threads=threads).mean(axis=0)
        self.posterior = forest.predict_proba(x, threads=threads)[0]

    def exact(self, progress: Progress | None) -> np.ndarray:
        share = check.read_only(_shares(self.n_players))

        def block(a: int, b: int, out: np.ndarray) -> None:
            self._call(attribution.exact, a, b, share, out)

        total = self._over_blocks(block, self.shape, progress)
        return total / (self.weights.sum() * len(self.background))

    def permuted(
        self, target: float, seed: int, progress: Progress | None
    ) -> tuple[np.ndarray, np.ndarray, int]:
        """Draw rounds of random orders until the standard errors are small enough."""
        scale = 2 * self.weights.sum() * len(self.background)
        rounds = np.empty((0, *self.shape))
        more = ROUNDS
        while True:
            start = len(rounds)

            def block(a: int, b: int, out: np.ndarray, start: int = start) -> None:
                self._call(attribution.permuted, a, b, np.uint64(seed), start, out)

            new = self._over_blocks(block, (more, *self.shape), progress)
            rounds = np.concatenate([rounds, new / scale])
            error = rounds.std(axis=0, ddof=1) / len(rounds) ** 0.5
            if error.max() <= target or len(rounds) >= MOST_ROUNDS:
                return rounds.mean(axis=0), error, len(rounds)
            wanted = len(rounds) * (error.max() / target) ** 2 - len(rounds)
            more = int(min(max(ROUNDS, wanted), 4 * len(rounds), MOST_AT_ONCE))

    def _call(self, kernel: Any, a: int, b: int, *rest: Any) -> None:
        front = (self.forest._trees, self.x, self.background, self.group)
        call(kernel, "attribution", None, *front, a, b, self.vote, self.weights, *rest)

    def _over_blocks(
        self, block: Any, shape: tuple[int, ...], progress: Progress | None
    ) -> np.ndarray:
        """The sum over all blocks of trees, added in order, computed on several threads."""
        total = np.zeros(shape)
        together = resolve(self.threads)
        for k in range(0, len(self.blocks), together):
            if is_cancelled(self.cancel):
                raise Cancelled("Attribution was stopped.")
            if progress is not None:
                progress(k, len(self.blocks), "attribution")
            now = self.blocks[k : k + together]
            parts = [np.zeros(shape) for _ in now]
            run([partial(block, a, b, out) for (a, b), out in zip(now, parts, strict=True)])
            for part in parts:
                total += part
        return total


def _shares(M: int) -> np.ndarray:
    """share[i, j] = i! j! / (i+j+1)!, float64[M, M]."""
    i = np.arange(1.0, M + 1.0)
    return np.exp(betaln(i[:, None], i[None, :]))
