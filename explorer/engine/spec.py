"""ForestSpec: everything that defines a forest, and nothing else. Frozen and validated."""

import dataclasses
import json
import math
from dataclasses import dataclass
from typing import Any

from .kernels.directions import DIRECTIONS
from .kernels.grouping import GROUPINGS
from .kernels.sample import NONE, SUBSAMPLE, WITH_REPLACEMENT, WITHOUT_REPLACEMENT
from .kernels.scratch import BY_GAIN, LEAVE_OUT, OUT_OF_BAG

CRITERIA = ("gini", "entropy", "gain_ratio")
BOOTSTRAPS = {"with": WITH_REPLACEMENT, "without": WITHOUT_REPLACEMENT, "none": NONE}
TUNINGS = {"loo": LEAVE_OUT, "oob": OUT_OF_BAG, "gain": BY_GAIN}
SUBSPACES = ("node", "tree")
SCALINGS = ("none", "rank", "percentile", "zscore")
VOTES = ("majority", "posterior", "weighted", "bayesian")
MISSING = ("refuse", "accept")
M_TRY_RULES = ("sqrt", "log2", "all")
PATH = tuple(10.0**i for i in range(-5, 6))  # Menze s.2, step 4a

# Defaults of the knobs that not every split heeds; a split that ignores one keeps it at None.
_OWN: dict[str, Any] = {
    "m_try": "sqrt",
    "subspace": "node",
    "rotate": False,
    "n_candidates": "p",
    "n_combine": 2,
    "vary_combine": False,
    "n_thresholds": 5,
    "lambdas": PATH,
    "tuning": "loo",
    "cost": 1.0,
    "balance": True,
    "grouping": "principal",
}
_OWN_BY_SPLIT: dict[tuple[str, str], Any] = {
    ("logistic", "lambdas"): (1.0,),
    ("cap", "n_thresholds"): 100,
    ("perceptron", "n_thresholds"): 100,
}


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True)
class ForestSpec:
    """A forest, before it is grown. Names and symbols are the papers'.

    A knob that the chosen split ignores stays None, and setting it is an error.

    split: how a node is divided: axis, thresholds, random, ridge, lda, logistic, psvm, sparse,
        cap, perceptron, mixed.
    criterion: gini, entropy or gain_ratio (cut by entropy, directions compete by gain ratio).
    n_tree: number of trees.
    m_try: features a node (or tree, see subspace) may look at: a number, a fraction of P,
        "sqrt", "log2" (both rounded down, Sazonau s.3) or "all". A rule gives a split that
        weighs features at least two (as the oRF authors' package does), or it could not slant.
    n_candidates: d, directions a node tries (F-RC): a number, "p" (as many as features),
        "sqrt", "p^1.5" or "p^2" (Tomita s.3.1).
    n_combine: L, features in one random combination. vary_combine: draw L from 1 ... n_combine.
    n_thresholds: random thresholds per feature; for Ho's trees, stops along the central axis.
    lambdas: penalties of ridge regression; for logistic regression, its one penalty.
    tuning: the rule by which a node chooses among several lambdas of ridge regression. "loo": the
        most in-bag samples classified correctly when they (or their groups) are left out in turn.
        "oob": the most out-of-bag samples classified correctly (Menze s.2, step 4a). "gain": the
        largest decrease of impurity. The default is "loo", because it leaves the out-of-bag
        samples to judge the forest: under "oob" they have chosen what they judge, and the
        out-of-bag error is optimistic. docs/honest-oob.md compares the rules.
    cost, balance: c of the proximal SVM (Do eq. 3), and whether both groups weigh the same.
    grouping: how a node of more than two classes makes two groups of them: "ho", "anchors",
        "halves", "principal" or "rest" (kernels/grouping.py).
    bootstrap: rows of a tree: "with" or "without" replacement (then 63 % of them), "none" (all).
    bag: rows drawn for a tree: a number, or a fraction of the rows; None is as many as there are
        with replacement, 63 % of them without. Where ``grow`` is given groups, these are drawn
        and counted in place of rows.
    subspace: features drawn anew at every "node", or once per "tree" (Ho s.3).
    rotate: turn the data of every tree at random (Tomita s.2.4).
    scaling: none, rank, percentile, zscore (Tomita s.2.5), fitted on the training data.
    min_leaf: a node of this many samples or fewer is not split (Sazonau's lsize; 1 grows
        to full depth; Tomita's "less than 10" is 9). Samples count as often as they were drawn,
        times their weight.
    max_depth: None for no limit; 0 is a single leaf.
    vote: "majority" (Breiman, Menze), "posterior" (mean leaf posterior, Ho s.4), "weighted"
        (majority weighted by 1 - training error, Sazonau eq. 5), "bayesian" (leaf posterior with
        the same weights, eq. 7).
    prune: folds of the cross-validation that prunes every tree by cost-complexity; 0 for none.
    missing: "refuse" makes a missing value (NaN) an error; "accept" lets an axis split send it to
        the side of the larger gain, and an oblique one replace it by the mean of the node
        (kernels/missing.py). The engine refuses unless it is told otherwise, because a NaN is
        as often an error of the caller as a value that was not measured.
    seed: 0 ... 2**63 - 1.
    """

    split: str = "axis"
    criterion: str = "gini"
    n_tree: int = 300
    m_try: int | float | str | None = None
    n_candidates: int | str | None = None
    n_combine: int | None = None
    vary_combine: bool | None = None
    n_thresholds: int | None = None
    lambdas: tuple[float, ...] | None = None
    tuning: str | None = None
    cost: float | None = None
    balance: bool | None = None
    grouping: str | None = None
    bootstrap: str = "with"
    bag: int | float | None = None
    subspace: str | None = None
    rotate: bool | None = None
    scaling: str = "none"
    min_leaf: int = 1
    max_depth: int | None = None
    vote: str = "majority"
    prune: int = 0
    missing: str = "refuse"
    seed: int = 0

    def __post_init__(self) -> None:
        self._one_of("split", tuple(DIRECTIONS))
        heeded = DIRECTIONS[self.split].knobs
        for knob, default in _OWN.items():
            if knob in heeded:
                if getattr(self, knob) is None:
                    object.__setattr__(self, knob, _OWN_BY_SPLIT.get((self.split, knob), default))
            elif getattr(self, knob) is not None:
                users = sorted(s for s, d in DIRECTIONS.items() if knob in d.knobs)
                raise ValueError(
                    f"The split {self.split!r} ignores {knob}; leave it out, or choose a split "
                    f"that heeds it: {', '.join(users)}."
                )
        self._one_of("criterion", CRITERIA)
        self._one_of("bootstrap", tuple(BOOTSTRAPS))
        self._one_of("scaling", SCALINGS)
        self._one_of("vote", VOTES)
        self._one_of("missing", MISSING)
        self._count("n_tree", 1, 1_000_000)
        self._count("min_leaf", 1, 2**31 - 1)
        self._count("seed", 0, 2**63 - 1)
        if self.max_depth is not None:
            self._count("max_depth", 0, 2**30)
        if self.prune != 0:
            self._count("prune", 2, 1000)
            if self.bootstrap != "none":
                raise ValueError(
                    "Pruning cross-validates on all rows; set bootstrap='none' or prune=0."
                )
        self._check_bag()
        self._check_own(heeded)

    def _check_own(self, heeded: frozenset[str]) -> None:
        if "m_try" in heeded:
            self._check_m_try()
        if "grouping" in heeded:
            self._one_of("grouping", tuple(GROUPINGS))
        if "subspace" in heeded:
            self._one_of("subspace", SUBSPACES)
        for flag in ("rotate", "vary_combine", "balance"):
            if flag in heeded and not isinstance(getattr(self, flag), bool):
                raise ValueError(f"{flag} is {getattr(self, flag)!r}; use True or False.")
        if "n_candidates" in heeded and self.n_candidates not in ("p", "sqrt", "p^1.5", "p^2"):
            if isinstance(self.n_candidates, str):
                raise ValueError(
                    f"n_candidates is {self.n_candidates!r}; use a whole number, 'sqrt', 'p', "
                    "'p^1.5' or 'p^2'."
                )
            self._count("n_candidates", 1, 10_000_000)
        if "n_combine" in heeded:
            self._count("n_combine", 1, 1_000_000)
        if "n_thresholds" in heeded:
            self._count("n_thresholds", 1, 1000)
        if "cost" in heeded and not (
            isinstance(self.cost, (int, float))
            and not isinstance(self.cost, bool)
            and 0 < self.cost < math.inf
        ):
            raise ValueError(f"cost is {self.cost!r}; use a positive number.")
        if "lambdas" in heeded:
            self._check_lambdas()
        if "tuning" in heeded:
            self._one_of("tuning", tuple(TUNINGS))
            if self.tuning == "oob" and self.bootstrap == "none":
                raise ValueError(
                    "tuning='oob' lets out-of-bag samples choose lambda, and with "
                    "bootstrap='none' there are none; choose tuning='loo' or another bootstrap."
                )

    def _check_bag(self) -> None:
        if self.bag is None:
            return
        if self.bootstrap == "none":
            raise ValueError(
                "bag is set, but bootstrap='none' gives every tree all rows; choose a bootstrap "
                "or leave bag out."
            )
        if isinstance(self.bag, float):
            if not 0 < self.bag < math.inf:
                raise ValueError(
                    f"bag is {self.bag!r}; use a whole number from 1 or a positive fraction."
                )
        else:
            self._count("bag", 1, 2**31 - 1)

    def _check_m_try(self) -> None:
        m = self.m_try
        if isinstance(m, str):
            self._one_of("m_try", M_TRY_RULES)
        elif hasattr(m, "__index__") and not isinstance(m, bool):
            self._count("m_try", 1, 2**31 - 1)
        elif not (isinstance(m, float) and 0 < m <= 1):
            raise ValueError(
                f"m_try is {m!r}; use a whole number from 1, a fraction above 0 and up to 1, or "
                f"one of {', '.join(M_TRY_RULES)}."
            )

    def _check_lambdas(self) -> None:
        try:
            if isinstance(self.lambdas, str):
                raise TypeError
            path = tuple(sorted(float(x) for x in self.lambdas or ()))
        except (TypeError, ValueError):
            raise ValueError(f"lambdas is {self.lambdas!r}; use numbers, each >= 0.") from None
        if not path or any(not 0 <= x < math.inf for x in path) or len(path) > 1000:
            raise ValueError(f"lambdas is {self.lambdas!r}; use 1 to 1000 numbers, each >= 0.")
        if self.split == "logistic" and (len(path) != 1 or path[0] <= 0):
            raise ValueError("A logistic split takes one positive penalty, such as lambdas=(1.0,).")
        object.__setattr__(self, "lambdas", path)

    def _one_of(self, knob: str, choices: tuple[str, ...]) -> None:
        if getattr(self, knob) not in choices:
            raise ValueError(
                f"{knob} is {getattr(self, knob)!r}; choose one of {', '.join(choices)}."
            )

    def _count(self, knob: str, low: int, high: int) -> None:
        value = getattr(self, knob)
        if hasattr(value, "__index__") and not isinstance(value, bool):
            value = value.__index__()  # numpy integers
            object.__setattr__(self, knob, value)
        if not _whole(value) or not low <= value <= high:
            raise ValueError(f"{knob} is {value!r}; use a whole number from {low} to {high}.")

    def replace(self, **changes: Any) -> "ForestSpec":
        """A copy with some knobs changed. Changing ``split`` drops the knobs it ignores."""
        unknown = set(changes) - {f.name for f in dataclasses.fields(self)}
        if unknown:
            raise ValueError(f"A forest has no knob named {', '.join(sorted(unknown))}.")
        split = changes.get("split", self.split)
        if split != self.split and split in DIRECTIONS:
            for knob in _OWN:
                same_default = _OWN_BY_SPLIT.get((split, knob)) == _OWN_BY_SPLIT.get(
                    (self.split, knob)
                )
                if knob not in DIRECTIONS[split].knobs or not same_default:
                    changes.setdefault(knob, None)
        return dataclasses.replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Knobs that are set, as plain values."""
        out = {k: v for k, v in dataclasses.asdict(self).items() if v is not None}
        if self.lambdas is not None:
            out["lambdas"] = list(self.lambdas)
        return out

    @classmethod
    def from_dict(cls, knobs: dict[str, Any]) -> "ForestSpec":
        """The inverse of to_dict; unknown knobs are an error."""
        if not isinstance(knobs, dict):
            raise ValueError("A forest's spec is a set of named knobs.")
        unknown = set(knobs) - {f.name for f in dataclasses.fields(cls)}
        if unknown:
            names = ", ".join(sorted(map(str, unknown)))
            raise ValueError(f"A forest has no knob named {names}.")
        knobs = dict(knobs)
        if isinstance(knobs.get("lambdas"), list):
            knobs["lambdas"] = tuple(knobs["lambdas"])
        return cls(**knobs)

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> "ForestSpec":
        try:
            knobs = json.loads(text)
        except json.JSONDecodeError as error:
            raise ValueError(f"This is not a forest's spec in JSON: {error}.") from None
        return cls.from_dict(knobs)

    @property
    def oblique(self) -> bool:
        """Whether cuts may weigh several features, and so be slanted in the features' space.

        A rotated forest cuts along axes of its own, which are slanted there. One feature per
        direction (m_try or n_combine 1) leaves straight cuts.
        """
        if self.rotate:
            return True
        return DIRECTIONS[self.split].weighted and 1 not in (self.m_try, self.n_combine)

    def features_per_split(self, P: int) -> int:
        """m_try for P features (or P itself for a split without m_try)."""
        m = self.m_try
        if m is None:
            return P
        if _whole(m):
            if m > P:  # type: ignore[operator]
                raise ValueError(
                    f"m_try is {m}, but the data have {P} features; choose at most {P}."
                )
            return m  # type: ignore[return-value]
        if m == "sqrt":
            k = math.isqrt(P)
        elif m == "log2":
            k = int(math.log2(P))
        elif m == "all":
            k = P
        else:
            k = round(float(m) * P)
        return min(P, max(k, DIRECTIONS[self.split].least, 1))

    def rows_per_tree(self, n: int) -> int:
        """How many of n usable rows are drawn for a tree (all of them without a bootstrap)."""
        if self.bootstrap == "none":
            return n
        bag = self.bag
        if bag is None:
            return n if self.bootstrap == "with" else max(1, round(SUBSAMPLE * n))
        want = max(1, round(bag * n)) if isinstance(bag, float) else bag
        return want if self.bootstrap == "with" else min(want, n)

    def candidates(self, P: int) -> int:
        """d for P features."""
        d = self.n_candidates
        if d is None or _whole(d):
            return d or 1  # type: ignore[return-value]
        power = {"sqrt": 0.5, "p": 1.0, "p^1.5": 1.5, "p^2": 2.0}[d]  # type: ignore[index]
        return max(1, min(10_000_000, math.ceil(P**power)))
