"""`Sweep`: the error of a family as a knob is turned (Menze Fig. 3, Sazonau Fig. 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.evaluation import Evaluation, evaluate, name_of
from explorer.analysis.model import Progress, stop_if
from explorer.analysis.protocols import Protocol
from explorer.analysis.record import Record
from explorer.analysis.scores import interval
from explorer.data import Dataset
from explorer.engine import ForestSpec

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sweep(Record):
    """Error by the value of one knob.

    knob: its name; values: V of them, as given. run_error: float64[V, R], of the same R runs for
    every value. error, low, high: float64[V], mean and 95 % interval over runs. auc: float64[V].
    fit_seconds: float64[V], mean.
    """

    model: str
    dataset: str
    protocol: str
    knob: str
    values: tuple[Any, ...]
    run_error: Floats
    error: Floats
    low: Floats
    high: Floats
    auc: Floats
    fit_seconds: Floats

    def to_frame(self) -> pandas.DataFrame:
        import pandas

        return pandas.DataFrame(
            {
                self.knob: list(self.values),
                "error": self.error,
                "low": self.low,
                "high": self.high,
                "auc": self.auc,
                "fit seconds": self.fit_seconds,
            }
        )


def sweep(
    spec: ForestSpec,
    dataset: Dataset,
    knob: str,
    values: Sequence[Any],
    protocol: Protocol | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: Any = None,
) -> Sweep:
    """Evaluate a spec at several values of a knob, on the same splits.

    For the number of trees use ``evaluate``, which follows it at no cost.
    """
    record = None
    for done, wanted, made in sweep_steps(
        spec, dataset, knob, values, protocol, threads=threads, cancel=cancel
    ):
        record = made
        if progress is not None:
            progress(done, wanted, f"{knob} = {values[done - 1]}")
    assert record is not None  # there is at least one value
    return record()


def sweep_steps(
    spec: ForestSpec,
    dataset: Dataset,
    knob: str,
    values: Sequence[Any],
    protocol: Protocol | None = None,
    *,
    name: str | None = None,
    threads: int | None = None,
    cancel: Any = None,
) -> Iterator[tuple[int, int, Callable[[], Sweep]]]:
    """`sweep`, one value at a time: (values done, values wanted, the record of those done)."""
    if not len(values):
        raise ValueError(f"Give at least one value of {knob}.")
    specs = [spec.replace(**{knob: value}) for value in values]
    found: list[Evaluation] = []
    for turned in specs:
        stop_if(cancel)
        found.append(
            evaluate(turned, dataset, protocol, trees=False, threads=threads, cancel=cancel)
        )
        yield (
            len(found),
            len(specs),
            lambda: _record(name or name_of(spec), dataset, knob, values, found),
        )


def _record(
    name: str, dataset: Dataset, knob: str, values: Sequence[Any], found: list[Evaluation]
) -> Sweep:
    errors = np.array([e.run_error for e in found])
    mean, low, high = np.array([interval(row) for row in errors]).T
    return Sweep(
        name,
        dataset.name,
        found[0].protocol,
        knob,
        tuple(values[: len(found)]),
        errors,
        mean,
        low,
        high,
        np.array([e.auc for e in found]),
        np.array([e.fit_seconds.mean() for e in found]),
    )
