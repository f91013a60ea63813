"""What all records share: frozen, read-only arrays, and export to pandas and JSON."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.notebook import NotebookDisplay

if TYPE_CHECKING:
    import pandas


def frozen(value: Any) -> Any:
    """Arrays (also inside tuples) as read-only views; anything else as it is."""
    if isinstance(value, np.ndarray):
        view = value.view()
        view.setflags(write=False)
        return view
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(frozen(v) for v in value)
    return value


def plain(value: Any) -> Any:
    """A value as JSON knows it: arrays become lists, numbers that are not finite become null."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            out = value.astype(object)
            out[~np.isfinite(value)] = None
            return out.tolist()
        return value.tolist()
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if dataclasses.is_dataclass(value):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    return value


class Record(NotebookDisplay):
    """Base of every record. Subclasses are frozen dataclasses and give ``to_frame``.

    In a notebook a record shows a small picture and its numbers; ``plot()`` gives the picture as
    a HoloViews element.
    """

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            object.__setattr__(self, field.name, frozen(getattr(self, field.name)))

    def to_frame(self) -> pandas.DataFrame:
        """The numbers of the record's picture as one table."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Every field as plain values, with the record's kind under "record"."""
        out: dict[str, Any] = {"record": type(self).__name__}
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            out[field.name] = plain(getattr(self, field.name))
        return out

    def to_json(self) -> str:
        """The record as JSON; numbers that are not finite are null."""
        return json.dumps(self.to_dict(), allow_nan=False)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays the record holds."""
        names = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]
        return sum(_bytes(getattr(self, name)) for name in names)


def _bytes(value: Any) -> int:
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, (tuple, list)):
        return sum(map(_bytes, value))
    if isinstance(value, Record):
        return value.nbytes
    return 0
