"""`Result`: what a study found, with everything needed to reproduce it; saved and loaded."""

from __future__ import annotations

import os
import platform
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.studies import codec

if TYPE_CHECKING:
    import pandas

Row = dict[str, Any]
Table = list[Row]
_PACKAGES = ("numpy", "scipy", "numba", "scikit-learn", "bokeh")
FORMAT = 1


@dataclass(frozen=True)
class Findings:
    """tables: name -> rows (dicts of plain values); arrays: name -> array, for pictures."""

    tables: Mapping[str, Table] = field(default_factory=dict)
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Result:
    """What a study found.

    settings: the numbers of the scale it ran at, seeds among them. data: a row per data set
    (name, title, samples, features, classes, digest, source). missing: rows (name, why).
    specs: exact recipes of the models. versions: of us, Python and packages. seconds: the time
    it took, without what was kept from before.
    """

    study: str
    scale: str
    settings: Mapping[str, Any]
    tables: Mapping[str, Table]
    arrays: Mapping[str, np.ndarray]
    data: Table
    missing: Table
    specs: Mapping[str, Any]
    notes: list[str]
    versions: Mapping[str, str]
    seconds: float

    def table(self, name: str) -> Table:
        if name not in self.tables:
            raise KeyError(f"{self.study} has no table '{name}': {', '.join(self.tables)}.")
        return self.tables[name]

    def column(self, table: str, name: str, **where: Any) -> list[Any]:
        """A column of a table, of the rows that have the given values."""
        return [row[name] for row in self.rows(table, **where)]

    def rows(self, table: str, **where: Any) -> Table:
        """Rows of a table that have the given values."""
        return [r for r in self.table(table) if all(r.get(k) == v for k, v in where.items())]

    def frame(self, table: str) -> pandas.DataFrame:
        """A table as pandas knows it."""
        import pandas

        return pandas.DataFrame(self.table(table))

    def digest(self) -> str:
        """Hash of the tables and arrays, times left out: equal for equal runs."""
        return codec.digest(_timeless({"tables": self.tables, "arrays": self.arrays}))

    def to_text(self) -> str:
        out = {f.name: getattr(self, f.name) for f in fields(self)}
        return codec.to_text({"format": FORMAT, "checksum": codec.digest(out), **out}, indent=1)

    @classmethod
    def from_text(cls, text: str) -> Result:
        """The result of `to_text`; a ValueError for any other text."""
        try:
            found = codec.from_text(text)
            if found.pop("format") != FORMAT:
                raise ValueError("it was written by another version")
            if "checksum" in found and found.pop("checksum") != codec.digest(found):
                raise ValueError("it was changed or damaged after it was written")
            return cls(**found)
        except (ValueError, TypeError, KeyError, AttributeError, zlib.error) as error:
            raise ValueError(f"This is not a study's result: {error}.") from None
        except (RecursionError, MemoryError):
            raise ValueError("This is not a study's result: it is nested too deeply.") from None

    def save(self, path: Path) -> None:
        """Write the result to a file, whole or not at all."""
        write_whole(Path(path), self.to_text())

    @classmethod
    def load(cls, path: Path) -> Result:
        """Read a result; a ValueError names the file and what is wrong with it."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise ValueError(f"{path} is damaged: it is not text. Run the study again.") from None
        except OSError as error:
            raise ValueError(f"{path} cannot be read ({error.strerror}).") from None
        try:
            return cls.from_text(text)
        except ValueError as error:
            raise ValueError(f"{path}: {error} Run the study again.") from None


@contextmanager
def sound(path: Path) -> Iterator[None]:
    """Whatever goes wrong with a result that was read is the file's fault: a ValueError says so.

    A result of an older version, or one that somebody edited, may lack what its study asks for.
    """
    try:
        yield
    except (OSError, KeyboardInterrupt):
        raise
    except Exception as error:
        raise ValueError(
            f"{path} does not hold what its study needs ({type(error).__name__}). Run the study "
            "again."
        ) from error


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that a reader (or a power cut) never sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    raw = content.encode() if isinstance(content, str) else content
    beside.write_bytes(raw)
    os.replace(beside, path)


def versions() -> dict[str, str]:
    """Versions of all that could change a result."""
    from explorer import __version__

    found = {"forest-explorer": __version__, "python": platform.python_version()}
    return found | {name: metadata.version(name) for name in _PACKAGES}


def _timeless(value: Any) -> Any:
    """Without fields whose name begins with "seconds"."""
    if isinstance(value, Mapping):
        return {k: _timeless(v) for k, v in value.items() if not str(k).startswith("seconds")}
    if isinstance(value, list | tuple):
        return [_timeless(v) for v in value]
    return value
