"""Reading a folder of instrument files, one after the other, in a worker process."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from explorer.data.measured.sources import Found, Gathered, Paths, gather
from explorer.data.measured.spectra import MeasuredSpectra, NotRead, Spectrum
from explorer.data.readers.instruments.block import Given
from explorer.data.readers.instruments.packing import Answer, NameTable
from explorer.data.readers.instruments.pool import ReaderProcess
from explorer.data.readers.refused import FileRefused, Limits, shown

_FEW, _MANY = 8, 200  # files looked at first; files from which on two processes may be used
_LARGE = 16_000  # bytes per file from which on a second process is worth its start
Progress = Callable[[int, int, str], None]


def read_spectra(
    source: Paths,
    *,
    name: str | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> MeasuredSpectra:
    """Every spectrum in a folder, a zip archive, several files, or an upload.

    source: a path, a list of paths, or names with their bytes (an upload of a folder). Every file
    gives spectra, or a reason in `not_read`; the rest goes on. limits: bytes, seconds and memory
    of a file; `cells` is also the most values of all together. progress: called with (files done,
    files in all, name). stop: asked before every file; True ends the reading, and what was read
    is returned.
    """
    reading = Reading(source, name=name, limits=limits, progress=progress)
    reading.go(stop)
    return reading.result()


class Reading:
    """Reads the files of a source, some now and the rest later.

    Between two calls of `go` no process is running, so that a large folder can give way to the
    files of others. progress: as in `read_spectra`.
    """

    def __init__(
        self,
        source: Paths,
        *,
        name: str | None = None,
        limits: Limits | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.source, self.name, self.progress = source, name, progress
        self.limits = limits if limits is not None else Limits()
        self.done = 0  # files
        self._collected = _Collected(self.limits)
        self._gathered: Gathered | None = None

    @property
    def total(self) -> int:
        """Files in all; 0 before they were looked for."""
        return 0 if self._gathered is None else len(self._gathered.files)

    @property
    def finished(self) -> bool:
        return self._gathered is not None and self.done >= self.total

    def go(self, stop: Callable[[], bool] | None = None) -> None:
        """Read until all files are read, or `stop` says so; it is asked before every file."""
        if self.finished:
            return
        with ReaderProcess() as worker, ReaderProcess() as second:
            worker.start()  # it starts while the files are looked for
            if self._gathered is None:
                self._gathered = gather(self.source, self.limits)
                refused = self._gathered.refused.items()
                self._collected.not_read += [NotRead(path, words) for path, words in refused]
            left = self._gathered.files[self.done :]
            answers = _answers(left, self.limits, worker, second)
            for file in left:
                if stop is not None and stop():
                    return
                if self.progress is not None:
                    self.progress(self.done, self.total, file.name)
                self._collected.add(file.name, next(answers))
                self.done += 1
        if self.progress is not None:
            self.progress(self.total, self.total, "")

    def result(self) -> MeasuredSpectra:
        """What was read so far."""
        if self._gathered is None:
            raise ValueError("Nothing has been read yet; call `go` first.")
        if not self.finished:
            self._collected.notes.append(
                f"Reading was stopped after {self.done} of {self.total} files."
            )
        return self._collected.result(self.name or _name_of(self.source), self._gathered.partners)


def _answers(
    files: Sequence[Found], limits: Limits, worker: ReaderProcess, second: ReaderProcess
) -> Iterator[Answer]:
    """What became of each file, in order. Many large files are shared between two processes."""
    first = [_request(file, limits) for file in files[:_FEW]]
    size = sum(len(one.content) for one in first if isinstance(one, Given))
    shared = len(files) >= _MANY and size >= _LARGE * len(first) and (os.cpu_count() or 1) > 1
    workers = (worker, second) if shared else (worker,)

    def part(begin: int) -> Iterator[Given | Answer]:
        for k in range(begin, len(files), len(workers)):
            yield first[k] if k < len(first) else _request(files[k], limits)

    if shared:
        second.start()
    streams = [one.answers(part(k)) for k, one in enumerate(workers)]
    for k in range(len(files)):
        yield next(streams[k % len(streams)])


def _request(file: Found, limits: Limits) -> Given | Answer:
    """The file with its bytes, or the answer for one that cannot be sent."""
    try:
        content = file.content()
        beside = {f.name.rsplit("/", 1)[-1].lower(): f.content() for f in file.beside}
    except FileRefused as refusal:
        return Answer(refused=str(refusal))
    plain = file.name.rsplit("/", 1)[-1]
    if len(content) + sum(map(len, beside.values())) > limits.bytes:
        return Answer(
            refused=f"{shown(plain)} is larger than {limits.words}, the limit. Export a part of "
            "it, or raise the limit."
        )
    if not content.strip(b"\x00 \t\r\n"):
        return Answer(refused=f"{shown(plain)} is empty.")
    return Given(file.name, content, limits, beside)


class _Collected:
    """What has been read so far."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.spectra: list[Spectrum] = []
        self.not_read: list[NotRead] = []
        self.tables: dict[str, NameTable] = {}
        self.formats: Counter[str] = Counter()
        self.notes: list[str] = []
        self.cells = 0

    def add(self, file: str, answer: Answer) -> None:
        if answer.refused:
            self.not_read.append(NotRead(file, answer.refused))
            return
        if answer.table is not None:
            self.tables[file] = answer.table
            return
        size = sum(block.y.size for block in answer.blocks)
        if self.cells + size > self.limits.cells:
            self.not_read.append(
                NotRead(
                    file,
                    f"{shown(file)} was left out: all spectra together may have at most "
                    f"{self.limits.cells} values. Read fewer files, or raise the limit.",
                )
            )
            return
        self.cells += size
        self.formats[answer.title] += 1
        plain = file.rsplit("/", 1)[-1]
        stem = plain.rsplit(".", 1)[0] or plain
        several = sum(block.n for block in answer.blocks) > 1
        for block in answer.blocks:
            self.notes += [f"{shown(plain)}: {note}" for note in block.notes]
            for k in range(block.n):
                metadata = dict(block.metadata)
                for key, values in block.each.items():
                    if values[k]:
                        metadata[key] = values[k]
                named = block.names[k] or (f"{stem} {len(self.spectra) + 1}" if several else stem)
                self.spectra.append(
                    Spectrum(block.x, block.y[k], block.unit, named, file, block.quantity, metadata)
                )

    def result(self, name: str, partners: Mapping[str, str]) -> MeasuredSpectra:
        from explorer.data.measured.name_tables import names_files

        kept = {}
        for file, table in self.tables.items():
            if names_files(table, self.spectra):
                kept[file] = table
            else:
                self.not_read.append(
                    NotRead(
                        file,
                        f"{shown(file.rsplit('/', 1)[-1])} is a table without a spectral axis in "
                        "its header and without a column of file names, so it gives neither "
                        "spectra nor classes. Name the columns by their positions, or add file "
                        "names.",
                    )
                )
        return MeasuredSpectra(
            name,
            tuple(self.spectra),
            tuple(self.not_read),
            kept,
            dict(self.formats),
            dict(partners),
            tuple(dict.fromkeys(self.notes)),
        )


def _name_of(source: Paths) -> str:
    if isinstance(source, str | os.PathLike):
        return Path(source).resolve().stem or "spectra"
    return "spectra"
