"""Studies: every figure and table of the five papers, run again, beside what was printed.

    from explorer import studies
    study = studies.find("menze-fig2")
    result = study.run("quick")                 # or "full": the paper's protocol
    result.tables["angles"]                     # rows, as dicts
    study.claims(result)                        # the paper's sentences: does each hold?
    study.draw(result)                          # name -> Bokeh figure

How to add a study
------------------
One module (or, where it grows long, one package) per paper, with a tuple ``STUDIES``, and one
line in ``SOURCES`` of ``listing.py``. A study is a subclass of `Study` (study.py): who it is
(``name``, ``paper``, ``where``, ``title``, ``caption``, ``protocol``, ``printed``), how large it
is (``scales``), and four steps:

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
"""

from explorer.studies.executors import Local
from explorer.studies.findings import Findings, Result
from explorer.studies.listing import find, studies
from explorer.studies.papers import PAPERS, Paper
from explorer.studies.plan import Missing, Plan, Unit
from explorer.studies.sources import Sources
from explorer.studies.study import Claim, Open, Printed, Study, sized
from explorer.studies.unit_log import UnitLog

__all__ = [
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
