"""`forest-explorer FILE`, `demo`, `--help`, completion and colours, as a shell sees them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from explorer import cli, cli_open
from explorer.app.lessons.library import shelf
from explorer.app.session import registry
from explorer.app.state.uploads import Upload
from explorer.data import load

run = CliRunner().invoke
TABLE = "a,b,class\n" + "\n".join(f"{i},{i % 3},{'x' if i < 6 else 'y'}" for i in range(12))


@pytest.fixture
def served(monkeypatch):
    """What `serve` was asked for, without a server."""
    from explorer.app.server import serve

    asked = []
    monkeypatch.setattr(serve, "serve", lambda **options: asked.append(options))
    return asked


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "heart.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_a_file_in_the_place_of_a_command_opens_the_app_on_it(served, table):
    result = run(cli.app, [str(table), "--label", "class", "--port", "5099", "--no-show"])
    assert result.exit_code == 0, result.output
    assert "12 samples, 2 features, 2 classes" in result.stdout
    assert served[0]["port"] == 5099
    assert served[0]["lent"].feature_names == ("a", "b")


def test_a_file_that_is_not_there_is_said_with_exit_code_2(served):
    result = run(cli.app, ["nothing.csv"])
    assert result.exit_code == 2
    assert "There is no file or folder 'nothing.csv'" in result.stderr
    assert served == []


def test_a_file_that_cannot_be_read_is_said_with_exit_code_2(served, table):
    result = run(cli.app, ["open", str(table), "--label", "colour"])
    assert result.exit_code == 2
    assert "heart.csv could not be opened" in result.stderr


def test_a_mistyped_command_is_still_a_mistyped_command():
    result = run(cli.app, ["famlies"])
    assert result.exit_code == 2
    assert "No such command" in result.stderr


def test_demo_opens_a_lesson_that_is_there(served):
    assert run(cli.app, ["demo", "--no-show"]).exit_code == 0
    assert served[0]["link"] == f"lesson={cli_open.DEMO}"
    assert cli_open.DEMO in shelf().lessons


def test_data_of_the_server_are_open_to_who_follows_its_link():
    upload = Upload.of("toy", load("clouds"))
    word = registry.lend(upload, everyone=True)
    assert registry.own_file_of("") is upload
    assert registry.own_file_of(word) is upload
    registry.take_back(word)
    assert registry.own_file_of("") is None
    assert registry.own_file_of(word) is None


def _shell(*arguments: str, **env: str) -> str:
    command = [sys.executable, "-m", "explorer.cli", *arguments]
    clean = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "GITHUB_ACTIONS")}
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**clean, **env}, timeout=120
    )
    return done.stdout


def test_help_has_examples_and_exit_codes_and_no_colours_when_piped():
    said = " ".join(_shell("--help", COLUMNS="110").split())
    assert "forest-explorer demo" in said
    assert "Exit codes" in said
    assert "130 stopped with Ctrl-C" in said
    assert "\x1b" not in said
    assert "\x1b" not in _shell("families", COLUMNS="110")


def test_the_shell_completes_commands_and_families():
    code = "import sys; sys.argv = ['forest-explorer']; from explorer.cli import main; main()"
    asked = {
        "_FOREST_EXPLORER_COMPLETE": "complete_bash",
        "COMP_WORDS": "forest-explorer st",
        "COMP_CWORD": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, **asked},
        timeout=120,
    )
    assert done.stdout.split() == ["study"]
    assert cli_open.complete_family("orf-l") == ["oRF-lda", "oRF-log"]
