"""Studies: every figure and table of the five papers, run again, beside what was printed.

    from explorer import studies
    study = studies.find("menze-fig2")
    result = study.run("quick")                 # or "full": the paper's protocol
    result.tables["angles"]                     # rows, as dicts
    study.claims(result)                        # the paper's sentences: does each hold?
    study.draw(result)                          # name -> Bokeh figure

How to add a study
------------------
One package per paper, a module per figure or table, and one line in ``contents.py``: name, paper,
where, title. A study is a subclass of `Study` (study.py): what it is (``name``, ``caption``,
``protocol``, ``printed``), how large it is (``scales``), and four steps:

    plan(settings, sources) -> Plan     which data and which *units* of work, by name
    gather(settings, plan, outputs) -> Findings    units' outputs -> tables and arrays
    draw(result, theme) -> {name: Bokeh figure}
    claims(result) -> [Claim]           the paper's sentences, each a check with numbers

A *unit* is one call of a module-level function, ``function(*datasets, threads=, **arguments)``:
a fold x model x data set, or a block of trees. Its arguments are small and JSON-able (families
by name, specs as dicts), its data sets are named in ``Unit.data`` and handed over by the
executor (a cluster gets each of them once), its output is JSON-able (arrays may be in it). It
depends on nothing else, so it may run anywhere, in any order, and be kept on disk: a run that
was killed goes on where it stopped, with the same result to the last bit. Only fields whose
name begins with "seconds" may differ between runs.

``scales`` (see `sized`) gives the settings of "tiny" (tests, seconds), "quick" (under a minute
on two cores) and "full" (the paper's protocol). Data come from `Sources`: the catalogue, or the
user's folder of CSVs. What a paper used and nobody can have is named in ``Plan.missing``, never
replaced. `menze/fig2.py` is the shortest example.

Names are imported when first used: the table of contents alone needs no scientific package.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.studies.citations import PAPERS, Paper
    from explorer.studies.contents import CONTENTS
    from explorer.studies.executors import Local
    from explorer.studies.findings import Findings, Result
    from explorer.studies.listing import find, studies
    from explorer.studies.plan import Missing, Plan, Unit
    from explorer.studies.sources import Sources
    from explorer.studies.study import Claim, Open, Printed, Study, sized
    from explorer.studies.unit_log import UnitLog

_HOMES = {
    "CONTENTS": "contents",
    "PAPERS": "citations",
    "Claim": "study",
    "Findings": "findings",
    "Local": "executors",
    "Missing": "plan",
    "Open": "study",
    "Paper": "citations",
    "Plan": "plan",
    "Printed": "study",
    "Result": "findings",
    "Sources": "sources",
    "Study": "study",
    "Unit": "plan",
    "UnitLog": "unit_log",
    "find": "listing",
    "sized": "study",
    "studies": "listing",
}

__all__ = [
    "CONTENTS",
    "PAPERS",
    "Claim",
    "Findings",
    "Local",
    "Missing",
    "Open",
    "Paper",
    "Plan",
    "Printed",
    "Result",
    "Sources",
    "Study",
    "Unit",
    "UnitLog",
    "find",
    "sized",
    "studies",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(f"explorer.studies.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"explorer.studies has no '{name}'; it has: {', '.join(__all__)}.")


def __dir__() -> list[str]:
    return sorted(__all__)
