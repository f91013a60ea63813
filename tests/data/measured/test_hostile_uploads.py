"""Uploads of several files that are made to take all memory or time, or to lead elsewhere."""

import io
import threading
import tracemalloc
import zipfile
from dataclasses import replace

import h5py
import numpy as np
import pytest

from explorer.data import FileRefused
from explorer.data.measured import read_spectra, reading
from explorer.data.measured.reading import Reading
from explorer.data.measured.sources import FileSearch
from explorer.data.readers.instruments import pool
from explorer.data.readers.refused import Limits
from explorer.data.readers.unpack import unpacked

ROWS = "".join(f"{x:.1f}\t{x / 7:.6f}\n" for x in np.arange(400.0, 420.0)).encode()
SMALL = Limits(bytes=8_000_000, cells=1_000_000, memory=2_000_000_000)


def zipped(files, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def reasons(found):
    return [one.reason for one in found.not_read]


def test_many_archives_together_unpack_to_no_more_than_one_may():
    bomb = zipped({"a.txt": bytes(3_000_000)})
    files = {f"{k}.zip": bomb for k in range(40)} | {"good.txt": ROWS}
    assert sum(map(len, files.values())) < 200_000  # 120 MB unpacked
    tracemalloc.start()
    try:
        found = read_spectra(files, limits=SMALL)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 8 * SMALL.bytes, f"{most / 1e6:.0f} MB"
    assert [s.file for s in found.spectra] == ["good.txt"]
    assert sum("the limit" in one or "together" in one for one in reasons(found)) == 38


def test_this_process_unpacks_no_archive(monkeypatch):
    """One that is slow or large costs the process that reads instrument files, and nobody else."""

    def here(*args, **more):
        raise AssertionError("unpacked in the parent")

    monkeypatch.setattr("explorer.data.readers.unpack.members", here)
    monkeypatch.setattr("explorer.data.readers.unpack.gunzip", here)
    found = read_spectra({"a.zip": zipped({"x/a.txt": ROWS, "x/b.txt": ROWS})}, limits=SMALL)
    assert found.files == ("a.txt", "b.txt")


def test_an_archive_that_lists_more_files_than_anybody_packs_is_refused():
    many = zipped({f"{k}": b"" for k in range(10_001)}, zipfile.ZIP_STORED)
    found = read_spectra({"many.zip": many, "good.txt": ROWS}, limits=SMALL)
    assert len(found.spectra) == 1
    assert "at most 10000 can be read" in reasons(found)[0]


def test_names_in_archives_lead_nowhere_else():
    names = ["../../etc/passwd.txt", "/home/a.txt", "C:\\windows\\b.txt", "x/../../c.txt",
             "d" * 5000 + ".txt", "e/" * 500 + "e.txt"]  # fmt: skip
    found = read_spectra({"a.zip": zipped(dict.fromkeys(names, ROWS))}, limits=SMALL)
    assert len(found.spectra) == len(names)
    for file in found.files:
        parts = file.split("/")
        assert ".." not in parts
        assert not file.startswith("/")
        assert len(parts) <= 33
        assert max(map(len, parts)) <= 255


def test_a_small_file_of_many_spectra_is_left_out(monkeypatch):
    monkeypatch.setattr(reading, "_MOST_SPECTRA", 2000)
    out = io.BytesIO()
    with h5py.File(out, "w") as file:
        file.create_dataset("y", (3000, 3), "f4", chunks=(1000, 3), compression="gzip")[:] = 1
        file["wavenumber"] = np.arange(3.0)
    assert len(out.getvalue()) < 100_000
    found = read_spectra({"a.h5": out.getvalue(), "good.txt": ROWS}, limits=SMALL)
    assert len(found.spectra) == 1
    assert "at most 2000 spectra" in reasons(found)[0]


@pytest.mark.parametrize(
    ("bound", "most", "words"),
    [("_MOST_TEXTS", 3, "at most 3 fields"), ("_MOST_WORDS", 300, "at most 300 bytes of names")],
)
def test_names_and_fields_of_all_files_are_bounded(monkeypatch, bound, most, words):
    jcamp = "##TITLE= a\n##JCAMP-DX= 4.24\n##DATA TYPE= INFRARED SPECTRUM\n##XUNITS= 1/CM\n"
    jcamp += "##ORIGIN= here\n##OWNER= me\n##FIRSTX= 1\n##LASTX= 3\n##NPOINTS= 3\n"
    jcamp += "##XYDATA= (X++(Y..Y))\n1 2 3 4\n##END=\n"
    files = {f"{k}.jdx": jcamp.encode() for k in range(4)}
    assert len(read_spectra(files).spectra) == 4
    monkeypatch.setattr(reading, bound, most)
    found = read_spectra(files)
    assert len(found.spectra) < 4
    assert words in reasons(found)[-1]


def test_one_answer_with_too_many_words_is_refused_before_it_is_taken_apart(monkeypatch):
    monkeypatch.setattr(pool, "_ROOM_FOR_WORDS", 100)
    found = read_spectra({"a.txt": ROWS})
    assert "MB of names and fields" in reasons(found)[0]


def test_files_that_could_all_belong_together_are_paired_a_few_at_a_time():
    files = {f"a.{k}": b"ENVI\nsamples = 2\n" for k in range(300)}
    files |= {f"a/a.h{k}": b"ENVI\n" for k in range(200)} | {f"a/a.dat{k}": b"" for k in range(9)}
    files |= {f"b/b{'' if k else '.hdr'}{'x' * k}": b"ENVI\n" for k in range(5)}
    search = FileSearch({**files, "c/c.hdr": b"ENVI\n", "c/c.dat": b"1"}, SMALL)
    assert search.go(lambda given: ({}, "none"))
    found = search.result()
    assert max(len(file.beside) for file in found.files) <= 51
    assert found.partners["c/c.dat"] == "c/c.hdr"


def test_more_files_in_archives_than_can_be_read_are_refused(monkeypatch):
    monkeypatch.setattr("explorer.data.measured.sources._MOST_FILES", 20)
    with pytest.raises(FileRefused, match="more than 20 files"):
        read_spectra({"a.zip": zipped({f"{k}.txt": ROWS for k in range(21)})})


# ---- time


def test_files_that_are_put_off_are_read_later_and_stand_in_their_order():
    files = {f"a{k}.txt": ROWS for k in range(4)}
    first = Reading(files)
    first.go(put_off=0.0)
    assert first.only_slow
    assert not first.finished
    assert first.done == 0
    first.go()
    assert first.finished
    assert [s.file for s in first.result().spectra] == list(files)
    assert not first.result().not_read


def test_archives_are_opened_some_now_and_the_rest_later():
    files = {f"{k}.zip": zipped({f"a{k}.txt": ROWS}) for k in range(3)}
    turns = iter([False, True])
    part = Reading(files)
    part.go(lambda: next(turns))  # stopped after the first archive
    assert not part.finished
    assert part.total == 0
    part.go()
    assert len(part.result().spectra) == 3


def test_what_was_found_before_a_reading_was_stopped_is_its_result():
    part = Reading({"a.zip": zipped({"a.txt": ROWS}), "b.txt": ROWS})
    part.go(lambda: True)
    assert part.result().notes == ("Reading was stopped while archives were opened.",)
    part.go()
    assert [s.file for s in part.result().spectra] == ["a.zip/a.txt", "b.txt"]


@pytest.mark.skipif(pool.os.name != "posix", reason="pipes cannot be waited for")
@pytest.mark.parametrize("name", ["a.txt", "a.zip"])
def test_a_reading_that_nobody_waits_for_ends_its_process(monkeypatch, name):
    started = []
    real = pool.subprocess.Popen

    def start(command, **options):
        started.append(real([command[0], "-c", "import time; time.sleep(600)"], **options))
        return started[-1]

    monkeypatch.setattr(pool.subprocess, "Popen", start)
    gone = threading.Event()
    threading.Timer(0.2, gone.set).start()
    content = zipped({"a.txt": ROWS}) if name == "a.zip" else ROWS
    part = Reading({name: content}, limits=replace(SMALL, seconds=500.0))
    part.go(gone=gone.is_set)
    assert not part.finished
    assert started
    assert all(process.poll() is not None for process in started)


def test_damaged_archives_are_refused_in_a_sentence(rng):
    good = zipped({"a.txt": ROWS, "b.txt": ROWS})
    for _ in range(300):
        data = bytearray(good)
        for at in rng.integers(0, len(data), size=3):
            data[at] = int(rng.integers(256))
        try:
            unpacked(bytes(data), "a.zip", SMALL)
        except FileRefused as refusal:
            words = str(refusal)
            assert words.endswith(".")
