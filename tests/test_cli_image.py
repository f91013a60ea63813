"""`forest-explorer image`: labelled pixels in, maps of classes and votes out."""

import numpy as np
import pytest
from typer.testing import CliRunner

from explorer.cli import app
from explorer.data import read_cube, read_labels


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(12, 10, 6))
    values[:, 5:] += 4.0
    (tmp_path / "field.dat").write_bytes(values.astype("<f4").tobytes())
    (tmp_path / "field.hdr").write_text(
        "ENVI\nsamples = 10\nlines = 12\nbands = 6\ndata type = 4\ninterleave = bip\n"
    )
    rows = [f"{r},{c},{'water' if c < 6 else 'sand, {wet}'}" for r in (1, 2) for c in range(1, 11)]
    quoted = [row.replace("sand, {wet}", '"sand, {wet}"') for row in rows]
    (tmp_path / "labels.csv").write_text("line,sample,class\n" + "\n".join(quoted))
    return tmp_path


def test_maps_are_written_and_can_be_read_again(folder):
    out = folder / "map.hdr"
    found = CliRunner().invoke(
        app,
        ["image", str(folder / "field.hdr"), "--labels", str(folder / "labels.csv"), "--out",
         str(out), "--family", "RF", "--trees", "15"],
    )  # fmt: skip
    assert found.exit_code == 0, found.output
    assert "12 x 10 pixels, 6 bands; 20 labelled pixels of 2 classes" in found.output
    cube = read_cube(folder / "field.hdr")
    codes, names = read_labels(out, cube)
    assert names == ("sand  (wet)", "water")
    assert (codes[:, :5] == 1).mean() > 0.95
    votes = read_cube(folder / "map-votes.hdr")
    np.testing.assert_allclose(np.asarray(votes.values).sum(axis=2), 1.0, atol=1e-6)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--family", "none"], "no family"),
        (["--out", "map.png"], "must end in .hdr"),
        (["--prepare", "magic"], "choose one of"),
    ],
)
def test_wrong_choices_are_sentences(folder, options, words):
    base = ["image", str(folder / "field.hdr"), "--labels", str(folder / "labels.csv")]
    found = CliRunner().invoke(app, [*base, *options])
    assert found.exit_code == 2
    assert words in found.output
