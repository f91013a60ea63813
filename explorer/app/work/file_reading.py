"""Reads a visitor's own file in a process of its own, in turn with the files of others.

Whatever its format, a file is parsed by a child process with limits on time, memory and the size of
its answer. Every file is tried for a few seconds first; one that takes longer begins again in a
queue for slow files, so that a table of ordinary size never waits behind them. The child is ended
when the session ends or chooses something else.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from explorer.app.state.uploads import Choices
from explorer.app.work.fair_queue import FairQueue, Stopped
from explorer.app.work.scheduler import Rest
from explorer.data import Dataset, FileRefused, Preview
from explorer.data.readers.assemble import Wishes
from explorer.data.readers.reading import dataset_of, preview_of, read_apart
from explorer.data.readers.refused import Limits, TookTooLong

MOST_CLASSES = 100
QUICK_SECONDS = 6.0  # most of it for the start of a process on a busy machine
LIMITS = Limits(
    bytes=50_000_000, columns=20_000, cells=10_000_000, seconds=30.0, memory=2_000_000_000
)
LOOK = 0.05  # seconds between two looks whether a file was read
PREVIEW_ROWS = 4

QUICK = FairQueue("reader", workers=2, most_waiting=2)
SLOW = FairQueue("slow reader", workers=1, most_waiting=2)


@dataclass(frozen=True)
class FileReadingResult:
    """What came of reading: a preview if the file parses, data if they are complete, or why not."""

    preview: Preview | None
    data: Dataset | None
    why: str = ""
    wishes: dict[str, Any] = field(default_factory=dict)


def reading(
    owner: Hashable, content: bytes, name: str, choices: Choices, known: Preview | None
) -> Iterator[FileReadingResult | Rest]:
    """Steps of waiting while others, or a process of its own, are at it; at the end what was found.

    owner: whose file it is; files of different owners take turns. known: the preview, if the file
    was read before.
    """
    for queue, seconds in ((QUICK, QUICK_SECONDS), (SLOW, LIMITS.seconds)):
        limits = replace(LIMITS, seconds=seconds)
        job = queue.submit(owner, partial(_read, content, name, choices, known, limits))
        try:
            while not job.result.done():
                yield Rest(LOOK)
            found = job.result.result()
        finally:
            job.stop()
        if found is not None:
            yield found
            return


def _read(
    content: bytes,
    name: str,
    choices: Choices,
    known: Preview | None,
    limits: Limits,
    stopped: Stopped,
) -> FileReadingResult | None:
    """None if it took longer than the first try may take."""
    seen = known
    try:
        table = read_apart(content, name, limits, stopped)
        seen = known or preview_of(table, PREVIEW_ROWS)
        label = choices.label if choices.label is not None else seen.label
        wishes = choices.wishes(label)
        data = dataset_of(table, name, Wishes(**wishes), limits)
    except TookTooLong as refusal:
        return (
            None if limits.seconds < LIMITS.seconds else FileReadingResult(seen, None, str(refusal))
        )
    except FileRefused as refusal:
        return FileReadingResult(seen, None, str(refusal))
    why = _not_drawn(data)
    return FileReadingResult(seen, None if why else data, why, wishes)


def _not_drawn(data: Dataset) -> str:
    """What the readers take but the pictures cannot show, as a sentence; empty if all is well."""
    if data.n_classes > MOST_CLASSES:
        return (
            f"The label has {data.n_classes} classes; up to {MOST_CLASSES} can be told apart in "
            "a picture. Choose another column, or join classes."
        )
    if data.n_features < 2:
        return "A map needs two features; this file has one beside its label."
    return ""
