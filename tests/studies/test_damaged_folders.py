"""A study's folder that is damaged in any way gives one sentence, never a traceback."""

import base64
import json
import shutil

import pytest
from typer.testing import CliRunner

from explorer.cli import app
from explorer.studies import Local, Result, find
from explorer.studies.output import write_output

NAME = "menze-fig2"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    study = find(NAME)
    write_output(study, study.run("tiny", Local(0)), folder / NAME, draw=False)
    return folder


def rewritten(change, checksum=False):
    """Change the JSON of a result; without a checksum, as an older version wrote it."""

    def damage(path):
        held = json.loads(path.read_text())
        if not checksum:
            held.pop("checksum")
        change(held)
        path.write_text(json.dumps(held))

    return damage


def folder_instead(path):
    path.unlink()
    path.mkdir()


def first_array(held):
    """The first packed array of a result, wherever it is."""
    stack = [held]
    while stack:
        here = stack.pop()
        if isinstance(here, dict) and "array!" in here:
            return here["array!"]
        stack += here.values() if isinstance(here, dict) else here if isinstance(here, list) else []
    held["arrays"]["made"] = {"array!": ["<f8", [1], ""]}
    return held["arrays"]["made"]["array!"]


def damaged_array(held):
    first_array(held)[2] = base64.b64encode(b"no zlib").decode()


def shape_of_array(held):
    first_array(held)[1] = [10**9]


def type_of_array(held):
    first_array(held)[0] = "|O"


DAMAGE = {
    "empty": lambda path: path.write_text(""),
    "cut short": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "no text": lambda path: path.write_bytes(b"\xff\xfe\x00" * 50),
    "a folder": folder_instead,
    "null": lambda path: path.write_text("null"),
    "a list": lambda path: path.write_text("[]"),
    "nested": lambda path: path.write_text("[" * 100_000),
    "another format": rewritten(lambda held: held.update(format=99)),
    "no tables": rewritten(lambda held: held.pop("tables")),
    "empty tables": rewritten(lambda held: held.update(tables={})),
    "tables of the wrong kind": rewritten(lambda held: held.update(tables=[1, 2])),
    "rows of the wrong kind": rewritten(
        lambda held: held.update(tables=dict.fromkeys(held["tables"], 3))
    ),
    "another study's": rewritten(lambda held: held.update(study="do-table9")),
    "a damaged array": rewritten(damaged_array),
    "an array of another shape": rewritten(shape_of_array),
    "an array of objects": rewritten(type_of_array),
    "a changed number": rewritten(lambda held: held.update(seconds=-1.0), checksum=True),
}


@pytest.mark.parametrize("what", DAMAGE)
@pytest.mark.parametrize("command", ["report", "draw"])
def test_a_damaged_folder_is_a_sentence(command, what, whole, tmp_path):
    out = tmp_path / "results"
    shutil.copytree(whole, out)
    DAMAGE[what](out / NAME / "result.json")
    more = ["--to", str(tmp_path / "R.md")] if command == "report" else []
    done = CliRunner().invoke(app, ["study", command, str(out), *more])
    assert done.exit_code == 2, done.output
    assert isinstance(done.exception, SystemExit)
    said = done.stderr.strip()
    assert "result.json" in said
    assert said.endswith(".")
    assert "Traceback" not in said


def test_a_report_that_is_not_text_is_not_written_over(whole, tmp_path):
    to = tmp_path / "R.md"
    to.write_bytes(b"\xff\xfe\x00")
    done = CliRunner().invoke(app, ["study", "report", str(whole), "--to", str(to)])
    assert done.exit_code == 2
    assert "is not text" in done.stderr
    assert to.read_bytes() == b"\xff\xfe\x00"


def test_a_folder_that_is_a_file_is_a_sentence(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("here")
    for command in (["run", NAME, "--out"], ["report"], ["draw"]):
        done = CliRunner().invoke(app, ["study", *command, str(blocked)])
        assert done.exit_code == 2, done.output
        assert isinstance(done.exception, SystemExit)
        assert done.stderr.strip().endswith(".")


def test_a_log_of_units_that_is_damaged_is_passed_over_or_a_sentence(tmp_path):
    (tmp_path / "units" / f"{NAME}.log").mkdir(parents=True)
    done = CliRunner().invoke(app, ["study", "run", NAME, "--resume", "--out", str(tmp_path)])
    assert done.exit_code == 2, done.output
    assert isinstance(done.exception, SystemExit)


def test_a_sound_folder_comes_back_whole(whole):
    result = Result.load(whole / NAME / "result.json")
    assert result.digest() == find(NAME).run("tiny", Local(0)).digest()
