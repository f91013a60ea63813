"""From an estimator's parameters to the engine's: spec, limits, seed and threads.

scikit-learn's words become the engine's here, and errors of the engine are told in the words
that the caller used.
"""

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.parallel import Parallel

from ..engine import FAMILIES, ForestSpec
from ..engine.limits import TreeLimits
from ..engine.threads import available

# the engine's word -> scikit-learn's
WORDS = {
    "n_tree": "n_estimators",
    "m_try": "max_features",
    "seed": "random_state",
    "bag": "max_samples",
    "threads": "n_jobs",
}
# parameters that are knobs of a spec under the same name
KNOBS = (
    "max_depth",
    "split",
    "n_candidates",
    "n_combine",
    "vary_combine",
    "n_thresholds",
    "lambdas",
    "tuning",
    "cost",
    "balance",
    "grouping",
    "subspace",
    "rotate",
    "scaling",
    "vote",
    "prune",
    "missing",
)
FAMILY = "family"  # the value of a parameter that leaves the choice to the family


@contextmanager
def callers_words() -> Iterator[None]:
    """Errors of the engine, in scikit-learn's words."""
    try:
        yield
    except ValueError as error:
        text = str(error)
        told = re.sub(r"\b(" + "|".join(WORDS) + r")\b", lambda m: WORDS[m[1]], text)
        if told == text:
            raise
        raise ValueError(told) from None


def plain(value: Any) -> Any:
    """Python's own number for a numpy one, as grids of parameters hold them."""
    return value.item() if isinstance(value, np.generic) else value


def spec_of(params: dict[str, Any], n: int) -> ForestSpec:
    """The spec of an estimator's parameters for n samples; its seed is drawn later."""
    family = params["family"]
    if not isinstance(family, str):
        raise ValueError(f"family is {family!r}; choose one of {', '.join(FAMILIES)}.")
    start = FAMILIES[family]
    knobs = {knob: plain(params[knob]) for knob in KNOBS}
    knobs["n_tree"] = plain(params["n_estimators"])
    knobs["criterion"] = _criterion(params["criterion"])
    knobs["m_try"] = _max_features(params["max_features"])
    knobs["bootstrap"] = _bootstrap(params["bootstrap"])
    knobs["min_leaf"] = _min_leaf(params, n)
    bag = plain(params["max_samples"])
    if bag is not None:
        if (knobs["bootstrap"] or start.bootstrap) == "none":
            raise ValueError(
                "`max_sample` cannot be set if `bootstrap=False`. Either switch to "
                "`bootstrap=True` or set `max_sample=None`."
            )
        knobs["bag"] = bag
    chosen = {knob: value for knob, value in knobs.items() if value is not None}
    if start.prune and "prune" not in chosen and chosen.get("bootstrap", "none") != "none":
        chosen["prune"] = 0  # pruning cross-validates on all rows
    return start.replace(**chosen)


def _criterion(criterion: Any) -> Any:
    return "entropy" if criterion == "log_loss" else criterion


def _max_features(value: Any) -> Any:
    value = plain(value)
    if isinstance(value, str) and value == FAMILY:
        return None
    return "all" if value is None else value


def _bootstrap(value: Any) -> Any:
    if isinstance(value, bool | np.bool_):
        return "with" if value else "none"
    return value


def _min_leaf(params: dict[str, Any], n: int) -> int | None:
    least = plain(params["min_samples_split"])
    if least is None:
        return plain(params["min_leaf"])
    if params["min_leaf"] is not None:
        raise ValueError(
            "min_samples_split and min_leaf say the same (min_leaf is smaller by one); "
            "set one of them."
        )
    if isinstance(least, float) and 0 < least <= 1:
        return max(2, math.ceil(least * n)) - 1
    if _whole(least) and least >= 2:
        return least - 1
    raise ValueError(
        f"min_samples_split is {least!r}; use a whole number from 2 or a fraction of the samples "
        "above 0 and up to 1."
    )


def limits_of(params: dict[str, Any], n: int) -> TreeLimits:
    """Limits of the trees for n samples."""
    least = plain(params["min_samples_leaf"])
    if isinstance(least, float) and 0 < least < 1:
        least = math.ceil(least * n)
    if not _whole(least) or least < 1:
        raise ValueError(
            f"min_samples_leaf is {least!r}; use a whole number from 1 or a fraction of the "
            "samples between 0 and 1."
        )
    leaves = plain(params["max_leaf_nodes"])
    if leaves is not None and (not _whole(leaves) or leaves < 2):
        raise ValueError(f"max_leaf_nodes is {leaves!r}; use a whole number from 2, or None.")
    return TreeLimits(
        least,
        _at_least_zero(params, "min_weight_fraction_leaf", 0.5),
        _at_least_zero(params, "min_impurity_decrease"),
        leaves,
        _at_least_zero(params, "ccp_alpha"),
    )


def _at_least_zero(params: dict[str, Any], name: str, most: float = math.inf) -> float:
    value = params[name]
    number = isinstance(value, Real) and not isinstance(value, bool)
    if not number or not 0 <= float(value) <= most:
        limit = "of 0 or more" if most == math.inf else f"from 0 to {most:g}"
        raise ValueError(f"{name} is {value!r}; use a number {limit}.")
    return float(value)


def _whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def seed_of(random_state: Any) -> int:
    """A whole number is the seed itself; anything else draws one."""
    seed = plain(random_state)
    if _whole(seed):
        return int(seed)
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(2**63 - 1))
    return int(check_random_state(seed).randint(2**63 - 1, dtype=np.int64))


def threads_of(n_jobs: Any) -> int:
    """What joblib's context makes of None; -1 is all cores, -2 all but one."""
    jobs = Parallel(n_jobs=n_jobs).n_jobs
    if not isinstance(jobs, int) or jobs == 0:
        raise ValueError(
            f"n_jobs is {n_jobs!r}; use a whole number from 1, -1 for all cores or None for one."
        )
    return jobs if jobs > 0 else max(1, available() + 1 + jobs)
