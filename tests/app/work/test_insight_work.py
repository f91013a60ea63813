import threading

import pytest

from explorer.app.state.visitor import DataRecipe
from explorer.app.work import insight_work
from explorer.app.work.cache import Cache
from explorer.app.work.insight_work import (
    ForestQuestion,
    Importances,
    Nearness,
    ProgressText,
    importances,
    nearness,
    pair,
)
from explorer.app.work.requests import load_source
from explorer.engine import FAMILIES

SPECS = tuple(FAMILIES[f].replace(n_tree=4) for f in ("oRF-ridge", "RF"))


@pytest.fixture
def cache():
    return Cache()


@pytest.fixture
def question(cache):
    return ForestQuestion(load_source(DataRecipe("iris"), cache), SPECS)


def last(steps):
    found = [step for step in steps if step is not None]
    assert all(isinstance(step, ProgressText) for step in found[:-1])
    return found[-1]


def test_a_straight_and_a_slanted_forest_are_compared(question, cache):
    made = last(importances(question, cache, threading.Event()))
    assert isinstance(made, Importances)
    assert (made.straight, made.slanted) == pair(SPECS) == (1, 0)
    assert len(made.models) == 2
    assert last(importances(question, cache, threading.Event())) is made


def test_proximity_comes_with_the_votes_for_every_sample(question, cache):
    made = last(nearness(question, cache, threading.Event()))
    assert isinstance(made, Nearness)
    assert made.votes[0].margin.size == question.source.data.n_samples


def test_permuting_too_much_is_refused_in_words(question, cache, monkeypatch):
    monkeypatch.setattr(insight_work, "LARGEST", 10)
    asked = ForestQuestion(question.source, SPECS, permute=True)
    with pytest.raises(ValueError, match="would take too long"):
        last(importances(asked, cache, threading.Event()))


def test_without_a_straight_forest_there_is_nothing_to_compare_with():
    assert pair(SPECS[:1]) == (None, 0)
    assert pair(SPECS[1:]) == (0, None)
