import dataclasses

import numpy as np
import pytest

from explorer.analysis import Protocol, evaluate
from explorer.analysis.record import plain
from explorer.data import load
from explorer.engine import FAMILIES
from explorer.studies import Local, Plan
from explorer.studies.running import run_units
from explorer.studies.trials import Trials, recipe, spec_row, thinned

PROTOCOL = Protocol("k-fold", folds=3, repeats=2, seed=4)
MODELS = {"RF": {"family": "RF", "n_tree": 7}, "knn": {"baseline": "knn"}}


def _run(trials: Trials):
    plan = Plan(tuple(trials.units()), trials.all_data())
    return trials.evaluations(run_units(plan, Local(0)))


@pytest.mark.parametrize("block", [1, 4, 6])
def test_units_of_any_size_give_what_evaluate_gives(block: int) -> None:
    data = load("iris")
    trials = Trials(MODELS, {"iris": data}, PROTOCOL, block=block, trees=True)
    for found in _run(trials):
        whole = evaluate(recipe(MODELS[found.model]), data, PROTOCOL)
        for field in dataclasses.fields(whole):
            if field.name not in ("fit_seconds",):
                ours, theirs = getattr(found, field.name), getattr(whole, field.name)
                assert plain(ours) == plain(theirs), field.name


def test_a_test_set_of_its_own_is_used() -> None:
    train, test = load("iris").split(0.4, 1)
    trials = Trials(MODELS, {"iris": train}, Protocol(repeats=2), {"iris": test})
    found = _run(trials)[0]
    whole = evaluate(recipe(MODELS["RF"]), train, Protocol(repeats=2), test=test)
    assert found.error == whole.error
    assert found.protocol == whole.protocol == "a test set of its own, 2 times"


def test_the_number_of_trees_can_be_tuned() -> None:
    data = load("iris")
    model = recipe({"family": "RF", "trees": [5, 40, 10]}).fit(data.X, data.y, seed=3)
    assert model.n_tree in (5, 10, 40)
    assert model.spec.seed == 3


def test_recipes_are_written_down_with_every_knob() -> None:
    assert spec_row({"family": "RF", "n_tree": 5}) == FAMILIES["RF"].replace(n_tree=5).to_dict()
    assert spec_row({"baseline": "svm-linear", "cost": 10.0})["cost"] == 10.0
    assert spec_row({"family": "RF", "trees": [5, 10]})["n_tree"] == [5, 10]


def test_thinning_keeps_classes_in_their_shares() -> None:
    data = load("iris")
    small = thinned(data, 60)
    assert small.n_samples == 60
    np.testing.assert_array_equal(np.bincount(small.y), [20, 20, 20])
    assert thinned(data, 150) is data


def test_a_run_of_more_repeats_goes_on_with_the_units_of_a_shorter_one() -> None:
    short, long = (
        Trials(MODELS, {"iris": load("iris")}, Protocol(folds=3, repeats=repeats), block=3)
        for repeats in (1, 3)
    )
    assert {u.key: u.arguments for u in short.units()}.items() <= {
        u.key: u.arguments for u in long.units()
    }.items()
