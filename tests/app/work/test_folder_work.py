import threading

import numpy as np
import pytest

from app.folders import CLASSES, DAMAGED, folder, spectrum
from explorer.app.state.folder_choices import FolderChoices
from explorer.app.work import folder_work
from explorer.app.work.fair_queue import FairQueue
from explorer.app.work.folder_work import FilesRead, FolderLook, look_into, reading_folder
from explorer.data.measured import read_spectra


@pytest.fixture(scope="module")
def found():
    return read_spectra(folder(), name="trees")


def read(files, unopened=()):
    return list(reading_folder("somebody", files, "trees", unopened, threading.Event()))


def test_a_folder_is_read_with_progress_and_one_bad_file_costs_one_line():
    steps = read({**folder(), "trees/elm/broken.spc": DAMAGED}, ["trees/locked.txt"])
    look = steps[-1]
    assert any(isinstance(step, FilesRead) for step in steps)
    assert isinstance(look, FolderLook)
    assert [one.file for one in look.found.not_read] == ["elm/broken.spc", "trees/locked.txt"]
    assert all(one.reason.endswith(".") for one in look.found.not_read)
    assert look.data.class_names == CLASSES
    assert look.data.n_samples == 24
    assert look.why == ""


class Paused:
    """A reading that waits in every call of `go` until the test lets it go on."""

    def __init__(self, files, log):
        self.files, self.log, self.calls = files, log, 0
        self.begun, self.may_end = threading.Semaphore(0), threading.Semaphore(0)
        self.ended = threading.Event()
        self.finished = self.only_slow = False

    def go(self, stop, **options):
        self.calls += 1
        self.log.append((self.files, self.calls))
        self.begun.release()
        assert self.may_end.acquire(timeout=30)
        self.asked = stop()
        self.finished = not self.asked
        self.ended.set()

    def result(self):
        return read_spectra({"a.txt": spectrum(0, 0)})


@pytest.fixture
def pausing(monkeypatch):
    """Readings that are paused, by the name of their only file, and the order of their turns."""
    made, log = {}, []

    def reading(files, **options):
        name = next(iter(files))
        return made.setdefault(name, Paused(name, log))

    monkeypatch.setattr(folder_work, "Reading", reading)
    return made, log


def drive(owner, name, results):
    """Go through a reading in a thread of its own, as the scheduler does."""

    def walk():
        for step in reading_folder(owner, {name: b""}, name, (), threading.Event()):
            if isinstance(step, FolderLook):
                results.append(name)

    thread = threading.Thread(target=walk, daemon=True)
    thread.start()
    return thread


def test_reading_ends_when_it_is_stopped(pausing):
    made, _ = pausing
    steps = reading_folder("somebody", {"a": b""}, "trees", (), threading.Event())
    next(steps)
    assert made["a"].begun.acquire(timeout=30)
    steps.close()
    made["a"].may_end.release()
    assert made["a"].ended.wait(30)
    assert made["a"].asked is True


def test_large_folders_give_way_to_one_who_waits_and_go_on_after_it(pausing, monkeypatch):
    made, log = pausing
    queue = FairQueue("test", workers=2, most_waiting=2)
    monkeypatch.setattr(folder_work, "FOLDERS", queue)
    monkeypatch.setattr(folder_work, "AT_ONCE", 0.0)
    done = []
    threads = [drive(owner, name, done) for owner, name in (("x", "large 1"), ("y", "large 2"))]
    for name in ("large 1", "large 2"):
        while name not in made:
            threads[0].join(0.01)
        assert made[name].begun.acquire(timeout=30)
    threads.append(drive("z", "small", done))
    while not queue.waiting():
        threads[2].join(0.01)
    made["large 1"].may_end.release()  # it is told to give way, since another waits
    assert made["large 1"].ended.wait(30)
    assert made["large 1"].asked is True
    while "small" not in made:
        threads[2].join(0.01)
    assert made["small"].begun.acquire(timeout=30)
    for name in ("small", "large 1", "large 2"):
        for _ in range(3):
            made[name].may_end.release()
    for thread in threads:
        thread.join(30)
    assert sorted(done) == ["large 1", "large 2", "small"]
    assert log.index(("small", 1)) < log.index(("large 1", 2))


def test_classes_and_replicates_follow_what_is_chosen(found):
    look = look_into(found, FolderChoices(classes="name:*_{class}_*", groups="numbered"))
    assert look.data.class_names == ("0", "1", "2", "3")
    assert np.unique(look.data.groups).size == 12
    assert look.mixed_groups == 0
    look = look_into(found, FolderChoices("folder", "name:*_{group}_#"))
    assert look.mixed_groups == 4  # sample 1 of oak is not sample 1 of elm


def test_the_axis_follows_what_is_chosen(found):
    choices = FolderChoices("folder", "", low=700.0, high=1000.0, step=20.0, cut=((790.0, 810.0),))
    look = look_into(found, choices)
    assert look.grid.values.tolist() == [x for x in range(700, 1001, 20) if x != 800]
    assert look.data.n_features == look.spectra.axis.size == 15


def test_what_cannot_be_done_is_a_sentence_and_the_spectra_stay_in_sight(found):
    look = look_into(found, FolderChoices(""))
    assert look.data is None
    assert "no classes yet" in look.why
    assert look.spectra.n_samples == 24
    look = look_into(found, FolderChoices("name:{class}nothing"))
    assert look.data is None
    assert "gives no class" in look.why
    look = look_into(found, FolderChoices("folder", step=-1.0))
    assert "above 0" in look.why


def test_a_table_among_the_files_gives_classes_and_replicates():
    files = {f"s{k}.txt": spectrum(k % 2, k) for k in range(8)}
    rows = "".join(f"s{k}.txt,{'AB'[k % 2]},plant {k // 4}-{k % 2}\n" for k in range(8))
    files["names.csv"] = b"file,kind,sample\n" + rows.encode()
    look = read(files)[-1]
    assert look.choices.classes == "table:names.csv:kind"
    assert look.choices.groups == "table:names.csv:sample"
    assert np.unique(look.data.groups).size == 4


def test_files_without_a_spectrum_are_all_listed():
    look = read({"photo.jpg": b"\xff\xd8\xff" + bytes(50), "empty.txt": b""})[-1]
    assert len(look.found.not_read) == 2
    assert look.spectra is None
    assert "No spectrum was read" in look.why
