"""The out-of-bag score of a ForestClassifier, in scikit-learn's words."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine import Forest
from .targets import Targets, marginals


class OutOfBagScore:
    """What ``oob_score`` asks for, and the attributes that answer it."""

    oob_score: bool | Callable[[Any, Any], float] | None
    forest_: Forest
    n_outputs_: int
    n_classes_: Any
    _joint: Any
    _y: np.ndarray
    _grown: Callable[[], Forest]
    _labels: Callable[[Any], np.ndarray]

    @property
    def _asks_oob(self) -> bool:
        return self.oob_score is not None and self.oob_score is not False

    def _check_oob(self, spec: Any, targets: Targets) -> None:
        if not self._asks_oob:
            return
        if spec.bootstrap == "none":
            raise ValueError(
                "Out of bag estimation only available if bootstrap=True; set it, or "
                "oob_score=False."
            )
        if not targets.oob:
            raise ValueError(
                "The type of target cannot be used to compute OOB estimates: several outputs of "
                "more than two classes; set oob_score=False."
            )

    def _judge_out_of_bag(self) -> None:
        """Work out the out-of-bag score now, and say if it rests on too few trees."""
        if np.isnan(self.forest_.oob_proba[self.forest_.training.weight > 0, 0]).any():
            warnings.warn(
                "Some inputs do not have OOB scores. This probably means too few trees were used "
                "to compute any reliable OOB estimates.",
                stacklevel=3,
            )
        self._oob_score = self._out_of_bag_score()

    def _out_of_bag_score(self) -> float:
        proba = self.forest_.oob_proba
        judged = (self.forest_.training.weight > 0) & ~np.isnan(proba[:, 0])
        if not judged.any():
            return float("nan")
        known = proba[judged]
        if self.n_outputs_ > 1:
            known = marginals(known, self._joint, self.n_classes_)
        said, truth = self._labels(known), self._y[judged]
        if callable(self.oob_score):
            return float(self.oob_score(truth, said))
        right = said == truth
        return float((right if right.ndim == 1 else right.all(axis=1)).mean())

    @property
    def oob_decision_function_(self) -> np.ndarray:
        """Posterior of each training sample by the trees that never saw it, float64[n, K].

        NaN for a sample that every tree saw; [n, K, n_outputs] for several outputs. A forest
        grown without a bootstrap has none.
        """
        forest = self._grown()
        self._out_of_bag_wanted()
        proba = forest.oob_proba
        if self.n_outputs_ == 1:
            return proba
        sizes = self.n_classes_
        out = np.zeros((len(proba), max(sizes), len(sizes)))
        for k, one in enumerate(marginals(proba, self._joint, sizes)):
            out[:, : sizes[k], k] = one
        return out

    def _out_of_bag_wanted(self) -> None:
        if self.oob_score is False:
            raise AttributeError("oob_score=False: this forest was not judged out of bag.")
        if not self.forest_.has_oob:
            raise AttributeError(
                "This forest was grown on all samples (bootstrap=False), so none is out of bag; "
                "use test data or cross_val_score."
            )

    @property
    def oob_score_(self) -> float:
        """Accuracy of ``oob_decision_function_``, every sample counting the same.

        Or what the function given as ``oob_score`` makes of it. Judged on the samples of positive
        weight that at least one tree never saw.
        """
        self._grown()
        self._out_of_bag_wanted()
        if not hasattr(self, "_oob_score"):
            self._oob_score = self._out_of_bag_score()
        return self._oob_score
