import subprocess
import sys
import threading

import pytest
from toy import Toy

from explorer.engine import Cancelled
from explorer.studies import Local, Result, UnitLog
from explorer.studies.workers import Workers


def test_processes_and_this_process_give_the_same_result() -> None:
    here = Toy().run("tiny", Local(processes=0))
    there = Toy().run("tiny", Local(processes=2))
    assert here.digest() == there.digest()
    assert {r["seconds"] for r in there.table("sums")}.isdisjoint(
        {r["seconds"] for r in here.table("sums")}
    )


def test_processes_that_run_already_serve_one_study_after_the_other() -> None:
    workers = Workers(2)
    try:
        first = Toy().run("tiny", Local(2, workers=workers))
        second = Toy().run("tiny", Local(2, workers=workers), columns=4)
    finally:
        workers.stop()
    assert first.digest() == Toy().run("tiny", Local(0)).digest()
    assert second.digest() == Toy().run("tiny", Local(0), columns=4).digest()
    both = [{row["seconds"] for row in result.table("sums")} for result in (first, second)]
    assert both[1] <= both[0]  # its processes, by their numbers


def test_the_processes_of_a_command_need_nothing_that_is_slow_to_import() -> None:
    code = (
        "import sys, explorer.studies.workers, explorer.studies.contents;"
        "print(sorted({'numpy', 'numba', 'scipy', 'sklearn', 'pandas'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_result_comes_back_from_its_file_as_it_was(tmp_path) -> None:
    result = Toy().run("tiny", Local(0))
    result.save(tmp_path / "result.json")
    back = Result.load(tmp_path / "result.json")
    assert back.to_text() == result.to_text()
    assert back.digest() == result.digest()
    assert back.missing == [{"name": "BSE 1", "why": "It was never published."}]
    assert back.data[0]["samples"] == 150
    assert back.versions["numpy"]


def test_another_file_is_refused_with_a_sentence(tmp_path) -> None:
    (tmp_path / "odd.json").write_text('{"format": 99}')
    with pytest.raises(ValueError, match="not a study's result"):
        Result.load(tmp_path / "odd.json")


def test_a_run_goes_on_where_it_stopped_and_ends_as_an_unbroken_one(tmp_path) -> None:
    unbroken = Toy().run("tiny", Local(0))
    log = UnitLog(tmp_path / "units.log")
    stop = threading.Event()
    seen: list[str] = []

    def progress(done: int, wanted: int, what: str) -> None:
        seen.append(what)
        if done == 3:
            stop.set()

    with pytest.raises(Cancelled):
        Toy().run("tiny", Local(0), progress, stop, log=log)
    assert len(log.outputs()) == 3
    seen.clear()
    result = Toy().run("tiny", Local(0), lambda d, w, what: seen.append(what), log=log)
    assert seen == ["starting", "3", "4", "5"]
    assert result.digest() == unbroken.digest()


@pytest.mark.parametrize("harm", ["cut", "garbled", "empty line"])
def test_a_damaged_end_of_the_log_costs_one_unit_only(tmp_path, harm: str) -> None:
    log = UnitLog(tmp_path / "units.log")
    whole = Toy().run("tiny", Local(0), log=log)
    raw = log.path.read_bytes()
    if harm == "cut":
        log.path.write_bytes(raw[:-40])
    elif harm == "garbled":
        log.path.write_bytes(raw[:-40] + b"#" + raw[-39:])
    else:
        log.path.write_bytes(raw + b"\n")
    assert len(log.outputs()) == (6 if harm == "empty line" else 5)
    seen: list[str] = []
    again = Toy().run("tiny", Local(0), lambda d, w, what: seen.append(what), log=log)
    assert len(seen) == (1 if harm == "empty line" else 2)
    assert again.digest() == whole.digest()
    assert len(log.outputs()) == 6


def test_what_other_code_has_kept_is_not_taken_up(tmp_path, monkeypatch) -> None:
    log = UnitLog(tmp_path / "units.log")
    Toy().run("tiny", Local(0), log=log, columns=2)
    monkeypatch.setattr("explorer.studies.plan.code_digest", lambda module: "other code")
    seen: list[str] = []
    Toy().run("tiny", Local(0), lambda d, w, what: seen.append(what), log=log, columns=2)
    assert seen == ["starting", "0", "1"]


def test_other_arguments_or_data_do_not_reuse_what_was_kept(tmp_path) -> None:
    log = UnitLog(tmp_path / "units.log")
    Toy().run("tiny", Local(0), log=log, columns=2)
    seen: list[str] = []
    Toy().run("tiny", Local(0), lambda d, w, what: seen.append(what), log=log, columns=3)
    assert seen == ["starting", "2"]
    seen.clear()
    Toy().run(
        "tiny", Local(0), lambda d, w, what: seen.append(what), log=log, columns=3, trip="nowhere"
    )
    assert seen == ["starting", "0", "1", "2"]


@pytest.mark.parametrize("processes", [0, 2])
def test_an_error_in_a_unit_reaches_the_caller_and_keeps_what_was_done(tmp_path, processes) -> None:
    trip = tmp_path / "trip"
    trip.touch()
    with pytest.raises(RuntimeError, match="an accident"):
        Toy().run("tiny", Local(processes), trip=str(trip))


def test_an_unknown_scale_or_setting_is_refused_with_a_sentence() -> None:
    with pytest.raises(ValueError, match="no scale 'huge'"):
        Toy().run("huge")
    with pytest.raises(ValueError, match="no setting named colums"):
        Toy().run("tiny", colums=3)
