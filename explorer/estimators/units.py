"""A warning where features of unlike units are mixed."""

import warnings
from typing import Any

import numpy as np

from ..engine import ForestSpec
from ..engine.units import units_remark


class UnitsWarning(UserWarning):
    """A family that mixes features in their own units met columns of very unlike spread."""


def warn_of_units(family: str, spec: ForestSpec, X: np.ndarray, names: Any) -> None:
    columns = [f"column {k}" for k in range(X.shape[1])]
    if names is not None:
        columns = [repr(str(name)) for name in names]
    remark = units_remark(family, spec, X, columns)
    if remark is not None:
        warnings.warn(remark, UnitsWarning, stacklevel=3)
