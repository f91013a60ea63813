"""Names that a spreadsheet would run as a formula are marked in CSV files, and unmarked here."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import explorer
from explorer.app.export.download import table
from explorer.app.export.map_csv import grid_csv
from explorer.app.state.plane_choice import Window
from explorer.data import Dataset, read
from explorer.data.csv_cells import as_text, as_written, to_csv
from explorer.data.measured.writing import write as write_dataset
from explorer.studies.output import csv_text

HOSTILE = [
    "=HYPERLINK(1)",
    "@SUM(A1)",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "\tx",
    "\rx",
    "'=1+1",
    "''@x",
    "=",
]
PLAIN = ["oak", "-1", "+2.5e3", "-inf", "'quoted'", "a=b", ""]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_that_looks_like_a_formula_is_written_as_text_and_read_as_it_was(name):
    assert as_text(name) == f"'{name}"
    assert as_written(as_text(name)) == name


@pytest.mark.parametrize("name", PLAIN)
def test_other_names_and_numbers_stay_as_they_are(name):
    assert as_text(name) == name
    assert as_written(name) == name


@pytest.mark.parametrize("value", [1, -1.5, None, True])
def test_values_that_are_not_text_stay_as_they_are(value):
    assert as_text(value) is value


def test_headers_and_cells_of_exports_are_marked():
    frame = pd.DataFrame({"=x": [-1.0, 2.0], "class": ["@a", "b"]})
    for text in (to_csv(frame), table(frame)):
        assert text.splitlines() == ["'=x,class", "-1.0,'@a", "2.0,b"]
    rows = [{"=x": -1.0, "class": "@a"}, {"=x": 2.0, "class": "b"}]
    assert csv_text(rows).splitlines() == ["'=x,class", "-1.0,'@a", "2.0,b"]


def test_names_of_a_map_and_of_measured_spectra_are_marked(tmp_path):
    text = grid_csv(np.zeros((1, 1, 2)), Window(0, 1, 0, 1), ["=a", "oak"])
    assert text.splitlines()[0] == '"across","up","\'=a","oak"'
    rng = np.random.default_rng(1)
    data = Dataset(
        name="a",
        title="a",
        X=rng.normal(size=(6, 2)),
        y=np.arange(6) % 2,
        class_names=("=one", "two"),
        feature_names=("+x", "y"),
        sample_names=("@1", "2", "3", "4", "5", "6"),
    )
    write_dataset(data, tmp_path / "a.csv")
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert lines[0] == "sample,'+x,y,label"
    assert lines[1].startswith("'@1,")
    assert lines[1].endswith(",'=one")


def test_every_module_that_writes_csv_marks_its_text():
    package = Path(explorer.__file__).parent
    writes = re.compile(r"\.to_csv\(|csv\.writer\(|savetxt\(")
    allowed = {"data/csv_cells.py", "data/readers/orange.py"}  # the last writes for our reader only
    found = [
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if writes.search(path.read_text()) and "csv_cells import" not in path.read_text()
    ]
    assert sorted(set(found) - allowed) == []


def test_the_reader_undoes_the_mark():
    names = ["=one", "@two", "oak"]
    frame = pd.DataFrame({"+x": [0.5, 1.5, 2.5] * 4, "y": [-1.0, 2.0, 3.0] * 4, "class": names * 4})
    data = read(to_csv(frame).encode(), "t.csv", label="class")
    assert data.feature_names == ("+x", "y")
    assert sorted(data.class_names) == sorted(names)
