"""Ho's digits: the table as printed, rejected ties, and a folder of one's own images."""

from pathlib import Path

import numpy as np
import pandas
import pytest

from explorer.data import load
from explorer.studies import Sources, find
from explorer.studies.ho.digits import FOLDS, correct, digits, fold_of
from explorer.studies.ho.table1 import CORRECT, NODES, TREES


@pytest.mark.parametrize("tree", TREES)
def test_the_printed_table_agrees_with_itself(tree: str) -> None:
    assert sum(NODES[tree][:-1]) == NODES[tree][-1]
    # classes are roughly equally frequent, so their mean is roughly the accuracy of all
    assert np.mean(CORRECT[tree][:-1]) == pytest.approx(CORRECT[tree][-1], abs=0.25)


def test_the_printed_numbers_of_nodes_in_the_text_are_those_of_the_table() -> None:
    assert [2 * NODES[tree][-1] - 1 for tree in TREES] == [3949, 3255, 307, 87]


def test_a_tie_between_classes_is_rejected() -> None:
    g = np.array([[0.5, 0.5, 0.0], [0.6, 0.4, 0.0], [0.2, 0.3, 0.5]])
    assert correct(g, np.array([0, 0, 2]), np.arange(3)).tolist() == [False, True, True]


def test_folds_keep_six_to_one_and_test_every_sample_once() -> None:
    data = load("digits")
    tests = [fold_of(data, fold, 0).test for fold in range(FOLDS)]
    assert sorted(np.concatenate(tests)) == list(range(1797))
    assert {len(t) for t in tests} <= {256, 257}


def test_images_of_ones_own_are_taken_first(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame(rng.integers(0, 2, (30, 400)).astype(float))
    frame["label"] = [str(k % 3) for k in range(30)]
    frame.to_csv(tmp_path / "nist.csv", index=False)
    data, missing = digits(Sources(tmp_path), "f2")
    assert data.X.shape == (30, 852)
    assert missing is None
    assert np.array_equal(data.X[:, :400], frame.iloc[:, :400].to_numpy())
    _, missing = digits(Sources(), "f1")
    assert missing is not None
    assert "1797" in missing.why


def test_a_table_that_holds_no_square_images_is_refused(tmp_path: Path) -> None:
    frame = pandas.DataFrame(np.arange(50.0).reshape(5, 10) % 7)
    frame["label"] = list("ababa")
    frame.to_csv(tmp_path / "nist.csv", index=False)
    with pytest.raises(ValueError, match="10 columns, which is no square image"):
        find("ho-fig1").run("tiny", sources=Sources(tmp_path))
