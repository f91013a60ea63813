from explorer.app.pages.model_text import ALL, facts, subtitle
from explorer.app.state.visitor import ModelState
from explorer.engine import FAMILIES


def specs(*models):
    return [ModelState(family=f, knobs=k).spec(4) for f, k in models]


def test_what_differs_comes_first_and_what_is_common_can_be_hidden():
    found = specs(("RF", {"n_tree": 10}), ("oRF-ridge", {"n_tree": 20}))
    told, hidden = subtitle(found, 0, 4).split('<span class="trees">')
    assert "10 trees" in told
    assert "m_try" in hidden


def test_forests_of_one_kind_differ_by_their_seed():
    found = specs(("RF", {"seed": 1}), ("RF", {"seed": 2}))
    assert subtitle(found, 1, 4).startswith("seed 2")


def test_a_baseline_is_described_in_words():
    assert subtitle(specs(("knn", {}), ("RF", {})), 0, 4)


def test_penalties_are_one_value_as_a_power_of_ten_or_chosen_at_each_node():
    spec = FAMILIES["oRF-ridge"]
    assert facts(spec, 4)["lambdas"] == ALL
    assert "10<sup>−3</sup>" in facts(spec.replace(lambdas=(1e-3,)), 4)["lambdas"]
    assert facts(spec.replace(lambdas=(0.5,)), 4)["lambdas"].endswith("0.5")


def test_one_tree_is_not_many():
    assert facts(FAMILIES["RF"].replace(n_tree=1), 4)["n_tree"] == "1 tree"
