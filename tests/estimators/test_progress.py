"""``verbose`` says on standard error what fit does, and changes nothing else."""

import io

import numpy as np
from sklearn.datasets import load_iris

from explorer import ForestClassifier
from explorer.estimators.progress import FitProgress

X, Y = load_iris(return_X_y=True)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_fit_is_silent_unless_asked(capsys):
    quiet = ForestClassifier("RF", n_estimators=5, random_state=0).fit(X, Y)
    assert capsys.readouterr().err == ""
    loud = ForestClassifier("RF", n_estimators=5, random_state=0, verbose=1).fit(X, Y)
    assert "growing, 5 of 5 trees" in capsys.readouterr().err
    assert np.array_equal(quiet.predict_proba(X), loud.predict_proba(X))


def test_a_file_gets_about_ten_lines():
    said = FitProgress(io.StringIO())
    for done in range(101):
        said(done, 100, "growing")
    lines = said.stream.getvalue().splitlines()
    assert lines[0].endswith("0 of 100 trees")
    assert lines[-1].endswith("100 of 100 trees")
    assert len(lines) == 11


def test_a_terminal_gets_one_line():
    said = FitProgress(Terminal())
    for done in range(4):
        said(done, 3, "growing")
    said.close()
    assert said.stream.getvalue().count("\n") == 1
    assert said.stream.getvalue().count("\r") == 4
