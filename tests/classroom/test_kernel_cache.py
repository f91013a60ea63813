"""The folder of compiled kernels when things go wrong."""

import os
import shutil
import subprocess
import sys
import time

import pytest

from .client import ROOT

GROW = """
import numpy as np
from explorer.engine import FAMILIES, grow
X = np.random.default_rng(0).normal(size=(60, 3))
print(grow(FAMILIES["RF"].replace(n_tree=3), X, X[:, 0] > 0).oob_error[-1])
"""
SMALL_FILES = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))\n"


def start(code, folder):
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "EXPLORER_CACHE_DIR": str(folder), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def answer(process):
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return out.strip()


def test_kill_9_in_the_middle_of_a_compile_leaves_a_usable_cache(tmp_path):
    process = start(GROW, tmp_path)
    end = time.monotonic() + 300
    while not any(p.is_file() for p in tmp_path.rglob("*")) and time.monotonic() < end:
        time.sleep(0.01)  # until the first file is being written
    process.kill()
    process.communicate()
    assert answer(start(GROW, tmp_path)) == answer(start(GROW, tmp_path))


def test_two_processes_may_start_on_one_empty_cache(tmp_path):
    both = [start(GROW, tmp_path) for _ in range(2)]
    first, second = [answer(process) for process in both]
    assert first == second == answer(start(GROW, tmp_path))


def test_a_folder_that_cannot_be_written_costs_time_only(tmp_path):
    blocked = tmp_path / "file"
    blocked.touch()
    assert float(answer(start(GROW, blocked))) >= 0


def test_a_full_disk_costs_time_only(tmp_path):
    assert float(answer(start(SMALL_FILES + GROW, tmp_path))) >= 0


# ---- damaged files. numba runs what it finds there, so every file is checked before it is used.


def cut_short(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flipped(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x10
    path.write_bytes(content)


def folder_instead(path):
    path.unlink()
    path.mkdir()


DAMAGE = {
    "empty": lambda path: path.write_bytes(b""),
    "cut short": cut_short,
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "noise": lambda path: path.write_bytes(b"\x80\x05\x95" + b"noise" * 99),
    "a flipped bit": flipped,
    "more at its end": lambda path: path.write_bytes(path.read_bytes() + b"x"),
    "gone": lambda path: path.unlink(),
    "a folder": folder_instead,
}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kernels")
    return folder, answer(start(GROW, folder))


@pytest.mark.parametrize("what", DAMAGE)
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_file_of_the_cache_is_compiled_again(what, ending, compiled, tmp_path):
    source, expected = compiled
    folder = tmp_path / "kernels"
    shutil.copytree(source, folder)
    damaged = sorted(folder.rglob(f"*.{ending}"))
    # one kernel that is quick to compile, so that sixteen kinds of damage take little time
    damaged = [path for path in damaged if "bags" in path.name]
    assert damaged
    for path in damaged:
        DAMAGE[what](path)
    assert answer(start(GROW, folder)) == expected
    assert all(path.is_file() or what == "a folder" for path in damaged), "written again"


def test_all_files_cut_short_at_once_cost_time_only(compiled, tmp_path):
    source, expected = compiled
    folder = tmp_path / "kernels"
    shutil.copytree(source, folder)
    for path in folder.rglob("*.nb?"):
        cut_short(path)
    assert answer(start(GROW, folder)) == expected
