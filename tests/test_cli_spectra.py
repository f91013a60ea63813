"""From a folder of spectra to an answer, in a shell."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from explorer.cli import app
from explorer.cli_spectra import parse_chain
from explorer.data import load

run = CliRunner().invoke


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> Path:
    """Spectra of meat as two-column text files: train/lean, train/fat and new/."""
    top = tmp_path_factory.mktemp("meat")
    data = load("tecator")
    for i in range(60):
        kind = data.class_names[data.y[i]]
        folder = top / "train" / kind if i < 45 else top / "new"
        folder.mkdir(parents=True, exist_ok=True)
        lines = [f"{x:.1f}\t{y:.6f}" for x, y in zip(data.axis.values, data.X[i], strict=True)]
        (folder / f"sample{i:03d}.txt").write_text("nm\tabsorbance\n" + "\n".join(lines) + "\n")
    (top / "new" / "broken.spc").write_bytes(b"\x00\x4b" + b"\x07" * 40)
    return top


def test_a_model_is_fitted_on_a_folder_and_judges_another(folders: Path, tmp_path: Path) -> None:
    model, table = tmp_path / "meat.npz", tmp_path / "answers.csv"
    options = ["--trees", "30", "--prepare", "snv,derivative:order=1:window=9"]
    fitted = run(app, ["fit", str(folders / "train"), "--model", str(model), *options])
    assert fitted.exit_code == 0, fitted.output
    assert "45 spectra" in fitted.stdout
    assert "Out-of-bag error:" in fitted.stdout
    told = run(app, ["predict", str(model), str(folders / "new"), "--csv", str(table)])
    assert told.exit_code == 0, told.output
    assert "Not read: broken.spc" in told.stderr
    rows = table.read_text().splitlines()
    assert len(rows) == 16
    assert rows[0].startswith("sample,class,votes,classes at 95 %,unlike anything seen")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["fit", "nowhere", "--model", "m.npz"], "There is no file or folder nowhere."),
        (["predict", "nowhere.npz", "."], "There is no file nowhere.npz."),
    ],
)
def test_what_is_missing_is_said_in_a_sentence(words: list[str], said: str) -> None:
    result = run(app, words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.output


def test_a_wrong_step_is_said_in_a_sentence(folders: Path, tmp_path: Path) -> None:
    result = run(
        app, ["fit", str(folders / "train"), "--model", str(tmp_path / "m"), "--prepare", "snip"]
    )
    assert result.exit_code == 2
    assert "Step 1 is 'snip'; choose one of" in result.stderr


def test_a_chain_is_written_as_steps_with_knobs() -> None:
    chain = parse_chain("baseline:method=linear, bands:low=900:keep=false,derivative:window=9")
    assert chain.plain() == [
        ("baseline", {"method": "linear"}),
        ("bands", {"low": 900.0, "keep": False}),
        ("derivative", {"window": 9}),
    ]
    assert np.isfinite(chain.apply(load("tecator")).X).all()
