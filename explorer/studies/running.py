"""A run: stored units are reused, the rest go to an executor and are stored at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from explorer.analysis.model import stop_if
from explorer.studies.executors import Executor
from explorer.studies.plan import Plan, Unit, identity
from explorer.studies.unit_log import UnitLog


def run_units(
    plan: Plan,
    executor: Executor,
    progress: Callable[[int, int, str], Any] | None = None,
    cancel: Any = None,
    log: UnitLog | None = None,
) -> dict[str, Any]:
    """Outputs of all units by key, in the plan's order."""
    identities = {name: identity(data) for name, data in plan.data.items()}
    prints = {unit.key: unit.fingerprint(identities) for unit in plan.units}
    kept = {} if log is None else log.outputs()
    outputs = {key: kept[mark] for key, mark in prints.items() if mark in kept}
    todo = [unit for unit in plan.units if unit.key not in outputs]
    wanted = len(plan.units)
    if progress is not None:
        progress(len(outputs), wanted, "starting")

    def done(unit: Unit, output: Any) -> None:
        if log is not None:
            log.add(prints[unit.key], unit.key, output)
        outputs[unit.key] = output
        if progress is not None:
            progress(len(outputs), wanted, unit.key)

    stop_if(cancel)
    if todo:
        needed = {name for unit in todo for name in unit.data}
        executor.run(todo, {n: d for n, d in plan.data.items() if n in needed}, done, cancel)
    return {unit.key: outputs[unit.key] for unit in plan.units}
