"""Makes what sessions share read-only.

A value in the shared cache is drawn on the pages of many visitors. Nobody may change it, whether by
mistake or through a message from a browser that is applied to the data of a picture.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from explorer.engine.prediction import Packing

_CONTAINERS = (tuple, list, set, frozenset)


def arrays_of(value: Any) -> Iterator[np.ndarray]:
    """All arrays in a value of ours: in containers, records, forests and data sets.

    Objects of other libraries are not looked into: a fitted baseline belongs to scikit-learn, which
    writes into its own arrays, and no page is given them. Nor is the working memory that a forest
    makes on its first prediction: kernels are compiled for arrays that can be written to.
    """
    stack, seen = [value], set()
    while stack:
        one = stack.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, Packing):
            continue
        if isinstance(one, np.ndarray):
            yield one
            if one.dtype == object:
                stack.extend(one.ravel())
        elif isinstance(one, _CONTAINERS):
            stack.extend(one)
        elif isinstance(one, dict):
            stack.extend(one.values())
        elif type(one).__module__.partition(".")[0] == "explorer":
            stack.extend(vars(one).values() if hasattr(one, "__dict__") else ())
            if dataclasses.is_dataclass(one):
                stack.extend(getattr(one, f.name, None) for f in dataclasses.fields(one))


def seal(value: Any) -> Any:
    """The same value, with every array of it read-only from now on."""
    for array in arrays_of(value):
        array.flags.writeable = False
    return value
