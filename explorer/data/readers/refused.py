"""The one exception for bad files and the limits that files are held to."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_LIMIT = 50_000_000


class FileRefused(ValueError):
    """A file that cannot become a data set; the message says what, where, and what to do."""


class TookTooLong(FileRefused):
    """A file that was given up because of `Limits.seconds`."""


@dataclass(frozen=True)
class Limits:
    """What a file may cost.

    bytes: of the file, and of what an archive unpacks to. columns, cells: of the table in it.
    seconds, memory: of the child process that parses formats with a parser in C.
    """

    bytes: int = DEFAULT_LIMIT
    columns: int = 100_000
    cells: int = 50_000_000
    seconds: float = 60.0
    memory: int = 3_000_000_000

    @property
    def words(self) -> str:
        return f"{self.bytes / 1e6:g} MB"

    def check_shape(self, rows: int, columns: int) -> None:
        """Refuse a table that is too wide or too large before it is made."""
        if columns > self.columns:
            raise FileRefused(
                f"The table has {columns} columns; at most {self.columns} can be read. "
                "Bin the channels, or check that the file is what you think it is."
            )
        if rows * columns > self.cells:
            raise FileRefused(
                f"The table has {rows} rows and {columns} columns, {rows * columns} cells; at most "
                f"{self.cells} can be read. Take fewer rows or columns."
            )


def shown(text: object, width: int = 40) -> str:
    """A cell's text for a message: on one line, short, in quotes."""
    return f"'{_short(text, width)}'"


def reason(error: Exception, width: int = 120) -> str:
    """What a library says of a bad file, for a message in brackets: it may quote half of it."""
    return _short(error, width)


def _short(text: object, width: int) -> str:
    plain = " ".join(str(text).split())
    plain = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in plain)
    return plain if len(plain) <= width else plain[: width - 1] + "…"
