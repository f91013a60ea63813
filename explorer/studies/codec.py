"""JSON without loss: outputs of units and results, as text and back, bit for bit.

Beyond what JSON knows there are arrays (dtype, shape, bytes) and numbers that are not finite.
Tuples become lists and numpy scalars Python ones: `settled` does to a fresh value what a round
trip through a file would do, so that a resumed run sees exactly what an unbroken one saw.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import math
import zlib
from typing import Any

import numpy as np

_ARRAY, _NUMBER = "array!", "number!"
_KINDS = "biuf"


def to_text(value: Any, indent: int | None = None) -> str:
    """A value as strict JSON."""
    return json.dumps(_out(value), allow_nan=False, indent=indent, ensure_ascii=False)


def from_text(text: str) -> Any:
    """The value of `to_text`'s JSON; arrays are read-only."""
    return _in(json.loads(text))


def settled(value: Any) -> Any:
    """The value as it would be after a stay on disk."""
    return from_text(to_text(value))


def digest(value: Any) -> str:
    """Content hash (blake2b, 32 hex digits) of a value."""
    text = json.dumps(_out(value), allow_nan=False, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _out(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, np.generic):
        return _out(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else {_NUMBER: repr(value)}
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in _KINDS:
            return _out(value.tolist())
        little = np.ascontiguousarray(value, value.dtype.newbyteorder("<"))
        packed = base64.b64encode(zlib.compress(little.tobytes(), 6)).decode()
        return {_ARRAY: [little.dtype.str, list(value.shape), packed]}
    if isinstance(value, dict):
        return {str(k): _out(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_out(v) for v in value]
    if hasattr(value, "to_dict"):
        return _out(value.to_dict())
    if dataclasses.is_dataclass(value):
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        return _out({"kind": type(value).__name__, **fields})
    raise TypeError(
        f"A {type(value).__name__} cannot be kept; give numbers, words, lists, dicts and arrays."
    )


def _in(value: Any) -> Any:
    if isinstance(value, list):
        return [_in(v) for v in value]
    if isinstance(value, dict):
        if len(value) == 1:
            if _NUMBER in value:
                return float(value[_NUMBER])
            if _ARRAY in value:
                dtype, shape, packed = value[_ARRAY]
                flat = np.frombuffer(zlib.decompress(base64.b64decode(packed)), dtype)
                return flat.reshape(shape)
        return {k: _in(v) for k, v in value.items()}
    return value
