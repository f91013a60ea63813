"""The executor for a Dask cluster (the extra ``cluster``): the same units, on other machines.

Every data set is sent once and kept by all workers; units are calls on what a worker has. A
worker that dies takes its units' time with it and nothing else: they run again on others, and
give the same bits, because a unit depends on its data and arguments alone.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from explorer import __version__
from explorer.analysis.model import is_cancelled
from explorer.data import Dataset
from explorer.engine import Cancelled
from explorer.studies.executors import Done
from explorer.studies.plan import Unit

_PATIENCE = 0.05  # seconds between looks at what is done, and at cancel
_ROUNDS = 5  # how often units whose data were lost with a worker are handed out again


class Dask:
    """Units on a Dask cluster.

    client: the address of a scheduler ("tcp://host:8786"), or a ``distributed.Client``. Workers
    need this package in the same version; one thread each is best, as units use one.
    """

    def __init__(self, client: Any) -> None:
        try:
            from dask.distributed import Client
        except ImportError:
            raise ValueError(
                "A cluster needs dask.distributed: pip install 'forest-explorer[cluster]'."
            ) from None
        self._own = isinstance(client, str)
        if self._own:
            try:
                client = Client(client, timeout=20, set_as_default=False)
            except (OSError, TimeoutError, ValueError) as error:
                raise ValueError(f"No Dask scheduler answers at {client}: {error}.") from None
        self.client = client

    def close(self) -> None:
        """Leave the cluster, if it was entered by address."""
        if self._own:
            self.client.close()

    def run(
        self, units: Sequence[Unit], data: Mapping[str, Dataset], done: Done, cancel: Any
    ) -> None:
        self._check_versions()
        left = list(units)
        for _ in range(_ROUNDS):
            left = self._round(left, data, done, cancel)
            if not left:
                return
        raise RuntimeError(
            f"Workers died {_ROUNDS} times at '{left[0].key}' or near it, perhaps for want of "
            "memory. What was done is kept; run again with --resume."
        )

    def _check_versions(self) -> None:
        for worker, version in self.client.run(version_here).items():
            if version != __version__:
                raise ValueError(
                    f"The worker at {worker} has forest-explorer {version}, this machine "
                    f"{__version__}; install the same on both."
                )

    def _round(
        self, units: Sequence[Unit], data: Mapping[str, Dataset], done: Done, cancel: Any
    ) -> list[Unit]:
        """Hand out all units; what was lost with a worker comes back."""
        from dask.distributed import as_completed

        kept = {
            name: self.client.scatter(one, broadcast=True, hash=False) for name, one in data.items()
        }
        running = {
            self.client.submit(
                work, unit, *(kept[name] for name in unit.data), pure=False, retries=2
            ): unit
            for unit in units
        }
        lost: list[Unit] = []
        finished = as_completed(list(running), loop=self.client.loop, raise_errors=False)
        open_ = len(running)
        try:
            while open_:
                batch = finished.next_batch(block=False)
                for future in batch:
                    open_ -= 1
                    unit = running[future]
                    if future.status == "finished":
                        done(unit, future.result())
                    elif future.status == "error" and not _died(future.exception()):
                        future.result()  # the unit's own error, with its traceback
                    else:
                        lost.append(unit)
                if is_cancelled(cancel):
                    raise Cancelled
                if not batch:
                    time.sleep(_PATIENCE)
        finally:
            self.client.cancel([*running, *kept.values()])
        return lost


def _died(error: BaseException) -> bool:
    """Whether a unit failed because of its worker and not because of itself."""
    from distributed.client import FutureCancelledError
    from distributed.scheduler import KilledWorker

    return isinstance(error, KilledWorker | FutureCancelledError)


def version_here() -> str:
    """This package's version where the function runs."""
    return __version__


def work(unit: Unit, *given: Dataset) -> Any:
    """A unit on a worker, with its data sets at hand."""
    return unit(dict(zip(unit.data, given, strict=True)), 1)
