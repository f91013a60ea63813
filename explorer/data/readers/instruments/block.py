"""What a reader gets and gives: a file with its companions, and blocks of spectra on one axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data.axis import spell_unit
from explorer.data.readers.refused import FileRefused, Limits, shown

_MOST_FIELDS = 80
_LONGEST_FIELD = 200


@dataclass(frozen=True)
class Given:
    """A file to read. name: with its folder, "/" between; beside: files that belong to it, by name
    in lower case without folder."""

    name: str
    content: bytes
    limits: Limits
    beside: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def plain(self) -> str:
        return self.name.rsplit("/", 1)[-1]

    @property
    def stem(self) -> str:
        return self.plain.rsplit(".", 1)[0] or self.plain

    def refuse(self, what: str) -> FileRefused:
        """A refusal that begins with the name of the file: "'a.spc' " + what."""
        return FileRefused(f"{shown(self.plain)} {what}")

    def part(self, start: int, size: int, what: str) -> bytes:
        """Some bytes of the content; a file that ends before them is refused."""
        if start < 0 or size < 0 or start + size > len(self.content):
            raise self.refuse(
                f"is damaged or cut short: {what} should end at byte {start + size}, and the file "
                f"has {len(self.content)}. Copy or export it again."
            )
        return self.content[start : start + size]


@dataclass(eq=False)
class Block:
    """n spectra that share one axis.

    x: float64 [p], as in the file (rising, falling, or with gaps). y: float64 [n, p], NaN where
    nothing was measured. unit: of the axis ("cm-1", "nm", "um", "ppm", "m/z", "eV", ... or "").
    quantity: what y is ("absorbance"). names: n names, "" where the file gives none. metadata:
    fields of all n. each: fields with one text per spectrum. notes: sentences for people.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    unit: str = ""
    quantity: str = ""
    names: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    each: dict[str, list[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        x = np.ascontiguousarray(self.x, dtype=np.float64)
        self.x = x if x.ndim == 1 else x.ravel()  # blocks of one folder may share the array itself
        y = np.ascontiguousarray(self.y, dtype=np.float64)
        self.y = y[None, :] if y.ndim == 1 else y.reshape(-1, y.shape[-1])
        self.unit = spell_unit(self.unit) or clean(self.unit)
        self.quantity = clean(self.quantity)
        self.names = tuple(map(clean, self.names)) or ("",) * len(self.y)
        self.metadata: dict[str, str] = fields(self.metadata)
        self.each = {
            clean(key): [clean(v) for v in values]
            for key, values in list(self.each.items())[:_MOST_FIELDS]
            if len(values) == len(self.y)
        }

    @property
    def n(self) -> int:
        return int(self.y.shape[0])


def checked(blocks: Sequence[Block], given: Given) -> list[Block]:
    """The blocks if they are sound and within the limits; points without a position are dropped."""
    out = []
    cells = 0
    for block in blocks:
        if block.y.shape[1] != block.x.size or len(block.names) != block.n:
            raise given.refuse(
                f"gives {block.x.size} positions for {block.y.shape[1]} values. It is damaged; "
                "export it again."
            )
        cells += block.y.size
        given.limits.check_shape(block.n, min(block.x.size, 10**12))
        keep = np.isfinite(block.x)
        if not keep.all():
            block.x, block.y = block.x[keep], block.y[:, keep]
        if block.x.size < 2 or block.n == 0:
            continue
        block.y[~np.isfinite(block.y)] = np.nan
        if np.isnan(block.y).all():
            continue
        out.append(block)
    if cells > given.limits.cells:
        raise given.refuse(
            f"holds {cells} values; at most {given.limits.cells} can be read. Export a part of it."
        )
    if not out:
        raise given.refuse(
            "holds no spectrum of two points or more. Check that the measurement was saved, or "
            "export it again."
        )
    return out


def fields(found: Mapping[str, Any]) -> dict[str, str]:
    """Metadata as short texts, without empty ones."""
    out: dict[str, str] = {}
    for key, value in found.items():
        name, text = clean(key), clean(value)
        if name and text and len(out) < _MOST_FIELDS:
            out[name] = text
    return out


def clean(value: Any) -> str:
    """A value as one short line of text, without control characters."""
    if isinstance(value, bytes):
        value = value.split(b"\x00")[0].decode("utf-8", "replace")
    if isinstance(value, float):
        value = f"{value:.10g}"
    text = "".join(c if c.isprintable() else " " for c in str(value)[: 4 * _LONGEST_FIELD])
    return " ".join(text.split())[:_LONGEST_FIELD]


def positions(first: float, last: float, count: int) -> NDArray[np.float64]:
    """count positions from first to last at equal steps."""
    return np.linspace(first, last, count)


def floats(data: bytes, kind: str, count: int | None = None) -> NDArray[np.float64]:
    """Numbers of a numpy type in bytes, as float64; left-over bytes at the end are ignored."""
    size = np.dtype(kind).itemsize
    n = len(data) // size if count is None else count
    return np.frombuffer(data, kind, n).astype(np.float64)


def counted(count: int) -> NDArray[np.float64]:
    """0, 1, 2, ... as float64 [count]."""
    return np.arange(count, dtype=np.float64)


def stack(rows: Sequence[ArrayLike]) -> NDArray[np.float64]:
    return np.array([np.asarray(row, np.float64) for row in rows])
