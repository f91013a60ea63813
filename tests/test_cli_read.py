"""`forest-explorer read`: what it prints, writes and refuses."""

import numpy as np
import pytest
from typer.testing import CliRunner

from explorer.cli import app
from explorer.data import read


@pytest.fixture
def folder(tmp_path):
    x = np.arange(1000.0, 1040.0)
    for kind in ("elm", "oak"):
        (tmp_path / "in" / kind).mkdir(parents=True)
        for k in range(3):
            rows = "".join(f"{a:g}\t{np.sin(a / 5 + len(kind) + k):.6f}\n" for a in x)
            (tmp_path / "in" / kind / f"{kind}_{k}.txt").write_text(f"Wavelength (nm)\tA\n{rows}")
    return tmp_path


def test_a_folder_is_reported_and_written_as_one_data_set(folder):
    out = folder / "all.csv"
    done = CliRunner().invoke(
        app, ["read", str(folder / "in"), "--out", str(out), "--cut", "1010:1020"]
    )
    assert done.exit_code == 0, done.output
    assert "6 spectra from 6 files." in done.output
    assert "Sub-folder" in done.output
    data = read(out)
    assert data.class_names == ("elm", "oak")
    assert data.X.shape == (6, 31)


def test_mistakes_are_sentences(folder):
    for wrong in (["--cut", "abc"], ["--classes", "colour", "--out", str(folder / "a.csv")],
                  ["--out", str(folder / "a.txt")]):  # fmt: skip
        done = CliRunner().invoke(app, ["read", str(folder / "in"), *wrong])
        assert done.exit_code == 2
    assert CliRunner().invoke(app, ["read", str(folder / "nothing")]).exit_code == 2
