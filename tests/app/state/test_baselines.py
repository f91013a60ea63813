import threading
from unittest.mock import Mock

import numpy as np
import pytest

from explorer.app.sidebar.models_section import ModelBox
from explorer.app.state import link
from explorer.app.state.baselines import BASELINES, BaselineSpec, forests_of, left_out
from explorer.app.state.visitor import DataState, ModelsState, ModelState, State
from explorer.app.widgets import Style
from explorer.app.work import baseline_work
from explorer.app.work.cache import Cache
from explorer.app.work.evaluate_work import Contest, out_of_bag, with_rival
from explorer.app.work.map_work import pictures
from explorer.app.work.requests import MapRequest, Pictures, load_source
from explorer.baselines import BASELINES as RECIPES
from explorer.engine import FAMILIES


def ask(*models, data="clouds", **more):
    state = DataState()
    state.choose(data)
    more.setdefault("pixels", (40, 30))
    return MapRequest(state.recipe(), tuple(m.spec(2) for m in models), **more)


def all_of(request, cache=None, tell=lambda i, words: None):
    made = pictures(request, Cache() if cache is None else cache, threading.Event(), tell)
    return [shown for shown in made if isinstance(shown, Pictures)]


KNN = ModelState(family="knn", knobs={"neighbours": 5})
RF = ModelState(family="RF", knobs={"n_tree": 10})


def test_the_app_and_the_package_know_the_same_baselines():
    assert set(BASELINES) == set(RECIPES)


def test_a_baseline_is_drawn_as_scikit_learn_says_and_has_no_trees():
    shown = all_of(ask(RF, KNN))[-1]
    record, data = shown.records[1], shown.source.data
    model = BaselineSpec("knn", neighbours=5).fit(data.X, data.y)
    expected = model.posterior_on(shown.plane.plane, 40, 30)
    np.testing.assert_allclose(record.posterior, expected, atol=1e-6)
    assert (record.n_tree, record.nodes, record.oob_error) == (0, None, None)
    assert record.test_error is not None
    assert record.judged


def test_a_picture_that_would_take_too_long_stays_coarse_and_says_so(monkeypatch):
    monkeypatch.setattr(baseline_work, "LONGEST", 0.0)
    record = all_of(ask(KNN))[-1].records[0]
    assert "large pixels" in record.chosen
    assert record.judged


def test_forests_are_drawn_before_a_baseline_is_fitted():
    first = all_of(ask(RF, KNN))[0]
    assert first.records[0] is not None
    assert first.records[1] is None


def test_a_second_session_costs_no_fit():
    cache = Cache()
    one = all_of(ask(RF, KNN), cache)[-1]
    two = all_of(ask(RF, KNN), cache)[-1]
    assert one.records[1] is two.records[1]


def test_a_knob_that_cannot_be_is_said_on_its_card_and_the_others_stay():
    said = {}
    many = ModelState(family="knn", knobs={"neighbours": 400})
    shown = all_of(ask(RF, many), tell=said.__setitem__)[-1]
    assert "400 neighbours" in said[1]
    assert shown.records[0] is not None


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "svm", "neighbours": 3},
        {"name": "svm", "cost": -1.0},
        {"name": "knn", "neighbours": 1.5},
        {"name": "knn", "neighbours": 100_000},
        {"name": "perceptron"},
        {"name": "svm", "cost": float("nan")},
    ],
)
def test_a_baseline_that_cannot_be_is_refused(wrong):
    with pytest.raises(ValueError, match=r"\w+"):
        BaselineSpec(**wrong)


def test_a_baseline_travels_in_the_link():
    state = State()
    state.models.models = [RF, ModelState(family="svm", knobs={"cost": 10.0})]
    again = State()
    assert link.read(link.write(state), again) == []
    assert again.models.models[1].spec() == BaselineSpec("svm", cost=10.0)


def test_a_hostile_knob_of_a_baseline_falls_back_with_a_notice():
    state = State()
    assert link.read("model=svm~cost:-5~n_tree:3~split:axis", state)
    assert state.models.models[0].spec() == BaselineSpec("svm")


def test_linked_knobs_move_only_on_cards_that_have_them():
    models = ModelsState(models=[ModelState(), ModelState(family="svm")], linked=True)
    models.turn_knob(0, "n_tree", 7)
    assert models.models[0].spec().n_tree == 7
    assert models.models[1].spec() == BaselineSpec("svm")
    assert models.most_trees() == 7
    models.models = models.models[1:]
    assert models.most_trees() == 0


def test_pages_that_look_into_trees_leave_baselines_out_with_a_sentence():
    specs = (FAMILIES["RF"], BaselineSpec("svm"), FAMILIES["oRF-ridge"])
    assert forests_of(specs) == (FAMILIES["RF"], FAMILIES["oRF-ridge"])
    assert left_out(specs, "ABC") == "B svm has no trees and is left out."
    assert left_out(specs[:1], "A") == ""


def test_out_of_bag_a_baseline_has_a_sentence_and_a_verdict_takes_it_along():
    source = load_source(DataState().recipe(), Cache())
    contest = Contest(source, ("A knn", "B RF"), (KNN.spec(), RF.spec(2)))
    *_, found = (r for r in out_of_bag(contest, Cache(), threading.Event()) if r is not None)
    assert "no trees" in found.faults[0]
    assert found.evaluations[1] is not None
    names, _, places = with_rival(contest)
    assert names[0] == "B RF"
    assert places == [1, 0]


def test_a_stale_fit_ends_when_it_is_told_to():
    cancel, said = threading.Event(), []

    def tell(i, words):
        said.append(words)
        cancel.set()

    model = ModelState(family="adaboost")
    made = list(pictures(ask(model), Cache(), cancel, tell))
    assert "Fitting adaboost" in said[0]
    assert all(p.records == (None,) for p in made if isinstance(p, Pictures))


def test_the_family_list_has_baselines_in_a_group_of_their_own():
    session = Mock(state=State(), n_features=2)
    session.state.models.models[1].choose("svm")
    box = ModelBox(session, Style())
    box.build()
    family = box.view[1][0][1]
    assert list(family.groups) == ["Forests", "Baselines"]
    assert family.groups["Baselines"] == list(BASELINES)
    width, cost = box.view[2][1:]
    assert (width.label, cost.label) == ("Kernel width", "Cost, C")
    assert cost.value == ""
    cost.value = 10.0
    session.guarded.assert_called_with(session.models.turn, 1, "cost", 10.0)
    cost.value = ""
    session.guarded.assert_called_with(session.models.turn, 1, "cost", None)
