"""The lessons on offer: those of the app, and those of a teacher's folder.

The folder is looked at again whenever somebody opens the page or the list, so a file that is
dropped in is there at once. A file that cannot be read is named with its fault; the others work.
"""

from __future__ import annotations

import logging
import os
from functools import cache
from pathlib import Path

from explorer.app.lessons.lesson import LARGEST_FILE, Lesson, LessonFault, lesson_name, read_lesson

log = logging.getLogger("explorer.lessons")
FOLDER = "EXPLORER_LESSONS"  # environment variable that names a teacher's folder
BUNDLED = Path(__file__).parent / "content"
MOST_FILES = 100

_Stamp = tuple[int, int]


class Shelf:
    """Lessons by name, in their order. faults: sentences about files of the folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.faults: list[str] = []
        self.lessons: dict[str, Lesson] = {}
        # path -> when and how large it was, and what was read from it
        self._read: dict[Path, tuple[_Stamp, Lesson | str]] = {}
        self.look()

    def look(self) -> None:
        """Look into the folder again; only files that changed are read."""
        found = dict(_bundled())
        self.faults = []
        for path in self._files():
            made = self._of(path)
            if isinstance(made, str):
                self.faults.append(made)
            else:
                found[made.name] = made  # a teacher's own version of one of ours wins
        order = sorted(found.values(), key=lambda a: (a.order, a.title.lower(), a.name))
        self.lessons = {lesson.name: lesson for lesson in order}

    def _files(self) -> list[Path]:
        if self.folder is None:
            return []
        try:
            paths = sorted(p for p in self.folder.iterdir() if p.suffix.lower() == ".md")
        except OSError:
            self.faults.append(
                f"The folder of lessons, {self.folder}, cannot be read. Make it, or name another."
            )
            return []
        if len(paths) > MOST_FILES:
            self.faults.append(f"Only the first {MOST_FILES} files of the folder are read.")
        return paths[:MOST_FILES]

    def _of(self, path: Path) -> Lesson | str:
        """The lesson of a file, or the sentence why there is none."""
        try:
            stat = path.stat()
            stamp = (stat.st_mtime_ns, stat.st_size)
            held = self._read.get(path)
            if held is not None and held[0] == stamp:
                return held[1]
            with path.open("rb") as file:
                raw = file.read(LARGEST_FILE + 1)
        except OSError:
            return f"{path.name} cannot be opened. Check who may read it."
        made: Lesson | str
        try:
            made = read_lesson(raw, lesson_name(path.stem))
        except LessonFault as fault:
            made = f"{path.name}, line {fault.line}: {fault.sentence}"
            log.warning("%s", made)
        self._read[path] = (stamp, made)
        return made


@cache
def _bundled() -> dict[str, Lesson]:
    """The app's own lessons; one that cannot be read would be our fault, and is left out."""
    found = {}
    for path in sorted(BUNDLED.glob("*.md")):
        try:
            lesson = read_lesson(path.read_bytes(), lesson_name(path.stem))
        except LessonFault as fault:
            log.error("%s, line %d: %s", path.name, fault.line, fault.sentence)
        else:
            found[lesson.name] = lesson
    return found


@cache
def _of_folder(folder: str) -> Shelf:
    return Shelf(Path(folder) if folder else None)


def shelf() -> Shelf:
    """The shelf of this server, just looked at."""
    shared = _of_folder(os.environ.get(FOLDER, ""))
    shared.look()
    return shared
