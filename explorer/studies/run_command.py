"""A run at the command line: studies one after the other, with a progress bar."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from explorer.studies.contents import names_of
from explorer.studies.executors import Local
from explorer.studies.listing import find
from explorer.studies.output import write_output
from explorer.studies.sources import Sources
from explorer.studies.study import Study
from explorer.studies.unit_log import UnitLog
from explorer.studies.workers import Workers

_MARKS = {True: "holds", False: "FAILS", None: "  -  "}


def parsed_settings(words: Sequence[str]) -> dict[str, Any]:
    """Settings from words such as "trials=3", "trunk p=[10, 50]", "reading=scripts".

    Values are as JSON has them; a single word needs no quotation marks.
    """
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        try:
            if not equals:
                raise ValueError
            plain = value.isalpha() and value not in ("null", "true", "false")
            found[name.strip()] = value if plain else json.loads(value)
        except ValueError:
            raise ValueError(
                f"'{word}' is no setting; write NAME=VALUE, such as trials=3 or 'trunk p=[10, 50]'."
            ) from None
    return found


def run_studies(
    names: Sequence[str],
    scale: str,
    out: Path,
    sources: Sources,
    *,
    dask: str | None = None,
    resume: bool = False,
    processes: int | None = None,
    settings: Mapping[str, Any] | None = None,
    workers: Workers | None = None,
) -> None:
    """Run studies into ``out``: a folder each, and the kept units of all in ``out/units``.

    settings: changes to those of the scale, for every study. workers: processes that run already.
    """
    wanted = [find(name) for name in names_of(names)]
    executor: Any = None
    if dask is not None:
        from explorer.studies.cluster import Dask

        executor = Dask(dask)
    fresh: set[str] = set()
    try:
        for study in wanted:
            if sources.folder is not None and not study.takes_folder:
                _say(f"{study.name} does not take a folder; it runs on its own data.")
            log = _log(study, out, resume or (study.kept_in or study.name) in fresh)
            fresh.add(study.kept_in or study.name)
            runner = executor or _local(study, processes, workers)
            _run_one(study, scale, out, sources, runner, log, settings or {})
    finally:
        if executor is not None:
            executor.close()


def _log(study: Study, out: Path, resume: bool) -> UnitLog:
    path = out / "units" / f"{study.kept_in or study.name}.log"
    if not resume and path.exists():
        # hours of work are not thrown away because of a forgotten --resume
        path.replace(path.with_suffix(".old"))
    return UnitLog(path)


def _local(study: Study, processes: int | None, workers: Workers | None) -> Local:
    if processes is None and not study.many_units:
        processes = 0
    return Local(processes, workers=workers)


def _run_one(
    study: Study,
    scale: str,
    out: Path,
    sources: Sources,
    executor: Any,
    log: UnitLog,
    settings: Mapping[str, Any],
) -> None:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn(study.name),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    bar = Progress(*columns, console=Console(stderr=True), speed_estimate_period=600)
    with bar:
        task = bar.add_task("starting", total=None)
        result = study.run(
            scale,
            executor,
            lambda done, wanted, what: bar.update(
                task, completed=done, total=wanted, description=what
            ),
            sources=sources,
            log=log,
            **settings,
        )
    for complaint in write_output(study, result, out / study.name):
        _say(complaint)
    for claim in study.claims(result):
        print(f"  {_MARKS[claim.holds]}  {claim.sentence}")
    if result.missing:
        print(f"  missing: {', '.join(row['name'] for row in result.missing)}")
    print(f"{study.name}: {out / study.name} ({result.seconds:.0f} s)")


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)
