"""Columns of words: refused with the remedy, or coded as asked."""

import numpy as np
import pandas as pd
import pytest

from explorer import ForestClassifier


def _table(n: int = 200, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    colour = rng.choice(["red", "green", "blue", "white"], n)
    size = rng.normal(size=n)
    y = np.where(np.isin(colour, ["red", "white"]) ^ (rng.random(n) < 0.05), "yes", "no")
    return pd.DataFrame({"size": size, "colour": pd.Categorical(colour)}), y


def test_words_are_refused_with_the_column_and_the_remedy() -> None:
    X, y = _table()
    with pytest.raises(ValueError, match=r"in column 'colour', which is not a number. Set categor"):
        ForestClassifier("RF").fit(X, y)
    with pytest.raises(ValueError, match="in column 1, which is not a number"):
        ForestClassifier("RF").fit(X.to_numpy(), y)


@pytest.mark.parametrize("way", ["onehot", "target"])
@pytest.mark.parametrize("kind", ["category", "str", "object"])
def test_words_are_coded_as_asked(way: str, kind: str) -> None:
    X, y = _table()
    X["colour"] = X["colour"].astype(kind)
    model = ForestClassifier("RF", n_estimators=20, categories=way, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.9
    assert model.n_features_in_ == 2
    assert model.feature_importances_.shape == (2,)
    assert model.feature_importances_[1] > 0.5
    assert model.forest_.n_features == (5 if way == "onehot" else 2)


def test_onehot_equals_pandas_dummies() -> None:
    X, y = _table()
    coded = pd.get_dummies(X, dtype=float)
    ours = ForestClassifier("oRF-lda", n_estimators=9, categories="onehot", random_state=0)
    plain = ForestClassifier("oRF-lda", n_estimators=9, random_state=0)
    np.testing.assert_array_equal(
        ours.fit(X, y).predict_proba(X), plain.fit(coded, y).predict_proba(coded)
    )


def test_target_order_follows_the_share_of_a_class() -> None:
    X, y = _table(1000)
    model = ForestClassifier("RF", n_estimators=2, categories="target").fit(X, y)
    column = model._coder.columns[1]
    share = pd.Series(y == "yes").groupby(X["colour"], observed=True).mean()
    places = pd.Series({name: column.places[at] for name, at in column.levels.items()})
    expected = share.rank().sort_index()
    order = places.rank().sort_index()
    assert (order == expected).all() or (order == 5 - expected).all()


@pytest.mark.parametrize("way", ["onehot", "target"])
def test_missing_is_a_level_and_unknown_levels_are_predicted(way: str) -> None:
    X, y = _table()
    X["colour"] = X["colour"].astype(object)
    X.loc[:20, "colour"] = None
    model = ForestClassifier("RF", n_estimators=5, categories=way, random_state=0).fit(X, y)
    new = pd.DataFrame({"size": [0.0, 0.0], "colour": ["violet", None]})
    assert model.predict_proba(new).sum() == pytest.approx(2.0)


def test_an_unknown_way_is_an_error() -> None:
    with pytest.raises(ValueError, match="categories is 'drop'; choose one of refuse"):
        ForestClassifier(categories="drop").fit(*_table())


def test_numbers_written_as_objects_stay_numbers() -> None:
    X, y = _table()
    numbers = X[["size"]].astype(object)
    model = ForestClassifier("RF", n_estimators=3, random_state=0).fit(numbers, y)
    assert model._coder is None
