from dataclasses import replace

import numpy as np

from explorer.app.state.plane_choice import PlaneRecipe
from explorer.app.state.visitor import DataRecipe
from explorer.app.work.cache import Cache
from explorer.app.work.requests import load_source, plane_at_first


def test_a_recipe_is_loaded_once_and_names_its_data_by_content():
    cache = Cache()
    one, two = (load_source(DataRecipe("moons"), cache) for _ in range(2))
    assert one is two
    other = load_source(replace(DataRecipe("moons"), knobs=(("n", 50),)), cache)
    assert other.digest != one.digest
    assert other.data.n_samples == 50


def test_the_plain_data_under_a_transform_are_shared():
    cache = Cache()
    plain = load_source(DataRecipe("moons"), cache)
    turned = load_source(
        replace(DataRecipe("moons"), transform="turn", transform_knobs=(("angle", 90.0),)), cache
    )
    np.testing.assert_allclose(
        np.linalg.norm(turned.data.X - turned.data.X.mean(0), axis=1),
        np.linalg.norm(plain.data.X - plain.data.X.mean(0), axis=1),
        atol=1e-9,
    )


def test_data_of_many_features_are_first_seen_on_a_plane_that_separates_classes():
    cache = Cache()
    recipe = plane_at_first(DataRecipe("iris"), cache)
    assert isinstance(recipe, PlaneRecipe)
    assert plane_at_first(DataRecipe("iris"), cache) == recipe


def test_pictures_know_winners_ties_and_whether_they_are_finished(shown):
    pictures = shown.latest
    assert pictures.finished
    assert pictures.judged
    lone = replace(pictures, best={"oob": frozenset({1}), "test": frozenset({0, 1})})
    assert lone.wins("oob", 1)
    assert not lone.wins("oob", 0)
    assert lone.ties("test", 0)
    assert not lone.ties("oob", 1)
    assert not replace(pictures, done=0).finished
