"""How blocks, tables and unpacked files travel from the worker process: JSON and raw bytes, no
pickle."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.data.readers.instruments.block import Block


@dataclass(frozen=True)
class NameTable:
    """A table that holds no spectra, but may say which class each file belongs to.

    columns: name -> texts ("" where a cell is empty), all of one length.
    """

    columns: dict[str, list[str]]

    @property
    def n_rows(self) -> int:
        return len(next(iter(self.columns.values()), []))


@dataclass(frozen=True)
class Answer:
    """What became of one file: spectra, a table, or a reason why not.

    words: bytes of the JSON that it came in. late: it was given up because of its time.
    """

    title: str = ""
    blocks: tuple[Block, ...] = ()
    table: NameTable | None = None
    refused: str = ""
    words: int = 0
    late: bool = False


class AxisSlots:
    """The axes sent last. Files of one folder usually share an axis: it is sent once, and both
    ends of the pipe keep it in the same slot."""

    COUNT = 16

    def __init__(self) -> None:
        self.axes: list[NDArray[np.float64] | None] = [None] * self.COUNT
        self._slots: dict[bytes, int] = {}
        self._next = 0

    def slot_of(self, axis: bytes) -> tuple[int, bool]:
        """The slot of an axis, and whether the other end has it already."""
        if axis in self._slots:
            return self._slots[axis], True
        slot, self._next = self._next, (self._next + 1) % self.COUNT
        self._slots = {known: at for known, at in self._slots.items() if at != slot}
        self._slots[axis] = slot
        return slot, False


def pack(answer: Answer, slots: AxisSlots | None = None) -> bytes:
    """An answer as bytes: the size of the JSON, the JSON, then x and y of each block.

    slots: what was sent before; an axis that is among it is not sent again.
    """
    slots = AxisSlots() if slots is None else slots
    axes = [block.x.tobytes() for block in answer.blocks]
    places = [slots.slot_of(axis) for axis in axes]
    described: dict[str, Any] = {"title": answer.title, "refused": answer.refused}
    if answer.table is not None:
        described["table"] = answer.table.columns
    described["blocks"] = [
        {
            "shape": list(b.y.shape),
            "axis": list(place),
            "unit": b.unit,
            "quantity": b.quantity,
            "names": b.names,
            "metadata": b.metadata,
            "each": b.each,
            "notes": b.notes,
        }
        for b, place in zip(answer.blocks, places, strict=True)
    ]
    head = json.dumps(described).encode()
    parts = [len(head).to_bytes(8, "little"), head]
    for block, axis, (_, known) in zip(answer.blocks, axes, places, strict=True):
        parts += [block.y.tobytes()] if known else [axis, block.y.tobytes()]
    return b"".join(parts)


def unpack(data: bytes, slots: AxisSlots | None = None) -> Answer:
    """The answer in what `pack` made; ValueError if it is not that."""
    slots = AxisSlots() if slots is None else slots
    size = int.from_bytes(data[:8], "little")
    described = json.loads(data[8 : 8 + size])
    at = 8 + size
    blocks = []
    for b in described["blocks"]:
        n, p = (int(side) for side in b["shape"])
        slot, known = b["axis"]
        if not known:
            fresh = np.frombuffer(data, np.float64, p, at).copy()
            fresh.setflags(write=False)
            slots.axes[slot] = fresh
            at += 8 * p
        x = slots.axes[slot]
        if x is None or x.size != p:
            raise ValueError("The axis of a block was not sent.")
        y = np.frombuffer(data, np.float64, n * p, at).reshape(n, p)
        at += 8 * n * p
        blocks.append(
            Block(
                x, y, b["unit"], b["quantity"], tuple(b["names"]), b["metadata"], b["each"],
                b["notes"],
            )
        )  # fmt: skip
    table = described.get("table")
    return Answer(
        described["title"],
        tuple(blocks),
        None if table is None else NameTable(table),
        described["refused"],
        words=size,
    )


def pack_files(files: Mapping[str, bytes], refused: str = "") -> bytes:
    """What was in an archive, or why it was not opened: the size of the JSON, the JSON, files."""
    head = json.dumps({"files": [[n, len(c)] for n, c in files.items()], "refused": refused})
    return b"".join([len(head).to_bytes(8, "little"), head.encode(), *files.values()])


def unpack_files(data: bytes) -> tuple[dict[str, bytes], str]:
    """The files and the refusal in what `pack_files` made; ValueError if it is not that."""
    at = 8 + int.from_bytes(data[:8], "little")
    described = json.loads(data[8:at])
    files: dict[str, bytes] = {}
    for name, size in described["files"]:
        files[name] = data[at : at + size]
        at += size
    if at != len(data):
        raise ValueError("Files were cut short.")
    return files, described["refused"]
