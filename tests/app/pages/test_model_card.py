"""The head of a model's card says where a forest mixes units."""

from types import SimpleNamespace

import numpy as np
import pytest

from explorer.app.pages.model_card import Card
from explorer.engine import FAMILIES


@pytest.mark.parametrize(("family", "says"), [("RR-RF", True), ("F-RC", True), ("RF", False)])
@pytest.mark.parametrize("unlike", [True, False])
def test_the_head_says_where_units_are_mixed(family: str, says: bool, unlike: bool) -> None:
    X = np.random.default_rng(0).normal(size=(30, 2)) * [1.0, 1e4 if unlike else 1.0]
    card = Card.__new__(Card)  # the head alone, without its map
    card.index, card.model_name, card._spec = 0, family, FAMILIES[family]
    card.data = SimpleNamespace(X=X, feature_names=("height", "salary"))  # type: ignore[assignment]
    card.title = SimpleNamespace(object="")
    card._write_title("500 trees")
    assert ("mixes units" in card.title.object) == (says and unlike)
    assert ("salary outweighs height" in card.title.object) == (says and unlike)
