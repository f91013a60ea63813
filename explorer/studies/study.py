"""`Study`, the interface of one figure or table, and `Claim`, a sentence of a paper to test."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from explorer.studies import codec
from explorer.studies.citations import Paper
from explorer.studies.contents import CONTENTS
from explorer.studies.executors import Executor, Local
from explorer.studies.findings import Findings, Result, Table, versions
from explorer.studies.plan import Plan
from explorer.studies.running import run_units
from explorer.studies.sources import Sources
from explorer.studies.unit_log import UnitLog

Progress = Callable[[int, int, str], Any]  # (units done, units wanted, what)
SCALES = ("tiny", "quick", "full")


class Cause(StrEnum):
    """Why a claim of a paper does not hold here, once that was found out."""

    PAPER = "the paper's own numbers"
    DETAIL = "a detail that the paper leaves open"
    DATA = "other data than the paper's"
    CHANCE = "chance"
    SCALE = "not settled by a run smaller than the paper's"
    NUMBERS = "floating-point numbers"
    PROGRAM = "another program than the paper's"


@dataclass(frozen=True)
class Printed:
    """A number that the paper prints. where: page, figure or table; what: which number it is."""

    what: str
    value: float | str
    where: str


@dataclass(frozen=True)
class Claim:
    """A sentence the paper draws, checked.

    sentence: in the paper's words or close to them. where: section, figure or table.
    holds: True, False, or None where this run cannot tell (say why in remark).
    numbers: what the check looked at, measured (and printed, where the paper has them).
    remark: why it does not hold, what was not stated, what was different.
    cause: where it does not hold, which kind of reason the remark gives.
    condition: where it holds under one reading of the paper only, that reading: "holds if ...".
    margin: what a difference must exceed to count, in words; set before the run.
    """

    sentence: str
    where: str
    holds: bool | None
    numbers: Mapping[str, Any] = field(default_factory=dict)
    remark: str = ""
    cause: Cause | None = None
    condition: str = ""
    margin: str = ""

    @property
    def verdict(self) -> str:
        if self.holds and self.condition:
            return f"holds if {self.condition}"
        return {True: "holds", False: "does not hold", None: "not tested"}[self.holds]

    @property
    def why(self) -> str:
        """The kind of reason for which it does not hold; empty where it does, or is not tested."""
        if self.holds is not False:
            return ""
        return self.cause or "not found out"


@dataclass(frozen=True)
class Open:
    """A door into the app: a page and a link's query that shows the study's data and models."""

    page: str
    query: str


def sized(
    tiny: Mapping[str, Any], quick: Mapping[str, Any], full: Mapping[str, Any], **common: Any
) -> Mapping[str, Mapping[str, Any]]:
    """A study's settings at every scale; ``common`` ones are the same at all of them."""
    each = {"tiny": tiny, "quick": quick, "full": full}
    return MappingProxyType({scale: {**own, **common} for scale, own in each.items()})


class Study(ABC):
    """One figure or table of a paper. Subclasses fill in what stands below."""

    name: str  # "menze-fig2"; paper, where and title stand in the table of contents
    caption: str  # what the figure shows, in a sentence or two
    protocol: str  # how the paper did it, and what we do where it does not say
    printed: Sequence[Printed] = ()
    opens: Sequence[Open] = ()
    scales: Mapping[str, Mapping[str, Any]]  # settings of "tiny", "quick" and "full"
    kept_in: str = ""  # name of the log, where studies share units; else the study's own
    takes_folder: bool = False  # whether any folder of CSVs can be its data
    takes: int = 45  # seconds of the quick run on two cores, about

    @property
    def paper(self) -> Paper:
        return CONTENTS[self.name].paper

    @property
    def where(self) -> str:
        """Its place in the paper: "Fig. 2"."""
        return CONTENTS[self.name].where

    @property
    def title(self) -> str:
        """A few words."""
        return CONTENTS[self.name].title

    @property
    def many_units(self) -> bool:
        """Many units of one thread each, rather than few that use all cores."""
        return CONTENTS[self.name].many

    @abstractmethod
    def plan(self, settings: Mapping[str, Any], sources: Sources) -> Plan:
        """Which data and which units."""

    @abstractmethod
    def gather(
        self, settings: Mapping[str, Any], plan: Plan, outputs: Mapping[str, Any]
    ) -> Findings:
        """Tables and arrays from the outputs, by the units' keys."""

    @abstractmethod
    def draw(self, result: Result, theme: str = "light") -> dict[str, Any]:
        """Name -> Bokeh figure or layout, new ones at every call."""

    @abstractmethod
    def claims(self, result: Result) -> list[Claim]:
        """The paper's sentences, each with what this result says to it."""

    def beside_printed(self, result: Result) -> Table:
        """Rows for people: measured values with the printed ones in brackets, where there are."""
        return []

    def run(
        self,
        scale: str = "quick",
        executor: Executor | None = None,
        progress: Progress | None = None,
        cancel: Any = None,
        *,
        sources: Sources | None = None,
        log: UnitLog | None = None,
        **settings: Any,
    ) -> Result:
        """Run it. Raises ``Cancelled`` once ``cancel`` (a function or Event) says so.

        executor: `Local` on all cores by default. log: finished units are kept there, and those
        that it has already are not run again. settings: changes to those of the scale.
        """
        if scale not in self.scales:
            known = ", ".join(self.scales)
            raise ValueError(f"{self.name} has no scale '{scale}'; choose one of: {known}.")
        chosen = {**self.scales[scale], **settings}
        unknown = set(settings) - set(self.scales[scale])
        if unknown:
            raise ValueError(f"{self.name} has no setting named {', '.join(sorted(unknown))}.")
        before = time.perf_counter()
        sources = Sources() if sources is None else sources
        plan = self.plan(chosen, sources)
        outputs = run_units(
            plan,
            Local(processes=None if self.many_units else 0) if executor is None else executor,
            progress,
            cancel,
            log,
        )
        found = self.gather(chosen, plan, outputs)
        return Result(
            **codec.settled(
                {
                    "study": self.name,
                    "scale": scale,
                    "settings": chosen,
                    "tables": found.tables,
                    "arrays": found.arrays,
                    "data": [sources.row(d) for d in plan.data.values()],
                    "missing": [{"name": m.name, "why": m.why} for m in plan.missing],
                    "specs": plan.specs,
                    "notes": list(plan.notes),
                    "versions": versions(),
                    "seconds": time.perf_counter() - before,
                }
            )
        )
