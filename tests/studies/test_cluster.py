"""Units on a real Dask cluster of separate processes, one of them killed."""

import os
import signal
import threading

import numpy as np
import pytest
from toy import Toy

from explorer.data import load
from explorer.engine import FAMILIES, grow
from explorer.studies import Local, UnitLog
from explorer.studies.blocks import grow_in_blocks

distributed = pytest.importorskip("distributed", reason="needs the extra 'cluster'")
# its own sockets and loops are closed late, which is none of our business here
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def client():
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


def test_a_cluster_gives_the_same_bits_as_this_machine(client) -> None:
    from explorer.studies.cluster import Dask

    here = Toy().run("tiny", Local(0))
    there = Toy().run("tiny", Dask(client))
    assert there.digest() == here.digest()
    assert {r["seconds"] for r in there.table("sums")}.isdisjoint({float(os.getpid())})


def test_a_worker_killed_in_the_middle_costs_time_and_not_the_result(client, tmp_path) -> None:
    from explorer.studies.cluster import Dask

    killed: list[int] = []

    def progress(done: int, wanted: int, what: str) -> None:
        if done >= 3 and not killed:
            pid = next(iter(client.run(os.getpid).values()))
            killed.append(pid)
            os.kill(pid, signal.SIGKILL)

    result = Toy().run("tiny", Dask(client), progress, columns=40, log=UnitLog(tmp_path / "log"))
    assert killed
    assert result.digest() == Toy().run("tiny", Local(0), columns=40).digest()


def test_an_error_in_a_unit_reaches_the_caller(client, tmp_path) -> None:
    from explorer.studies.cluster import Dask

    trip = tmp_path / "trip"
    trip.touch()
    with pytest.raises(RuntimeError, match="an accident"):
        Toy().run("tiny", Dask(client), trip=str(trip))


def test_a_run_on_a_cluster_can_be_stopped_and_goes_on_elsewhere(client, tmp_path) -> None:
    from explorer.engine import Cancelled
    from explorer.studies.cluster import Dask

    stop = threading.Event()
    log = UnitLog(tmp_path / "log")
    with pytest.raises(Cancelled):
        Toy().run("tiny", Dask(client), lambda d, w, what: stop.set() if d else None, stop, log=log)
    assert log.outputs()
    assert Toy().run("tiny", Local(0), log=log).digest() == Toy().run("tiny", Local(0)).digest()


@pytest.mark.parametrize("family", ["RF", "oRF-ridge"])
def test_a_forest_grown_in_blocks_on_a_cluster_is_the_forest(client, family: str) -> None:
    from explorer.studies.cluster import Dask

    data = load("iris")
    spec = FAMILIES[family].replace(n_tree=23, seed=5)
    whole = grow(spec, data.X, data.y)
    for executor in (Dask(client), Local(0)):
        forest = grow_in_blocks(spec, data, executor, block=10)
        np.testing.assert_array_equal(forest.predict_proba(data.X), whole.predict_proba(data.X))
        np.testing.assert_array_equal(forest.oob_error, whole.oob_error)
        assert forest.take(5).n_tree == 5


def test_no_scheduler_at_an_address_is_said_in_a_sentence(monkeypatch) -> None:
    from explorer.studies.cluster import Dask

    with pytest.raises(ValueError, match="No Dask scheduler answers at nowhere"):
        Dask("nowhere")
