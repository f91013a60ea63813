"""Reading a folder of instrument files, one after the other, in a worker process."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from explorer.data.measured.sources import FileSearch, Found, Gathered, Paths
from explorer.data.measured.spectra import MeasuredSpectra, NotRead, Spectrum
from explorer.data.readers.ask import ReadingCancelled
from explorer.data.readers.instruments.block import Given
from explorer.data.readers.instruments.packing import Answer, NameTable
from explorer.data.readers.instruments.pool import ReaderProcess
from explorer.data.readers.refused import FileRefused, Limits, shown

_FEW, _MANY = 8, 200  # files looked at first; files from which on two processes may be used
_LARGE = 16_000  # bytes per file from which on a second process is worth its start
_MOST_SPECTRA = 200_000  # of all files together
_MOST_TEXTS = 4_000_000  # fields of all spectra together
_MOST_WORDS = 50_000_000  # bytes of names and fields of all files together
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
        self._search = FileSearch(source, self.limits)
        self._gathered: Gathered | None = None
        self._left: list[int] = []  # numbers of the files to be read
        self._slow: list[int] = []  # of those that were put off

    @property
    def total(self) -> int:
        """Files in all; 0 before they were looked for."""
        return 0 if self._gathered is None else len(self._gathered.files)

    @property
    def finished(self) -> bool:
        return self._gathered is not None and not self._left and not self._slow

    @property
    def only_slow(self) -> bool:
        """Whether all that is left are files that were put off."""
        return self._gathered is not None and not self._left and bool(self._slow)

    def go(
        self,
        stop: Callable[[], bool] | None = None,
        *,
        put_off: float | None = None,
        gone: Callable[[], bool] | None = None,
    ) -> None:
        """Read until all files are read, or `stop` says so; it is asked before every file.

        put_off: seconds after which a file is left for a later call, in which it begins again with
        all the time that it may take. gone: whether nobody waits any more, also asked during a
        file; it ends the reading.
        """
        if self.finished:
            return
        with (
            suppress(ReadingCancelled),
            ReaderProcess(gone) as worker,
            ReaderProcess(gone) as second,
        ):
            worker.start()  # it starts while the files are looked for
            if self._gathered is None:
                if not self._search.go(worker.open, stop):
                    return
                self._take(self._search.result())
            if put_off is None:
                self._left, self._slow = sorted([*self._left, *self._slow]), []
            if self._read(worker, second, stop, put_off) and self.progress is not None:
                self.progress(self.done, self.total, "")

    def _take(self, gathered: Gathered) -> None:
        self._gathered = gathered
        self._left = list(range(len(gathered.files)))
        self._collected.not_read += [NotRead(f, words) for f, words in gathered.refused.items()]

    def _read(
        self,
        worker: ReaderProcess,
        second: ReaderProcess,
        stop: Callable[[], bool] | None,
        put_off: float | None,
    ) -> bool:
        """Read what is left; False if it was stopped."""
        assert self._gathered is not None
        limits = self.limits
        if put_off is not None:
            limits = replace(limits, seconds=min(put_off, limits.seconds))
        files = [self._gathered.files[k] for k in self._left]
        answers = _answers(files, limits, worker, second)
        for number, file in zip(list(self._left), files, strict=True):
            if stop is not None and stop():
                return False
            if self.progress is not None:
                self.progress(self.done, self.total, file.name)
            answer = next(answers)
            self._left.pop(0)
            if answer.late and limits.seconds < self.limits.seconds:
                self._slow.append(number)
                continue
            self._collected.add(number, file.name, answer)
            self.done += 1
        return True

    def result(self) -> MeasuredSpectra:
        """What was read so far."""
        gathered = self._gathered
        if gathered is None:
            gathered = self._search.result()
            said = "Reading was stopped while archives were opened."
        else:
            said = f"Reading was stopped after {self.done} of {self.total} files."
        notes = () if self.finished else (said,)
        name = self.name or _name_of(self.source)
        return self._collected.result(name, gathered.partners, notes)


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
    """What has been read so far: answers by the number of their file, within the limits."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.not_read: list[NotRead] = []
        self._answers: dict[int, tuple[str, Answer]] = {}
        self._cells = self._spectra = self._texts = self._words = 0

    def add(self, number: int, file: str, answer: Answer) -> None:
        if answer.refused:
            self.not_read.append(NotRead(file, answer.refused))
            return
        cells = self._cells + sum(block.y.size for block in answer.blocks)
        spectra = self._spectra + sum(block.n for block in answer.blocks)
        fields = (len(block.metadata) + len(block.each) for block in answer.blocks)
        texts = self._texts + sum(n * b.n for n, b in zip(fields, answer.blocks, strict=True))
        words = self._words + answer.words
        for count, most, what in (
            (cells, self.limits.cells, "values"),
            (spectra, _MOST_SPECTRA, "spectra"),
            (texts, _MOST_TEXTS, "fields"),
            (words, _MOST_WORDS, "bytes of names and fields"),
        ):
            if count > most:
                self.not_read.append(
                    NotRead(
                        file,
                        f"{shown(file)} was left out: all files together may have at most {most} "
                        f"{what}. Read fewer files.",
                    )
                )
                return
        self._cells, self._spectra, self._texts, self._words = cells, spectra, texts, words
        self._answers[number] = file, answer

    def spectra(self) -> tuple[list[Spectrum], dict[str, NameTable], Counter[str], list[str]]:
        """In the order of the files: spectra, tables of names, formats and notes."""
        spectra: list[Spectrum] = []
        tables: dict[str, NameTable] = {}
        formats: Counter[str] = Counter()
        notes: list[str] = []
        for _, (file, answer) in sorted(self._answers.items()):
            if answer.table is not None:
                tables[file] = answer.table
                continue
            formats[answer.title] += 1
            plain = file.rsplit("/", 1)[-1]
            stem = plain.rsplit(".", 1)[0] or plain
            several = sum(block.n for block in answer.blocks) > 1
            for block in answer.blocks:
                notes += [f"{shown(plain)}: {note}" for note in block.notes]
                for k in range(block.n):
                    metadata = dict(block.metadata)
                    for key, values in block.each.items():
                        if values[k]:
                            metadata[key] = values[k]
                    named = block.names[k] or (f"{stem} {len(spectra) + 1}" if several else stem)
                    spectra.append(
                        Spectrum(
                            block.x, block.y[k], block.unit, named, file, block.quantity, metadata
                        )
                    )
        return spectra, tables, formats, notes

    def result(
        self, name: str, partners: Mapping[str, str], more: tuple[str, ...]
    ) -> MeasuredSpectra:
        from explorer.data.measured.name_tables import names_files

        spectra, tables, formats, notes = self.spectra()
        kept = {}
        not_read = list(self.not_read)
        for file, table in tables.items():
            if names_files(table, spectra):
                kept[file] = table
            else:
                not_read.append(
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
            tuple(spectra),
            tuple(not_read),
            kept,
            dict(formats),
            dict(partners),
            (*dict.fromkeys(notes), *more),
            self.limits.cells,
        )


def _name_of(source: Paths) -> str:
    if isinstance(source, str | os.PathLike):
        return Path(source).resolve().stem or "spectra"
    return "spectra"
