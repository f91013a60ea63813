"""Files of strangers: every format is read in a child process, under limits of its own."""

import gzip
import io
import os
import threading
import time
import tracemalloc

import good_files as good
import numpy as np
import pandas as pd
import pytest

from explorer.data import FileRefused, read
from explorer.data.readers import ask
from explorer.data.readers.assemble import Wishes
from explorer.data.readers.reading import dataset_of, preview_of, read_apart
from explorer.data.readers.refused import Limits, TookTooLong
from explorer.data.readers.unpack import gunzip

FILES = {
    "t.csv": good.csv(),
    "t.csv.gz": good.gz(good.csv()),
    "t.zip": good.zipped_files({"t.csv": good.csv()}),
    "t.xlsx": good.excel(),
    "t.parquet": good.parquet(),
    "t.mat": good.mat(),
}
SMALL = Limits(bytes=50_000_000, columns=20_000, cells=10_000_000, seconds=60.0)


@pytest.mark.parametrize("name", FILES)
def test_what_a_child_reads_is_what_this_process_reads(name):
    table = read_apart(FILES[name], name, SMALL)
    label = preview_of(table).label
    apart = dataset_of(table, name, Wishes(label=label))
    here = read(FILES[name], name, label=label)
    np.testing.assert_array_equal(apart.X, here.X)
    assert apart.class_names == here.class_names
    assert apart.feature_names == here.feature_names
    assert table.where(0) == "row 2" or name not in ("t.csv", "t.csv.gz", "t.zip")


def test_errors_of_a_child_name_the_row_of_the_file():
    content = good.csv().replace(b"\n", b"\n\n", 3)  # blank lines count
    lines = content.decode().splitlines()
    lines[6] = lines[6].replace(lines[6].split(",")[0], "oak", 1)
    table = read_apart("\n".join(lines).encode(), "t.csv", SMALL)
    with pytest.raises(FileRefused, match="Row 7"):
        dataset_of(table, "t.csv", Wishes(label=preview_of(table).label))


def test_no_process_of_this_one_unpacks_an_archive(monkeypatch):
    """An archive that is slow or large costs the child its limits, and nobody else."""

    def here(*args, **more):
        raise AssertionError("unpacked in the parent")

    monkeypatch.setattr("explorer.data.readers.reading.gunzip", here)
    monkeypatch.setattr("explorer.data.readers.reading.members", here)
    assert read_apart(FILES["t.csv.gz"], "t.csv.gz", SMALL).n_rows == good.N
    assert read_apart(FILES["t.zip"], "t.zip", SMALL).n_rows == good.N


def small_parquet_of_much(n):
    stream = io.BytesIO()
    frame = pd.DataFrame({"x": np.zeros(n), "text": pd.Categorical(["some words"] * n)})
    frame.to_parquet(stream, compression="zstd")
    return stream.getvalue()


def test_a_small_file_of_a_huge_table_costs_this_process_no_more_than_its_limit():
    limits = Limits(bytes=50_000_000, columns=100, cells=4_000_000, seconds=120.0)
    content = small_parquet_of_much(limits.cells // 2)
    assert len(content) < 20_000
    tracemalloc.start()
    try:
        read_apart(content, "t.parquet", limits)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 40 * limits.cells, f"{most / 1e6:.0f} MB"


def test_a_table_over_the_limit_is_refused_in_the_child():
    limits = Limits(bytes=50_000_000, columns=100, cells=100_000, seconds=120.0)
    with pytest.raises(FileRefused, match="cells; at most 100000"):
        read_apart(small_parquet_of_much(100_001), "t.parquet", limits)


def test_an_answer_without_end_is_cut_off(monkeypatch):
    code = "import sys\nwhile True: sys.stdout.write('x' * 1000000)"
    real = ask.subprocess.Popen
    monkeypatch.setattr(
        ask.subprocess, "Popen", lambda command, **o: real([command[0], "-c", code], **o)
    )
    limits = Limits(bytes=2_000_000, cells=100_000)
    with pytest.raises(FileRefused, match="the limit"):
        read_apart(good.csv(), "t.csv", limits)


def sleeping(monkeypatch):
    """Children that never answer; returns the list of those that were started."""
    started = []
    real = ask.subprocess.Popen

    def start(command, **options):
        started.append(real([command[0], "-c", "import time; time.sleep(600)"], **options))
        return started[-1]

    monkeypatch.setattr(ask.subprocess, "Popen", start)
    return started


def test_a_read_that_nobody_waits_for_ends_its_process(monkeypatch):
    started = sleeping(monkeypatch)
    given_up = threading.Event()
    threading.Timer(0.2, given_up.set).start()
    with pytest.raises(ask.ReadingCancelled):
        read_apart(good.csv(), "t.csv", SMALL, given_up.is_set)
    assert started[0].poll() is not None


def test_a_read_that_takes_too_long_ends_its_process(monkeypatch):
    started = sleeping(monkeypatch)
    with pytest.raises(TookTooLong, match=r"took longer than 0\.2 s"):
        read_apart(good.csv(), "t.csv", Limits(seconds=0.2))
    assert started[0].poll() is not None


def test_many_empty_members_of_a_gzip_file_take_time_in_proportion():
    """Copies of what follows, counted: they grew with the square of the file."""
    empty = gzip.compress(b"")
    text = b"a,b,label\n1,2,x\n"

    def seconds(count):
        content = empty * count + gzip.compress(text)
        times = []
        for _ in range(3):
            start = time.process_time()
            assert gunzip(content, "t.gz", SMALL) == text
            times.append(time.process_time() - start)
        return min(times)

    # ten times as many; the square would be a hundred
    assert seconds(9_000) < 40 * max(seconds(900), 1e-3)


def test_more_members_than_anybody_packs_are_refused():
    with pytest.raises(FileRefused, match="more than 10000 parts"):
        read(gzip.compress(b"") * 200_000, "t.csv.gz")


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x1c", "\x1e"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", " "])
def test_a_line_separator_inside_a_header_is_a_character(mark, delimiter):
    lines = good.csv().decode().splitlines()
    header = lines[0].split(",")
    header[0] = f"one{mark}two"
    text = "\n".join(
        delimiter.join(cells) for cells in [header, *(r.split(",") for r in lines[1:])]
    )
    data = read(text.encode(), "t.csv", delimiter=delimiter, header=True)
    assert data.n_samples == good.N
    assert "one" in data.feature_names[0]
    assert "two" in data.feature_names[0]


def test_the_child_is_told_nothing_of_this_process():
    assert not {"BOKEH_SECRET_KEY", "FOREST_EXPLORER_PASSWORD"} & set(ask._environment())
    assert os.environ.get("HOME") is None or "HOME" not in ask._environment()
