"""`Unit` and `Plan`: the work of a study, in pieces that can run anywhere, in any order."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from explorer import __version__
from explorer.data import Dataset
from explorer.studies import codec


def identity(data: Dataset) -> str:
    """Hash of all of a data set that units may look at."""
    return codec.digest([data.name, data.digest(), data.groups, list(data.feature_names)])


@cache
def code_digest(module: str) -> str:
    """Hash of the code behind a unit: its own module, and the rooms that compute.

    What was kept by other code is not taken up again.
    """
    package = Path(__file__).resolve().parents[1]
    files = [package / "baselines.py", package / "studies" / "trials.py"]
    for room in ("engine", "data", "analysis"):
        files += sorted((package / room).rglob("*.py"))
    own = getattr(sys.modules.get(module), "__file__", None)
    h = hashlib.blake2b(digest_size=16)
    for path in [*files, *([Path(own)] if own else [])]:
        h.update(path.read_bytes())
    return h.hexdigest()


@dataclass(frozen=True)
class Unit:
    """One call: ``function(*datasets, threads=..., **arguments)``.

    key: its name within the study, stable and readable ("sonar/RF/repeat 3").
    function: of a module's top level, so that it can be sent to another process.
    data: names of the data sets (in ``Plan.data``) that it is given first.
    arguments: small and JSON-able.
    """

    key: str
    function: Callable[..., Any]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    data: tuple[str, ...] = ()

    def __call__(self, data: Mapping[str, Dataset], threads: int | None) -> Any:
        """The output, as it would be after a stay on disk."""
        given = [data[name] for name in self.data]
        return codec.settled(self.function(*given, threads=threads, **self.arguments))

    def fingerprint(self, identities: Mapping[str, str]) -> str:
        """Hash of all that the output depends on: function, arguments, data, and code."""
        where = f"{self.function.__module__}.{self.function.__qualname__}"
        given = [identities[name] for name in self.data]
        code = code_digest(self.function.__module__)
        return codec.digest([__version__, code, where, self.key, dict(self.arguments), given])


@dataclass(frozen=True)
class Missing:
    """Something the paper used that this run has not: a data set, and why it is not here."""

    name: str
    why: str


@dataclass(frozen=True)
class Plan:
    """What a study is going to do.

    data: name -> data set that units are given. units: all work; their keys differ.
    missing: the paper's data sets that this run goes without. specs: model -> its exact recipe,
    as plain values, for the record. notes: sentences on what differs from the paper. context:
    whatever else ``gather`` wants to know of the plan; it is not kept.
    """

    units: tuple[Unit, ...]
    data: Mapping[str, Dataset] = field(default_factory=dict)
    missing: tuple[Missing, ...] = ()
    specs: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    context: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", tuple(self.units))
        seen: set[str] = set()
        for unit in self.units:
            if unit.key in seen:
                raise ValueError(f"Two units of work are named '{unit.key}'.")
            seen.add(unit.key)
            for name in unit.data:
                if name not in self.data:
                    raise ValueError(f"Unit '{unit.key}' needs data set '{name}', not planned.")
