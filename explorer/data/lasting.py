"""A cached property whose arrays are read-only.

Data sets are shared by all sessions of a server. What a true posterior works out on first use is
shared with it, so nobody may write into that either.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")


class lasting_property(cached_property[T]):
    """Worked out once; an array, or a tuple with arrays in it, becomes read-only."""

    def __init__(self, function: Callable[[Any], T]) -> None:
        def sealed(owner: Any) -> T:
            value = function(owner)
            for part in value if isinstance(value, tuple) else (value,):
                if isinstance(part, np.ndarray):
                    part.flags.writeable = False
            return value

        sealed.__doc__ = function.__doc__
        super().__init__(sealed)
