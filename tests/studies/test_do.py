"""Do's tables: the printed numbers, the two tests, and what is said of data that cannot be had."""

from pathlib import Path

import numpy as np
import pandas
import pytest

from explorer.baselines import BASELINES, Svm
from explorer.data import load
from explorer.studies import Sources, find
from explorer.studies.do.cover_shape import FULL, cover_shape
from explorer.studies.do.high import printed_tests
from explorer.studies.do.printed import (
    COVER_SECONDS,
    EXCHANGED,
    HIGH,
    MEANS,
    MEASURES,
    SECONDS,
    STANDARD,
    TABLE4,
    TABLE9,
    TESTS,
)
from explorer.studies.do.sets import LIKE_HIGH, tasks, two_classes
from explorer.studies.do.statistics import both_tests


def test_the_printed_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    precision, recall, f1, _ = np.moveaxis(TABLE4, 1, 0)
    assert np.allclose(f1, 2 * precision * recall / (precision + recall), atol=0.02)


@pytest.mark.parametrize("measure", ["precision", "F1", "accuracy"])
def test_the_printed_means_are_those_of_table_4(measure: str) -> None:
    means = TABLE4[:, MEASURES.index(measure)].mean(axis=0)
    assert means == pytest.approx(MEANS[measure], abs=0.006)


def test_the_printed_precision_is_tested_as_printed() -> None:
    for other, said in TESTS["precision"].items():
        found = printed_tests("precision", other)
        assert (found.mean, found.student, found.student_p) == pytest.approx(
            (said.mean, said.student, said.student_p), abs=0.006
        )
        assert (found.win, found.tie, found.defeat) == (said.win, said.tie, said.defeat)
        assert found.sign_p == pytest.approx(said.sign_p, abs=5e-5)


def test_the_printed_accuracy_gives_other_student_ratios_than_table_5() -> None:
    found = {other: printed_tests("accuracy", other) for other in TESTS["accuracy"]}
    assert found["RF-C4.5"].student == pytest.approx(2.46, abs=0.006)  # printed 2.19
    assert found["LibSVM"].student == pytest.approx(2.69, abs=0.006)  # printed 2.61
    assert all(f.student_p < 0.05 for f in found.values())


def test_libsvm_s_columns_are_whole_numbers_of_samples_once_exchanged() -> None:
    for number, positives in EXCHANGED.items():
        precision, recall = TABLE4[number - 1, :2, 0] * positives / 100
        assert abs(precision - round(precision)) < 0.01
        assert abs(recall - round(recall)) > 0.01


def test_the_times_of_table_10_have_the_printed_means() -> None:
    means = [SECONDS[m].mean() for m in ("RF-C4.5", "RF-ODT")]
    assert means == pytest.approx([42.10, 34.97], abs=0.005)
    assert (SECONDS["RF-C4.5"] > SECONDS["RF-ODT"]).sum() == 19
    assert COVER_SECONDS["RF-C4.5"] / COVER_SECONDS["RF-ODT"] == pytest.approx(22, abs=0.5)


def test_tests_know_wins_ties_and_defeats() -> None:
    found = both_tests([3.0, 2.0, 5.0, 1.0], [1.0, 2.0, 4.0, 1.5])
    assert (found.win, found.tie, found.defeat) == (2, 1, 1)
    assert found.mean == pytest.approx(0.625)
    assert found.sign_p == 1.0
    assert both_tests([1.0] * (8 + 2), [0.0] * 8 + [2.0] * 2).sign_p == pytest.approx(
        TABLE9.sign_p, 1e-3
    )


def test_without_a_folder_the_paper_s_sets_are_missing_and_others_keep_their_names() -> None:
    found, missing, notes = tasks(HIGH, LIKE_HIGH, Sources())
    assert [m.name.split()[0] for m in missing] == [str(n) for n in range(1, 16)]
    assert {t.number for t in found} == {0}
    assert [t.name for t in found] == [name for name, _ in LIKE_HIGH]
    assert "0 of the paper's 15" in notes[-1]


def _write(path: Path, rows: int, columns: int, labels: str) -> None:
    rng = np.random.default_rng(rows)
    frame = pandas.DataFrame(rng.normal(size=(rows, columns)).round(3))
    frame["label"] = [labels[i % len(labels)] for i in range(rows)]
    frame.to_csv(path, index=False)


def test_a_folder_s_file_is_a_set_of_the_paper_only_if_its_shape_is(tmp_path: Path) -> None:
    _write(tmp_path / "liver_bupa.csv", 345, 6, "12")
    _write(tmp_path / "pima.csv", 768, 9, "01")
    found, missing, _ = tasks(STANDARD, (), Sources(tmp_path))
    assert [t.number for t in found] == [16, 17]
    assert "another data set" in next(m.why for m in missing if m.name == "18 Pima")


def test_a_training_and_a_test_file_are_used_as_such(tmp_path: Path) -> None:
    _write(tmp_path / "pendigits_train.csv", 60, 16, "0189")
    _write(tmp_path / "pendigits_test.csv", 20, 16, "0189")
    found, _, _ = tasks(STANDARD, (), Sources(tmp_path))
    task = next(t for t in found if t.number == 23)
    assert task.protocol == "trn-tst"
    assert task.data.n_samples == 60
    assert task.test is not None
    assert task.test.class_names == ("rest", "9")
    assert task.test.n_samples == 20


def test_the_positive_class_is_the_named_one_or_else_the_rarest() -> None:
    wine = load("wine")
    named = two_classes(wine, (wine.class_names[0].lower(),))
    assert named.class_names == ("rest", wine.class_names[0])
    assert named.y.sum() == wine.class_counts[0]
    assert two_classes(wine).y.sum() == wine.class_counts.min()


def test_a_table_of_cover_type_s_shape_has_54_features_and_its_shares() -> None:
    data = cover_shape(2000, 1)
    assert data.X.shape == (2000, 54)
    assert data.y.mean() == pytest.approx(283_301 / FULL, abs=0.01)
    assert (data.X[:, 10:].sum(axis=1) == 2).all()


def test_libsvm_decides_by_the_sign_where_it_is_not_calibrated() -> None:
    data = load("sonar")
    model = Svm(kernel="linear", cost=1.0, calibrated=False).fit(data.X, data.y)
    posterior = model.predict_proba(data.X)
    assert set(np.unique(posterior)) == {0.0, 1.0}
    assert BASELINES["svm-linear"].calibrated


def test_too_few_data_sets_are_not_tested() -> None:
    study = find("do-table5")
    claims = study.claims(study.run("tiny"))
    assert [c.holds for c in claims] == [None, None, False]
