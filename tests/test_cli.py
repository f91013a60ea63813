"""The command line: what it says, and with which exit code."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import explorer
import explorer.engine
from explorer import cli
from explorer.engine import FAMILIES
from explorer.engine.kernels.directions import DIRECTIONS

run = CliRunner().invoke


@pytest.fixture
def _own_app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An explorer.app that only says hello, before any other."""
    server = tmp_path / "app" / "server"
    server.mkdir(parents=True)
    for folder in (server.parent, server):
        (folder / "__init__.py").touch()
    (server / "serve.py").write_text(
        "def serve(port, show, **rest):\n    print('serving', port, show)\n"
    )
    for name in [m for m in sys.modules if m.split(".")[:2] == ["explorer", "app"]]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(explorer, "__path__", [str(tmp_path), *explorer.__path__])


@pytest.mark.usefixtures("_own_app")
def test_without_a_command_it_starts_the_app_where_there_is_one() -> None:
    try:
        result = run(cli.app, ["--port", "5007", "--no-show"])
    finally:
        for name in ("explorer.app", "explorer.app.server", "explorer.app.server.serve"):
            sys.modules.pop(name, None)
        vars(explorer).pop("app", None)
    assert result.exit_code == 0
    assert "serving 5007 False" in result.stdout


def test_the_installed_command_answers_with_its_version() -> None:
    code = "from explorer.cli import main; main()"
    told = subprocess.run(
        [sys.executable, "-c", code, "--version"], capture_output=True, text=True, check=True
    )
    assert told.stdout == f"forest-explorer {explorer.__version__}\n"


def test_families_lists_all_of_them_with_split_trees_and_paper() -> None:
    result = run(cli.app, ["families"], env={"COLUMNS": "120"})
    assert result.exit_code == 0
    lines = {line.split()[0]: line for line in result.stdout.splitlines() if line}
    for name, spec in FAMILIES.items():
        assert f" {spec.n_tree} " in lines[name]
        assert cli._PAPERS[name] in lines[name]
        assert cli._SPLITS[spec.split] in lines[name]


def test_every_family_has_its_paper_and_every_split_its_words() -> None:
    assert set(cli._PAPERS) == set(FAMILIES)
    assert set(cli._SPLITS) == set(DIRECTIONS)


def test_help_is_in_sentences_and_names_the_commands() -> None:
    result = run(cli.app, ["--help"])
    assert result.exit_code == 0
    assert "warm" in result.stdout
    assert "families" in result.stdout
    assert "Without a command, the app starts." in result.stdout


def test_warm_refuses_a_family_that_is_not_there() -> None:
    result = run(cli.app, ["warm", "forest of pines"])
    assert result.exit_code == 2
    assert "no family named 'forest of pines'" in result.stderr


def test_warm_stops_cleanly_on_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(progress: Any, families: Any, processes: int) -> None:
        progress(0, 2, "growing")
        raise KeyboardInterrupt

    monkeypatch.setattr(explorer.engine, "warm", interrupted)
    result = run(cli.app, ["warm"])
    assert result.exit_code == 130
    assert "Stopped." in result.stderr
    assert "Traceback" not in result.stderr


def test_warm_shows_every_step_and_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def quick(progress: Any, families: Any, processes: int) -> None:
        assert families == ["RF"]
        assert processes == (os.cpu_count() or 1)
        progress(0, 1, "growing RF")
        progress(1, 1, "ready")

    monkeypatch.setattr(explorer.engine, "warm", quick)
    result = run(cli.app, ["warm", "RF"])
    assert result.exit_code == 0
    assert "1/1" in result.stderr
    assert "left" in result.stderr
    assert "compiled" in result.stdout


def test_warm_without_a_writable_folder_says_what_to_set(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    told = subprocess.run(
        [sys.executable, "-c", "from explorer.cli import main; main()", "warm", "RF"],
        env=os.environ | {"EXPLORER_CACHE_DIR": str(blocked)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 1
    assert "EXPLORER_CACHE_DIR" in told.stderr


def test_studies_are_listed() -> None:
    result = run(cli.app, ["study", "list"])
    assert result.exit_code == 0
    assert "menze-fig2" in result.output


def test_a_study_runs_into_a_folder_and_the_report_tells_of_it(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EXPLORER_BROWSER", "no-such-browser")
    first = run(cli.app, ["study", "run", "menze-fig2", "--out", "results"])
    assert first.exit_code == 0, first.output
    assert "holds" in first.output
    assert (tmp_path / "results" / "menze-fig2" / "figures" / "directions.html").exists()
    again = run(cli.app, ["study", "run", "menze-fig2", "--out", "results", "--resume"])
    assert again.exit_code == 0
    report = run(cli.app, ["study", "report", "results"])
    assert report.exit_code == 0
    assert "menze-fig2" in (tmp_path / "REPRODUCTION.md").read_text()


def test_a_run_without_resume_sets_aside_what_was_kept(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("EXPLORER_BROWSER", "no-such-browser")
    for _ in range(2):
        assert run(cli.app, ["study", "run", "menze-fig2", "--out", str(tmp_path)]).exit_code == 0
    assert (tmp_path / "units" / "menze-fig2.old").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["menze-fig9"], "There is no study 'menze-fig9'"),
        (["menze-fig2", "--data", "nowhere"], "There is no folder nowhere"),
        (["menze-fig2", "--dask", "nowhere"], "No Dask scheduler answers"),
        (["menze-fig2", "--set", "trials"], "'trials' is no setting"),
        (["menze-fig2", "--set", "trials=3"], "menze-fig2 has no setting named trials"),
    ],
)
def test_what_a_study_cannot_do_is_said_in_a_sentence(
    arguments: list[str], sentence: str, tmp_path
) -> None:
    result = run(cli.app, ["study", "run", *arguments, "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert sentence in result.stderr


def test_a_folder_of_lessons_that_is_not_there_is_said_with_exit_code_2(tmp_path: Path) -> None:
    result = run(cli.app, ["--lessons", str(tmp_path / "nowhere")])
    assert result.exit_code == 2
    assert "no folder" in result.stderr
    assert "--lessons" in result.stderr


@pytest.mark.usefixtures("_own_app")
def test_a_folder_of_lessons_reaches_the_app(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXPLORER_LESSONS", "")
    try:
        result = run(cli.app, ["--lessons", str(tmp_path), "--no-show"])
    finally:
        for name in ("explorer.app", "explorer.app.server", "explorer.app.server.serve"):
            sys.modules.pop(name, None)
        vars(explorer).pop("app", None)
    assert result.exit_code == 0
    assert os.environ["EXPLORER_LESSONS"] == str(tmp_path.resolve())
