"""Reading a folder of spectra, and looking at it as a data set.

`reading_folder` yields progress and then what was read; files are parsed in a child process with
limits, in turn with the folders of others: a folder that takes long gives way after some seconds
and goes on later. `look_into` follows the choices of a person: classes, replicates, axis.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from explorer.analysis.class_spectra import ClassSpectra, class_spectra
from explorer.app.state.folder_choices import FolderChoices
from explorer.app.work.fair_queue import FairQueue, Stopped
from explorer.app.work.file_reading import LIMITS, LOOK, MOST_CLASSES, QUICK_SECONDS
from explorer.app.work.scheduler import Rest
from explorer.data import Dataset, FileRefused
from explorer.data.measured import Grid, MeasuredSpectra, NotRead, Proposal
from explorer.data.measured.align import Aligned
from explorer.data.measured.reading import Reading

LONGEST = 300.0  # seconds of reading for all files together
BYTES = replace(LIMITS, bytes=60_000_000)
NO_CLASS = "without a class"

# seconds after which a folder gives way to others who wait; starting its process again costs half
# a second
AT_ONCE = 4.0
FOLDERS = FairQueue("folder reader", workers=2, most_waiting=2)
SLOW_FOLDERS = FairQueue("slow folder reader", workers=1, most_waiting=2)
LOOKS = FairQueue("folders", workers=2, most_waiting=4)  # what was read: looked into, or judged


@dataclass(frozen=True)
class FilesRead:
    """Progress: files done and in all, and the name of the next one."""

    done: int
    of: int
    name: str


@dataclass(frozen=True, eq=False)
class FolderLook:
    """A folder as it would be used.

    choices: with the way of the classes filled in. classes: the way that is used, None for none.
    spectra: on the common axis, class by class; those without a class are a class of their own.
    data: the data set, None if it cannot be made, then why says the reason.
    """

    found: MeasuredSpectra
    choices: FolderChoices
    class_ways: tuple[Proposal, ...]
    group_ways: tuple[Proposal, ...]
    classes: Proposal | None = None
    groups: Proposal | None = None
    grid: Grid | None = None
    spectra: ClassSpectra | None = None
    left_out: tuple[NotRead, ...] = ()
    notes: tuple[str, ...] = ()
    data: Dataset | None = None
    why: str = ""

    @property
    def mixed_groups(self) -> int:
        """Samples that have spectra of more than one class."""
        if self.groups is None or self.classes is None:
            return 0
        kinds: dict[str, set[str]] = {}
        for group, kind in zip(self.groups.labels, self.classes.labels, strict=True):
            if group and kind:
                kinds.setdefault(group, set()).add(kind)
        return sum(len(found) > 1 for found in kinds.values())


def reading_folder(
    owner: Hashable,
    files: dict[str, bytes],
    name: str,
    unopened: tuple[str, ...],
    cancel: threading.Event,
) -> Iterator[Any]:
    """Steps of progress, then a `FolderLook`."""

    def looked(found: MeasuredSpectra) -> FolderLook:
        return look_into(found, FolderChoices())

    return reading_spectra(owner, files, name, unopened, cancel, looked)


def reading_spectra(
    owner: Hashable,
    files: dict[str, bytes],
    name: str,
    unopened: tuple[str, ...],
    cancel: threading.Event,
    then: Callable[[MeasuredSpectra], Any],
) -> Iterator[Any]:
    """Steps of progress, then what ``then`` makes of the spectra that were read.

    owner: whose files they are; folders of different owners take turns. A file that takes longer
    than a few seconds is read last, in a queue for slow files, so that ordinary ones never wait
    behind it.
    """
    told: list[FilesRead] = [FilesRead(0, 0, "")]
    reading = Reading(
        files,
        name=name,
        limits=BYTES,
        progress=lambda done, of, file: told.append(FilesRead(done, of, file)),
    )
    used = 0.0  # seconds of reading

    def turn(queue: FairQueue, put_off: float | None, stopped: Stopped) -> bool:
        """Read for a while; whether the reading is over."""
        nonlocal used
        begun = time.monotonic()

        def over() -> bool:
            left = LONGEST - used - (time.monotonic() - begun)
            return stopped() or cancel.is_set() or left < 0

        def stop() -> bool:
            late = time.monotonic() - begun > AT_ONCE
            return over() or (late and queue.others_wait(owner))

        reading.go(stop, put_off=put_off, gone=over)
        is_over = reading.finished or over()
        used += time.monotonic() - begun
        return is_over

    def made(stopped: Stopped) -> Any:
        found = reading.result()
        extra = tuple(NotRead(f, "The browser could not open this file.") for f in unopened)
        return then(replace(found, not_read=(*found.not_read, *extra)))

    is_over: bool | None = False
    while is_over is False:
        is_over = None  # nothing comes of a reading whose owner has gone
        slow = reading.only_slow
        queue = SLOW_FOLDERS if slow else FOLDERS
        work = partial(turn, queue, None if slow else QUICK_SECONDS)
        for now in in_queue(queue, owner, work, told):
            if isinstance(now, bool):
                is_over = now
            else:
                yield now
    if is_over is None:
        return
    yield from in_queue(LOOKS, owner, made, [])


def in_queue(
    queue: FairQueue, owner: Hashable, work: Callable[[Stopped], Any], told: list[Any]
) -> Iterator[Any]:
    """What was told last, or a rest, while the work waits for its turn or is done; then what it
    gives. The work ends when nobody waits for it any more."""
    job = queue.submit(owner, work)
    last: Any = None
    try:
        while not job.result.done():
            now = told[-1] if told else None
            if now is not last:
                yield now
            last = now
            yield Rest(LOOK)
        try:
            yield job.result.result()
        except CancelledError:
            return
    finally:
        job.stop()


def looking(owner: Hashable, found: MeasuredSpectra, choices: FolderChoices) -> Iterator[Any]:
    """Rests while it is looked into, then a `FolderLook`."""
    return in_queue(LOOKS, owner, lambda stopped: look_into(found, choices), [])


def look_into(found: MeasuredSpectra, choices: FolderChoices) -> FolderLook:
    """The folder with these choices; what cannot be done is told in `why`."""
    look = FolderLook(found, choices, found.class_proposals(), found.group_proposals())
    if not found.spectra:
        return replace(look, why=f"No spectrum was read: {found.summary}.")
    try:
        look = _with_classes(look)
        grid = found.propose_grid(**look.choices.grid())
        aligned = found.align(grid)
    except FileRefused as refusal:
        return replace(look, why=str(refusal))
    look = replace(
        look,
        grid=grid,
        spectra=_spectra(look, aligned),
        left_out=aligned.left_out,
        notes=(*found.notes, *aligned.notes),
    )
    if look.classes is None:
        return replace(
            look,
            why="These spectra have no classes yet. Say where they come from: sub-folders, a part "
            "of the file names, a field, or a table among the files.",
        )
    try:
        data = found.to_dataset(look.classes, look.groups, grid)
    except FileRefused as refusal:
        return replace(look, why=str(refusal))
    return replace(look, data=data, why="") if not _too_many(data) else _refused(look, data)


def _with_classes(look: FolderLook) -> FolderLook:
    choices, found = look.choices, look.found
    if choices.classes is None:
        way = look.class_ways[0].way if look.class_ways else ""
        choices = replace(choices, classes=way)
    if choices.groups is None:
        # names that differ in a number are often not replicates; a table or field means it
        told = [p.way for p in look.group_ways if p.way.startswith(("table:", "metadata:"))]
        choices = replace(choices, groups=told[0] if told else "")
    classes = found.classes_by(choices.classes) if choices.classes else None
    groups = found.groups_by(choices.groups) if choices.groups else None
    return replace(look, choices=choices, classes=classes, groups=groups)


def _spectra(look: FolderLook, aligned: Aligned) -> ClassSpectra:
    labels = look.classes.labels if look.classes is not None else ("",) * len(look.found.spectra)
    texts = [labels[k] for k in aligned.kept]
    # in the order of the data set's classes, so that they have its colours
    names = sorted({text for text in texts if text})
    code = {name: k for k, name in enumerate([*names, ""])}
    shown = [*names, NO_CLASS] if len(names) > 1 else [*names, NO_CLASS, "nothing"]
    drawn = Dataset(
        name=look.found.name,
        X=aligned.X,
        y=np.array([code[text] for text in texts], np.intp),
        class_names=tuple(shown),
        feature_names=tuple(f"{j}" for j in range(aligned.X.shape[1])),
        axis=aligned.axis,
    )
    return class_spectra(drawn)


def _too_many(data: Dataset) -> bool:
    return data.n_classes > MOST_CLASSES or data.n_features < 2


def _refused(look: FolderLook, data: Dataset) -> FolderLook:
    if data.n_features < 2:
        return replace(look, why="A map needs two points of the axis; there is one. Change it.")
    return replace(
        look,
        why=f"There are {data.n_classes} classes; up to {MOST_CLASSES} can be told apart in a "
        "picture. Choose another way to find them.",
    )
