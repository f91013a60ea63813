"""What the lessons say is true: each answer is checked by growing the forests of its own step."""

import threading
from functools import cache

import numpy as np
import pytest

from explorer import analysis
from explorer.analysis.proximity_picture import turned_places
from explorer.app import link
from explorer.app.cache import Cache
from explorer.app.insight import Look, nearness
from explorer.app.lesson_shelf import BUNDLED, Shelf
from explorer.app.node_work import POWERS, penalty
from explorer.app.state import State
from explorer.app.viewport import FIRST_PIXELS
from explorer.app.work import MapRequest, Pictures, load_source, pictures
from explorer.data import load

LESSONS = Shelf().lessons
CACHE = Cache()


def last(steps, kind=object):
    found = [value for value in steps if isinstance(value, kind)]
    return found[-1]


@cache
def state_at(name, step):
    state = State()
    assert link.read(LESSONS[name].steps[step - 1].query, state) == []
    return state


@cache
def seen(query):
    """The records of the cards of a state, as the app makes them."""
    state = State()
    assert link.read(query, state) == []
    source = load_source(state.data.recipe(), CACHE)
    specs = tuple(m.spec(source.data.n_features) for m in state.models.models)
    pixels = FIRST_PIXELS if source.data.n_features == 2 else (60, 50)  # as they are seen
    request = MapRequest(state.data.recipe(), specs, state.view.trees, pixels=pixels)
    return last(pictures(request, CACHE, threading.Event()), Pictures).records


def step(name, number):
    return seen(LESSONS[name].steps[number - 1].query)


def oob(records):
    return [r.oob_error for r in records]


def test(records):
    return [r.test_error for r in records]


test.__test__ = False  # a number on the cards, not a test


def near(name, number):
    state = state_at(name, number)
    source = load_source(state.data.recipe(), CACHE)
    specs = tuple(m.spec(source.data.n_features) for m in state.models.models)
    made = last(nearness(Look(source, specs), CACHE, threading.Event()))
    return source.data, made


def stairs_turned():
    flat, turned = (step("stairs-and-slopes", n) for n in (1, 2))
    assert {r.words for r in flat} == {"one straight boundary"}
    assert [r.words for r in turned][1] == "one straight boundary"
    assert "stairs" in turned[0].words
    assert turned[0].oob_error > 3 * flat[0].oob_error
    assert turned[0].test_error > 3 * flat[0].test_error
    assert max(oob(flat)) < 0.07
    assert turned[1].oob_error < 0.07
    assert turned[0].nodes > 3 * turned[1].nodes


def stairs_with_many_trees():
    few, many = (step("stairs-and-slopes", n) for n in (2, 4))
    assert abs(few[0].oob_error - many[0].oob_error) < 0.05
    assert many[0].oob_error > 2.5 * many[1].oob_error


def a_vote_is_softer():
    one, forest = step("one-tree-many-trees", 2)
    assert set(np.unique(one.posterior)) <= {0.0, 1.0}
    sure = forest.posterior.max(axis=2)
    assert (sure < 0.9).mean() > 0.2
    assert forest.test_error < one.test_error
    assert forest.hellinger < 0.5 * one.hellinger
    assert forest.oob_error < one.oob_error


def a_thousand_trees_change_little():
    hundred, thousand = step("one-tree-many-trees", 4)
    assert abs(hundred.oob_error - thousand.oob_error) < 0.02
    assert abs(hundred.test_error - thousand.test_error) < 0.02


def ridge_ends_at_pls():
    found = analysis.directions(
        load("clouds"),
        None,
        (0, 1),
        kinds=("lda", "pca", "pls", "ridge"),
        lambdas=[penalty(p) for p in POWERS],
    )
    lda, pca, pls = (found.kind.index(k) for k in ("lda", "pca", "pls"))
    ridge = [i for i, kind in enumerate(found.kind) if kind == "ridge"]
    assert found.angle(ridge[0], lda) < 1
    assert found.angle(ridge[-1], pls) < 1
    assert found.angle(pls, lda) > 15  # it can be seen
    assert found.angle(ridge[-1], pca) < found.angle(ridge[0], pca) - 15  # towards PCA
    assert found.angle(ridge[-1], pca) > 30  # but not there
    tiny, huge, chosen = step("why-ridge", 3)
    assert tiny.oob_error < 0.7 * huge.oob_error
    assert chosen.oob_error <= tiny.oob_error + 0.01


def few_samples_want_a_penalty():
    tiny, huge = step("why-ridge", 4)
    assert huge.test_error < 0.7 * tiny.test_error


def parity_wants_sparse_cuts():
    sparse, dense = step("sparse-or-dense", 2)
    assert sparse.oob_error < 0.6 * dense.oob_error
    assert sparse.test_error < 0.6 * dense.test_error


def trunk_wants_dense_cuts():
    sparse, dense = step("sparse-or-dense", 3)
    assert dense.oob_error < 0.8 * sparse.oob_error
    assert dense.test_error < 0.6 * sparse.test_error


