"""Grows one very large forest in blocks of trees, on any executor.

Tree t depends on the data, the spec and t alone, so blocks grown apart and put one after the
other are the forest that `engine.grow` would give, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from explorer.data import Dataset
from explorer.engine import Forest, ForestSpec, grow
from explorer.engine.forest import ARRAYS
from explorer.engine.training import grow_arrays
from explorer.studies.executors import Executor, Local
from explorer.studies.plan import Plan, Unit
from explorer.studies.running import run_units
from explorer.studies.unit_log import UnitLog


def grow_block(
    data: Dataset, *, spec: dict[str, Any], first: int, last: int, threads: int | None
) -> dict[str, Any]:
    """Trees first ... last-1 of a forest, as its flat arrays."""
    whole = ForestSpec.from_dict(spec)
    base = grow(whole.replace(n_tree=1), data.X, data.y, groups=data.groups, threads=threads)
    n_class = base.classes.size
    return grow_arrays(
        whole, base.training, base.scaling, n_class, first, last, None, None, threads
    )


def grow_in_blocks(
    spec: ForestSpec,
    data: Dataset,
    executor: Executor | None = None,
    *,
    block: int = 100,
    progress: Callable[[int, int, str], Any] | None = None,
    cancel: Any = None,
    log: UnitLog | None = None,
) -> Forest:
    """A forest grown in blocks of trees; progress counts blocks. The same as ``grow(spec, ...)``.

    executor: `Local()` (a process per core) by default, or `cluster.Dask`. log: keeps blocks, so
    that a run that was killed goes on.
    """
    if block < 1:
        raise ValueError(f"block is {block}; use at least one tree.")
    units = tuple(
        Unit(
            f"trees {first + 1} to {min(first + block, spec.n_tree)}",
            grow_block,
            {"spec": spec.to_dict(), "first": first, "last": min(first + block, spec.n_tree)},
            ("data",),
        )
        for first in range(0, spec.n_tree, block)
    )
    plan = Plan(units, {"data": data})
    blocks = list(run_units(plan, executor or Local(), progress, cancel, log).values())
    base = grow(spec.replace(n_tree=1), data.X, data.y, groups=data.groups)
    arrays = {name: _joined([b[name] for b in blocks], name.endswith("_at")) for name in ARRAYS}
    return Forest(spec, base.classes, base.n_features, base.scaling, base.training, arrays)


def _joined(parts: list[np.ndarray], offsets: bool) -> np.ndarray:
    """Arrays one after the other; offsets go on where the part before ended."""
    if not offsets:
        return np.concatenate(parts)
    out = [parts[0]]
    for part in parts[1:]:
        out.append(part[1:] + out[-1][-1])
    return np.concatenate(out)
