import pytest

from explorer.app.state.visitor import (
    MOST_MODELS,
    PAINT,
    DataState,
    ModelsState,
    ModelState,
    State,
    painted,
)
from explorer.data import catalogue
from explorer.engine import FAMILIES


def test_the_first_screen_is_two_thin_clouds_under_two_forests_of_a_hundred_trees():
    state = State()
    data = state.data.recipe().load()
    assert (data.name, data.n_samples) == ("clouds", 100)
    specs = [m.spec(2) for m in state.models.models]
    assert [(s.split, s.n_tree, s.m_try) for s in specs] == [("axis", 100, 2), ("ridge", 100, 2)]


@pytest.mark.parametrize("value", [float("nan"), 1e9, "x", None, float("inf")])
def test_a_data_knob_takes_only_what_the_catalogue_allows(value):
    data = DataState()
    with pytest.raises(ValueError, match="angle"):
        data.turn_knob("angle", value)
    assert data.knobs == {}


@pytest.mark.parametrize("value", [0, -1, 1.5, "many", float("nan"), 10**9])
def test_a_model_knob_takes_only_what_a_spec_allows(value):
    model = ModelState()
    with pytest.raises((ValueError, TypeError)):
        model.turn_knob("n_tree", value)
    assert model.knobs == {}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_can_be_a_card(family):
    model = ModelState()
    model.choose(family)
    assert model.spec(2).split == FAMILIES[family].split


@pytest.mark.parametrize("name", list(catalogue()))
def test_every_data_set_can_be_chosen(name):
    data = DataState()
    data.choose(name)
    assert data.recipe().name == name


def test_choosing_other_data_forgets_the_knobs_of_the_old():
    data = DataState()
    data.turn_knob("angle", 10)
    data.choose("moons")
    assert data.knobs == {}


def test_an_m_try_beyond_the_features_is_taken_as_all_of_them():
    model = ModelState()
    model.turn_knob("m_try", 50)
    assert model.spec(3).m_try == 3


def test_there_are_never_more_than_six_models_nor_less_than_one():
    models = ModelsState()
    while len(models.models) < MOST_MODELS:
        models.add("RF")
    with pytest.raises(ValueError, match="Six"):
        models.add("RF")
    for _ in range(MOST_MODELS - 1):
        models.remove(0)
    with pytest.raises(ValueError, match="must stay"):
        models.remove(0)


def test_linked_models_turn_a_knob_together_where_they_have_it():
    models = ModelsState()
    models.add("F-RC")
    models.linked = True
    models.turn_knob(0, "m_try", 1)
    assert [m.spec(2).m_try for m in models.models] == [1, 1, None]


def test_two_sessions_do_not_share_their_state():
    one, two = State(), State()
    one.models.models[0].turn_knob("n_tree", 7)
    one.data.turn_knob("angle", 3)
    assert two.models.models[0].spec().n_tree == 100
    assert two.data.knobs == {}


def test_painted_points_of_one_class_are_refused_in_words():
    with pytest.raises(ValueError, match="second class"):
        painted(((0.0, 0.0, 1), (1.0, 0.0, 1)))


def test_a_painted_class_keeps_its_colour_when_a_lower_one_is_empty():
    data = painted(((0.0, 0.0, 0), (1.0, 0.0, 2)))
    assert data.n_classes == 3
    assert data.y.tolist() == [0, 2]


def test_a_recipe_is_a_key():
    assert hash(State().data.recipe()) == hash(State().data.recipe())
    data = DataState(source=PAINT, points=[(0.0, 1.0, 0)])
    assert hash(data.recipe())


def test_a_kept_spec_follows_the_family_and_the_knobs():
    model = ModelState(family="RF")
    first = model.spec(2)
    assert model.spec(2) is first
    assert model.spec(3) != first  # √P of three features, not both of two
    model.turn_knob("n_tree", 7)
    assert model.spec(2).n_tree == 7
    model.choose("oRF-ridge")
    assert model.spec(2) == ModelState(family="oRF-ridge", knobs={"n_tree": 7}).spec(2)