def only_frc_heeds_units():
    before, after = (step("units-matter", n) for n in (1, 2))
    for unmoved in (0, 2):
        assert after[unmoved].oob_error == before[unmoved].oob_error
    assert after[1].oob_error > 2 * before[1].oob_error


def ridge_does_not_heed_units():
    new = step("units-matter", 4)[1]
    old = seen("model=oRF-ridge")[0]
    assert new.oob_error == pytest.approx(old.oob_error, abs=0.011)
    scaled = seen(LESSONS["units-matter"].steps[4].query.replace("FRANK", "FRANK~scaling%3Anone"))
    assert scaled[1].oob_error > 2 * step("units-matter", 5)[1].oob_error


def broken_numbers_hurt_sums_more():
    clean, broken = (step("broken-sensors", n) for n in (1, 2))
    assert max(oob(clean)) < 0.04
    assert broken[1].oob_error > 1.5 * broken[0].oob_error
    rf, ridge, frank = oob(step("broken-sensors", 4))
    assert rf < frank < ridge


def offsets_blind_rf_only():
    before, after = (step("spectra-what-rf-cannot-see", n) for n in (1, 2))
    assert after[0].oob_error > 0.4
    assert abs(after[1].oob_error - before[1].oob_error) < 0.05
    assert after[1].oob_error < 0.15


def meat_needs_differences():
    rf, ridge = oob(step("spectra-what-rf-cannot-see", 4))
    assert ridge < 0.3 * rf


def errors_lie_between_the_groups():
    data, made = near("who-is-like-whom", 2)
    for votes, place in zip(made.votes, turned_places(made.models, (0, 1)), strict=True):
        centres = np.array([place.xy[data.y == k].mean(axis=0) for k in (0, 1)])
        away = np.linalg.norm(place.xy[:, None] - centres[None], axis=2)
        side = np.abs(away[:, 0] - away[:, 1]) / away.sum(axis=1)  # 0 half-way, 1 at a centre
        half_way = side < 0.5 * np.median(side[~votes.wrong])
        assert half_way[votes.wrong].mean() > 0.6


def meat_stands_apart_in_ridge_alone():
    data, made = near("who-is-like-whom", 4)
    same = (data.y[:, None] == data.y[None]) & ~np.eye(data.n_samples, dtype=bool)
    within = [float(np.nanmean(np.asarray(m.proximity)[same])) for m in made.models]
    assert within[1] > 0.8
    assert within[0] < 0.3


CLAIMS = {
    ("stairs-and-slopes", 2): stairs_turned,
    ("stairs-and-slopes", 4): stairs_with_many_trees,
    ("one-tree-many-trees", 2): a_vote_is_softer,
    ("one-tree-many-trees", 4): a_thousand_trees_change_little,
    ("why-ridge", 2): ridge_ends_at_pls,
    ("why-ridge", 4): few_samples_want_a_penalty,
    ("sparse-or-dense", 2): parity_wants_sparse_cuts,
    ("sparse-or-dense", 3): trunk_wants_dense_cuts,
    ("units-matter", 2): only_frc_heeds_units,
    ("units-matter", 4): ridge_does_not_heed_units,
    ("broken-sensors", 2): broken_numbers_hurt_sums_more,
    ("broken-sensors", 4): broken_numbers_hurt_sums_more,
    ("spectra-what-rf-cannot-see", 2): offsets_blind_rf_only,
    ("spectra-what-rf-cannot-see", 4): meat_needs_differences,
    ("who-is-like-whom", 2): errors_lie_between_the_groups,
    ("who-is-like-whom", 4): meat_stands_apart_in_ridge_alone,
}
PREDICTIONS = [
    (name, i)
    for name, lesson in LESSONS.items()
    for i, one in enumerate(lesson.steps, 1)
    if one.kind == "predict"
]


def test_every_file_of_a_lesson_of_ours_is_read():
    assert {p.stem for p in BUNDLED.glob("*.md")} == set(LESSONS)


def test_every_prediction_of_ours_has_a_claim_that_is_checked():
    assert set(CLAIMS) == set(PREDICTIONS)


@pytest.mark.parametrize("place", CLAIMS, ids=lambda place: f"{place[0]}-{place[1]}")
def test_the_answer_of_a_lesson_is_what_the_forests_do(place):
    CLAIMS[place]()


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_of_ours_has_the_rhythm_and_few_words(name):
    lesson = LESSONS[name]
    kinds = [s.kind for s in lesson.steps]
    assert kinds[0] == "see"
    assert "predict" in kinds
    assert "explain" in kinds
    assert kinds[-1] == "turn"
    for one in lesson.steps:
        assert len(one.text.split()) <= 40
        assert len(one.look.split()) <= 18
        assert one.look
        assert "!" not in one.text + one.look
    for word in ("Works", "Fails", "Why"):
        assert f"**{word}:**" in lesson.end
