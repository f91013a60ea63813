"""Missing cells of a table: counted, dropped, or filled from each training part."""

import numpy as np
import pytest

from explorer.analysis import FittedModel, Protocol, evaluate
from explorer.data import Chain, Dataset, FileRefused, preview, read
from explorer.data.transforms import Fill
from explorer.engine import FAMILIES

TEXT = "a,b,c,label\n1,5,x,p\n,6,y,q\n3,,x,p\n4,8,,q\n5,9,y,p\n6,7,x,q\n"


def table(**wishes) -> Dataset:
    return read(TEXT.encode(), "t.csv", one_hot=True, **wishes)


def test_the_preview_counts_cells_rows_and_columns():
    seen = preview(TEXT.encode(), "t.csv").missing
    assert (seen.cells, seen.rows, seen.columns, seen.n_rows, seen.n_columns) == (3, 3, 3, 6, 3)
    assert seen.words == "3 cells are empty, in 3 of 6 rows and 3 of 3 columns ('a', 'b', 'c')."
    assert list(seen.offers.values()) == ["drop rows", "fill"]  # no column would be left
    assert any("3 rows" in words and "3 stay" in words for words in seen.offers)


def test_a_complete_table_has_nothing_missing():
    assert preview(b"a,b,label\n1,2,p\n2,3,q\n3,4,p\n", "t.csv").missing is None


def test_missing_cells_are_refused_until_someone_decides():
    with pytest.raises(FileRefused, match=r"[Rr]ow 3, column 'a' is empty.*drop their rows"):
        read(TEXT.replace(",x,", ",1,").replace(",y,", ",2,").encode(), "t.csv")


def test_rows_can_be_dropped():
    d = table(impute="drop rows")
    assert d.n_samples == 3
    np.testing.assert_array_equal(d.X[:, 0], [1, 5, 6])
    assert "3 of 6 rows with missing values were left out." in d.notes


def test_rows_without_a_label_are_dropped_with_the_others():
    text = "a,b,label\n1,2,p\n2,3,\n3,,q\n4,5,q\n5,1,p\n"
    d = read(text.encode(), "t.csv", label="label", impute="drop rows")
    np.testing.assert_array_equal(d.X[:, 0], [1, 4, 5])
    assert [d.class_names[k] for k in d.y] == ["p", "q", "p"]


def test_columns_can_be_dropped():
    d = read(b"a,b,label\n1,2,p\n,3,q\n3,4,p\n", "t.csv", impute="drop columns")
    assert d.feature_names == ("b",)
    assert d.gaps is None


def test_what_leaves_no_row_or_column_or_one_class_is_refused():
    with pytest.raises(FileRefused, match="No column would be left"):
        table(impute="drop columns")
    with pytest.raises(FileRefused, match="rows would be left"):
        read(b"a,b,label\n1,,p\n,3,q\n3,,p\n", "t.csv", impute="drop rows")
    with pytest.raises(FileRefused, match="Only class 'p' is left"):
        read(b"a,b,label\n1,1,p\n,3,q\n3,2,p\n", "t.csv", impute="drop rows")


def test_filled_cells_are_remembered():
    d = table(impute="fill")
    assert d.gaps.sum() == 3
    assert d.X[1, 0] == np.median([1, 3, 4, 5, 6])
    assert np.isnan(d.raw[1, 0])
    assert np.isfinite(d.X).all()
    # x occurs three times and y twice: the median of 0, 1, 0, 1, 0 is that of the commoner text
    assert d.X[3, 2] == 0.0
    assert d.take([0, 1]).gaps.sum() == 1
    assert d.select([1]).gaps.sum() == 1
    assert d.digest() != d.replace(gaps=None).digest()
    assert d.replace(X=d.X + 1).raw[0, 0] == 2


def test_the_fill_is_the_median_of_the_training_part():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    gaps = rng.random((40, 3)) < 0.2
    d = Dataset("holes", np.where(gaps, 99.0, X), np.arange(40) % 2, ("a", "b"), gaps=gaps)
    train = np.arange(0, 40, 2)
    fitted = Chain().for_data(d).fit(d.take(train))
    expected = np.nanmedian(np.where(gaps, np.nan, X)[train], axis=0)
    np.testing.assert_allclose(fitted.steps[0].value, expected)
    np.testing.assert_array_equal(
        fitted.map(d.raw),
        np.where(gaps, expected, X),  # test rows are filled from the same part
    )


def test_evaluation_does_not_look_at_what_stands_in_the_gaps():
    """Whatever was written there for now, the errors of a cross-validation are the same."""
    rng = np.random.default_rng(1)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 4)) + y[:, None]
    gaps = rng.random((60, 4)) < 0.3
    spec = FAMILIES["RF"].replace(n_tree=10)
    posteriors = []
    for value in (0.0, 1e6):
        # a value that tells the class would be a leak
        d = Dataset("g", np.where(gaps, value * y[:, None], X), y, ("a", "b"), gaps=gaps)
        posteriors.append(evaluate(spec, d, Protocol("k-fold", folds=4), trees=False).posterior)
    np.testing.assert_array_equal(*posteriors)


def test_a_model_fills_new_rows_as_in_training(tmp_path):
    rng = np.random.default_rng(2)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 3)) + 2 * y[:, None]
    gaps = rng.random((60, 3)) < 0.2
    d = Dataset("g", np.where(gaps, 0.0, X), y, ("a", "b"), gaps=gaps)
    model = FittedModel.fit(FAMILIES["RF"].replace(n_tree=20), d)
    model.save(tmp_path / "m.npz")
    rows = np.array([[np.nan, 2.0, 2.5], [0.0, np.nan, np.nan]])
    filled = np.where(np.isnan(rows), model.chain.steps[0].value, rows)
    found = FittedModel.load(tmp_path / "m.npz").judge(rows)
    np.testing.assert_array_equal(
        found.to_frame().iloc[:, 1:], model.judge(filled).to_frame().iloc[:, 1:]
    )


def test_a_feature_without_a_known_value_becomes_constant():
    gaps = np.zeros((4, 2), bool)
    gaps[:, 1] = True
    d = Dataset("e", np.ones((4, 2)), [0, 1, 0, 1], ("a", "b"), gaps=gaps)
    assert (Fill().fitted(d).map(d.raw)[:, 1] == 0).all()


def test_gaps_must_have_the_shape_of_the_data():
    with pytest.raises(ValueError, match="must be marked in a table"):
        Dataset("e", np.ones((4, 2)), [0, 1, 0, 1], ("a", "b"), gaps=np.zeros((4, 3), bool))
