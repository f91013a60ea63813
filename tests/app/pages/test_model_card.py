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


@pytest.mark.parametrize(("nodes", "marked"), [((2.9, 3.1), False), ((2.9, 3.9), True)])
def test_no_dot_stands_between_two_equal_numbers(nodes, marked) -> None:
    records = tuple(
        SimpleNamespace(
            oob_error=0.1, n_tree=9, judged=False, nodes=n, seconds=0.1, trees=9, words=""
        )
        for n in nodes
    )
    pictures = SimpleNamespace(
        records=records,
        wins=lambda name, index: name == "nodes" and index == 0,
        ties=lambda name, index: False,
    )
    card = Card.__new__(Card)
    card.index, card.judged = 0, None
    html = card._numbers_html(records[0], pictures)
    assert ('<span class="best">3</span>' in html) == marked
