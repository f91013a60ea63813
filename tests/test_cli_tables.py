"""`forest-explorer table`: the choice about missing cells, and a first error."""

import numpy as np
import pytest
from typer.testing import CliRunner

from explorer.cli import app


@pytest.fixture
def file(tmp_path):
    rng = np.random.default_rng(0)
    rows = ["a,b,label"]
    for k in range(60):
        a, b = rng.normal(k % 2 * 3, 1, 2)
        rows.append(f"{'' if k == 7 else round(a, 3)},{b:.3f},{'no' if k % 2 else 'yes'}")
    path = tmp_path / "t.csv"
    path.write_text("\n".join(rows))
    return path


def test_without_a_choice_the_ways_are_listed_with_counts(file):
    found = CliRunner().invoke(app, ["table", str(file)])
    assert found.exit_code == 1
    assert "1 cell is empty, in 1 of 60 rows and 1 of 2 columns ('a')." in found.output
    assert "--missing rows: drop 1 row (59 stay)" in found.output
    assert "--missing fill" in found.output


def test_a_choice_gives_an_error_rate(file):
    found = CliRunner().invoke(
        app, ["table", str(file), "--missing", "fill", "--family", "RF", "--trees", "10"]
    )
    assert found.exit_code == 0, found.output
    assert "60 samples (30 no, 30 yes), 2 features." in found.output
    assert "Error of RF:" in found.output


@pytest.mark.parametrize(
    ("wrong", "words"),
    [(["--missing", "zero"], "rows, columns or fill"), (["--family", "x"], "no family")],
)
def test_wrong_choices_are_sentences(file, wrong, words):
    found = CliRunner().invoke(app, ["table", str(file), *wrong])
    assert found.exit_code == 2
    assert words in found.output
