"""What the lessons say is true: every claim of every step is checked against its own state.

A claim is quoted from the lesson, and its check grows the forests of that step, with several seeds.
"""

import re

import numpy as np
import pytest

from app.lessons.reading import (
    LESSONS,
    PHONE,
    bend,
    claim_like,
    data_of,
    near,
    on_screen,
    query_of,
    seen,
    sentences,
    state_of,
)
from explorer import analysis
from explorer.analysis.band_importance import band_importance
from explorer.analysis.proximity_picture import turned_places
from explorer.analysis.tour import disagreement, tour_space
from explorer.analysis.tour_route import next_leg
from explorer.app.lessons.library import BUNDLED
from explorer.app.pages.proximity_text import remarkable
from explorer.app.work.node_work import POWERS, penalty
from explorer.data import load
from explorer.engine import grow

SEEDS = (0, 1, 2)
STAIRS, TREES, RIDGE, SPARSE = (
    "stairs-and-slopes",
    "one-tree-many-trees",
    "why-ridge",
    "sparse-or-dense",
)
UNITS, BROKEN, SPECTRA, LIKE = (
    "units-matter",
    "broken-sensors",
    "spectra-what-rf-cannot-see",
    "who-is-like-whom",
)
FOLDER = "from-a-folder-to-an-answer"
THIRTEEN = "thirteen-dimensions"
STRAIGHT, BENT = 0.015, 0.025  # of `bend`: straight below the first, not above the second


def at(name, step, seed=0):
    return seen(query_of(name, step), seed)


def oob(records):
    return [r.oob_error for r in records]


def fresh(records):
    return [r.test_error for r in records]


# ---- Stairs and slopes


def clouds_lie_flat(seed):
    data = data_of(STAIRS, 1)
    for k in (0, 1):
        spread = np.ptp(data.X[data.y == k], axis=0)
        assert spread[0] > 8 * spread[1]
    records = at(STAIRS, 1, seed)
    assert len(records) == 2
    assert max(bend(r) for r in records) < STRAIGHT
    assert max(oob(records)) < 0.07


def turning_makes_stairs(seed):
    flat, now = at(STAIRS, 1, seed), at(STAIRS, 2, seed)
    assert state_of(query_of(STAIRS, 2)).data.knob("angle") == 45
    before, after = data_of(STAIRS, 1).X, data_of(STAIRS, 2).X
    assert np.allclose(np.linalg.norm(before, axis=1), np.linalg.norm(after, axis=1))
    assert bend(now[0]) > BENT
    assert bend(now[1]) < STRAIGHT
    assert now[0].oob_error > 3 * flat[0].oob_error
    assert now[0].test_error > 3 * flat[0].test_error
    assert abs(now[1].oob_error - flat[1].oob_error) < 0.02
    assert now[0].oob_error > 3 * now[1].oob_error
    assert now[0].nodes > 3 * now[1].nodes


def many_trees_do_not_help(seed):
    few, many = at(STAIRS, 2, seed), at(STAIRS, 4, seed)
    assert [m.spec(2).n_tree for m in state_of(query_of(STAIRS, 4)).models.models] == [1000, 100]
    assert abs(few[0].oob_error - many[0].oob_error) < 0.05
    assert many[0].oob_error > 2.5 * many[1].oob_error
    assert bend(many[0]) > BENT


def angles_without_stairs(seed):
    query = query_of(STAIRS, 1)
    assert state_of(query).data.knob("angle") == 0
    by_angle = {a: seen(f"{query}&d.angle={a}".replace("d.angle=0&", ""), seed) for a in (90, 10)}
    assert bend(at(STAIRS, 1, seed)[0]) < STRAIGHT
    assert bend(by_angle[90][0]) < STRAIGHT
    assert bend(by_angle[10][0]) > 4 * bend(by_angle[10][1])
    assert by_angle[10][0].test_error > 1.3 * at(STAIRS, 1, seed)[0].test_error


# ---- One tree, many trees


def one_tree_makes_stripes(seed):
    one = at(TREES, 1, seed)[0]
    assert set(np.unique(one.posterior)) <= {0.0, 1.0}
    edges = one.posterior[:, [2, -3], 0]  # stripes run to the sides of the map
    assert seed or max(int((np.diff(edges[:, i]) != 0).sum()) for i in (0, 1)) >= 4
    data = data_of(TREES, 1)
    forest = _forest(TREES, 1, seed)
    inside = forest.bags()[0] > 0
    wrong = forest.predict(data.X) != data.y
    assert 0.55 < inside.mean() < 0.72
    assert not wrong[inside].any()
    assert wrong.any()


def a_vote_is_softer(seed):
    one, forest = at(TREES, 2, seed)
    assert forest.n_tree == 100
    assert set(np.unique(one.posterior)) <= {0.0, 1.0}
    assert (forest.posterior.max(axis=2) < 0.9).mean() > 0.2
    assert forest.test_error < one.test_error
    assert forest.hellinger < 0.6 * one.hellinger
    assert one.oob_error > forest.oob_error


def a_thousand_trees_change_little(seed):
    hundred, thousand = at(TREES, 4, seed)
    assert (hundred.n_tree, thousand.n_tree) == (100, 1000)
    assert abs(hundred.oob_error - thousand.oob_error) < 0.02
    assert abs(hundred.test_error - thousand.test_error) < 0.02
    alike = hundred.posterior.argmax(axis=2) == thousand.posterior.argmax(axis=2)
    assert alike.mean() > 0.9


def the_error_falls_and_stays(seed):
    few, thirty, all_of_them = (
        seen(query_of(TREES, 5), seed, trees)[0].oob_error for trees in (3, 30, 100)
    )
    assert few > all_of_them + 0.02
    assert abs(thirty - all_of_them) < 0.03


# ---- Why ridge


def ridge_ends_at_pls(seed):
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


def penalties_of(step):
    models = state_of(query_of(RIDGE, step)).models.models
    return [m.spec(2).lambdas for m in models]


def a_tiny_penalty_is_right_here(seed):
    assert penalties_of(3)[:2] == [(1e-5,), (1e5,)]
    assert len(penalties_of(3)[2]) > 1
    tiny, huge, chosen = at(RIDGE, 3, seed)
    assert tiny.oob_error < 0.7 * huge.oob_error
    assert abs(chosen.oob_error - tiny.oob_error) <= 0.02
    assert bend(tiny) < STRAIGHT
    assert bend(huge) > BENT


def few_samples_want_a_penalty(seed):
    data = data_of(RIDGE, 4)
    assert (data.n_features, data.n_samples) == (50, 60)
    assert penalties_of(4) == [(1e-5,), (1e5,)]
    tiny, huge = at(RIDGE, 4, seed)
    assert huge.test_error < 0.7 * tiny.test_error


def a_larger_penalty_bends_the_border(seed):
    assert penalties_of(5)[0] == (1e-5,)
    query = query_of(RIDGE, 5)
    assert "1e-05" in query
    small, large = (seen(query.replace("1e-05", v), seed)[0] for v in ("0.01", "1000.0"))
    assert bend(small) < STRAIGHT < bend(large)
    assert large.oob_error > small.oob_error + 0.02


# ---- Sparse or dense


def combined(step):
    return [m.spec(100).n_combine for m in state_of(query_of(SPARSE, step)).models.models]


def parity_wants_sparse_cuts(seed):
    data = data_of(SPARSE, 2)
    assert data.n_features == 20
    assert len(data.informative) == 2
    assert combined(2) == [2, 20]
    sparse, dense = at(SPARSE, 2, seed)
    assert sparse.oob_error < 0.6 * dense.oob_error
    assert sparse.test_error < 0.6 * dense.test_error
    signs = [(0.75, 0.75), (0.25, 0.25), (0.25, 0.75), (0.75, 0.25)]
    h, w = sparse.posterior.shape[:2]
    corners = [sparse.posterior[int(y * h), int(x * w)].argmax() for x, y in signs]
    assert corners[0] == corners[1] != corners[2] == corners[3]  # four corners in two colours
    pale = [float(r.posterior.max(axis=2).mean()) for r in (sparse, dense)]
    assert pale[1] < pale[0]


def trunk_wants_dense_cuts(seed):
    assert data_of(SPARSE, 3).n_features == 100
    assert combined(3) == [2, 20]
    sparse, dense = at(SPARSE, 3, seed)
    assert sparse.test_error > 2 * dense.test_error
    assert sparse.hellinger < dense.hellinger
    data = data_of(SPARSE, 3)
    means = np.abs(np.diff([data.X[data.y == k].mean(axis=0) for k in (0, 1)], axis=0)[0])
    assert means[0] > means[10:].max()
    assert means[:10].mean() > means[10:40].mean() > means[60:].mean()


def the_votes_of_dense_cuts_are_less_sure(seed):
    trunk_wants_dense_cuts(seed)
    sure = [_forest(SPARSE, 4, seed, i).oob_proba.max(axis=1).mean() for i in (0, 1)]
    assert sure[1] < sure[0]


def more_features_help_on_trunk(seed):
    assert combined(5) == [2, 20]
    query = query_of(SPARSE, 5)
    first = "model=F-RC&"
    assert first in query
    more = seen(query.replace(first, "model=F-RC~n_combine%3A10&"), seed)[0]
    assert more.test_error < 0.6 * at(SPARSE, 5, seed)[0].test_error


# ---- Units matter


def three_forests(seed):
    records = at(UNITS, 1, seed)
    assert len(records) == 3
    assert bend(records[0]) > BENT
    assert max(bend(r) for r in records[1:]) < STRAIGHT
    specs = [m.spec(2) for m in state_of(query_of(UNITS, 1)).models.models]
    assert [s.n_combine for s in specs] == [None, 2, 2]
    assert [s.scaling for s in specs] == ["none", "none", "rank"]


def only_frc_heeds_units(seed):
    before, after = at(UNITS, 1, seed), at(UNITS, 2, seed)
    spread = np.ptp(data_of(UNITS, 2).X, axis=0)
    assert spread[1] > 5 * spread[0]
    assert (data_of(UNITS, 2).X[:, 0].argsort() == data_of(UNITS, 1).X[:, 0].argsort()).all()
    window = after[0].window
    assert window.width < 2 * spread[0]  # the map is stretched: points fill it both ways
    assert window.height < 2 * spread[1]
    for unmoved in (0, 2):
        assert after[unmoved].oob_error == before[unmoved].oob_error
    assert after[1].oob_error > 2 * before[1].oob_error


def ridge_does_not_heed_units(seed):
    new = at(UNITS, 4, seed)[1]
    assert new.oob_error < 0.5 * at(UNITS, 2, seed)[1].oob_error


def no_scaling_is_the_worst(seed):
    query = query_of(UNITS, 5)
    errors = {
        s: seen(query.replace("FRANK", f"FRANK~scaling%3A{s}"), seed)[1].oob_error
        for s in ("rank", "percentile", "zscore", "none")
    }
    none = errors.pop("none")
    assert none > 2 * max(errors.values())


# ---- Broken sensors


def wines_are_named(seed):
    data = data_of(BROKEN, 1)
    assert (data.n_samples, data.n_features, data.n_classes) == (178, 13, 3)
    assert max(oob(at(BROKEN, 1, seed))) < 0.05


def broken_numbers_hurt_sums_more(seed):
    knobs = dict(state_of(query_of(BROKEN, 2)).data.recipe().transform_knobs)
    assert knobs["share"] == 0.3
    changed = data_of(BROKEN, 2).X / data_of(BROKEN, 1).X
    broken = np.abs(changed) > 50
    assert 0.25 < broken.mean() < 0.35
    assert np.abs(changed[broken]).max() < 2e5
    rf, ridge = oob(at(BROKEN, 2, seed))
    assert ridge > 2 * rf


def ranks_lie_between(seed):
    rf, ridge, frank = oob(at(BROKEN, 4, seed))
    assert rf < frank < ridge


def shares_part_the_curves(seed):
    wines_are_named(seed)
    broken_numbers_hurt_sums_more(seed)


# ---- A forest in thirteen dimensions


def places_of(step):
    """Where the wines lie on the plane of a step, and its frame."""
    data = data_of(THIRTEEN, step)
    space = tour_space(data)
    frame = state_of(query_of(THIRTEEN, step)).view.recipe().within(data).directions(data, space)
    return data, space.coordinates(data.X) @ frame, frame


def among_others(data, places):
    """Share of samples whose five nearest neighbours on the plane are mostly of other classes."""
    away = np.linalg.norm(places[:, None] - places[None], axis=2)
    np.fill_diagonal(away, np.inf)
    near = data.y[np.argsort(away, axis=1)[:, :5]]
    return ((near == data.y[:, None]).sum(axis=1) <= 2).mean()


def growers_lie_apart(seed):
    data, places, _ = places_of(1)
    assert (data.n_samples, data.n_features, data.n_classes) == (178, 13, 3)
    assert among_others(data, places) < 0.03


def another_view_hides_them(seed):
    data, places, _ = places_of(2)
    assert among_others(data, places) > 0.3
    assert oob(at(THIRTEEN, 1, seed)) == oob(at(THIRTEEN, 2, seed))


def long_spokes_tell_growers_apart(seed):
    data, _, frame = places_of(3)
    length = np.hypot(*frame.T)
    told = analysis.class_separation(data)
    longest, shortest = np.argsort(-length)[:5], np.argsort(length)[:5]
    assert told[longest].mean() > 2 * told[shortest].mean()
    growers_lie_apart(seed)


def forests_disagree_where_no_wine_is(seed):
    data, _, frame = places_of(4)
    space = tour_space(data)
    specs = [m.spec(13) for m in state_of(query_of(THIRTEEN, 4), seed).models.models]
    a, b = (grow(spec, data.X, data.y) for spec in specs)
    index = disagreement(space, a, b)
    before = now = index(frame)
    for k in range(8):
        leg = next_leg(space, frame, index, seed=k)
        if leg.way is None:
            break
        frame, now = leg.way.at(1), leg.index
    assert now > 1.3 * before
    on_samples = analysis.hellinger(a.predict_proba(data.X), b.predict_proba(data.X)).mean()
    assert now > on_samples


# ---- Spectra


def means_almost_coincide(seed):
    data = data_of(SPECTRA, 1)
    assert (data.n_samples, data.n_classes) == (120, 2)
    means = np.array([data.X[data.y == k].mean(axis=0) for k in (0, 1)])
    assert np.abs(means[0] - means[1]).max() < 0.2 * np.ptp(means)
    assert data.informative is not None


def offsets_blind_rf_only(seed):
    before, after = at(SPECTRA, 1, seed), at(SPECTRA, 2, seed)
    assert 0.4 < after[0].oob_error < 0.6
    assert after[1].oob_error < before[1].oob_error + 0.05  # the offset does B no harm
    assert after[1].oob_error < 0.15


def weights_have_both_signs(seed):
    forest = _forest(SPECTRA, 3, seed, 1)
    root = forest.tree(0).nodes[0]
    weights = np.asarray(root.weights)
    assert weights.min() < 0 < weights.max()


def meat_needs_differences(seed):
    assert data_of(SPECTRA, 4).n_features == 100
    channels = np.corrcoef(data_of(SPECTRA, 4).X.T)
    assert channels.min() > 0.9  # they move together
    rf, ridge = oob(at(SPECTRA, 4, seed))
    assert rf > 3 * ridge


def the_fat_cannot_be_hidden(seed):
    whole = at(SPECTRA, 5, seed)[1].oob_error
    for band in ("drop%2C920%2C945", "drop%2C900%2C960", "drop%2C850%2C950"):
        left = seen(f"data=tecator&band={band}", seed)
        assert left[1].oob_error < whole + 0.03
        assert left[0].oob_error > 3 * left[1].oob_error


# ---- From a folder of spectra to an answer


def offsets_make_rf_guess(seed):
    data = data_of(FOLDER, 1)
    assert (data.n_samples, data.n_classes) == (120, 2)
    assert 0.4 < at(FOLDER, 1, seed)[0].oob_error < 0.6


def a_derivative_helps_rf_most(seed):
    before, after = oob(at(FOLDER, 1, seed)), oob(at(FOLDER, 2, seed))
    assert max(after) < 0.10
    assert before[0] - after[0] > 0.3 > before[1] - after[1]


def the_highest_band_is_informative(seed):
    data, forest = data_of(FOLDER, 3), _forest(FOLDER, 3, seed, 0)
    found = band_importance(forest, data, nulls=0, repeats=2, seed=seed)
    best = found.features[int(found.drop.argmax())]
    assert np.isin(best, data.informative).any()
    assert abs(data.axis.values[best].mean() - 1740) < 30


def hiding_the_band_doubles_the_errors(seed):
    whole, left = oob(at(FOLDER, 3, seed)), oob(at(FOLDER, 4, seed))
    assert all(b > 2 * a for a, b in zip(whole, left, strict=True))
    assert max(left) < 0.25
    both = "data=spectra_ir&d.offset=1&step=derivative&band=drop,1700,1800&band=drop,980,1140"
    assert min(oob(seen(both, seed))) > 0.4  # the other band was what was left


# ---- Who is like whom


def growers_form_groups(seed):
    data, made = data_of(LIKE, 1), near(LIKE, 1, seed)
    assert data.n_classes == 3
    for place in turned_places(made.models, (0, 1)):
        centres = np.array([place.xy[data.y == k].mean(axis=0) for k in range(3)])
        away = np.linalg.norm(place.xy[:, None] - centres[None], axis=2)
        assert (away.argmin(axis=1) == data.y).mean() > 0.9


def errors_lie_between_the_groups(seed):
    data, made = data_of(LIKE, 2), near(LIKE, 2, seed)
    assert data.n_samples == 569
    for votes, place in zip(made.votes, turned_places(made.models, (0, 1)), strict=True):
        centres = np.array([place.xy[data.y == k].mean(axis=0) for k in (0, 1)])
        away = np.linalg.norm(place.xy[:, None] - centres[None], axis=2)
        side = np.abs(away[:, 0] - away[:, 1]) / away.sum(axis=1)  # 0 half-way, 1 at a centre
        half_way = side < 0.5 * np.median(side[~votes.wrong])
        assert half_way[votes.wrong].mean() > 0.6


def most_errors_are_split_votes(seed):
    data, made = data_of(LIKE, 3), near(LIKE, 3, seed)
    rows = np.arange(data.n_samples)
    own = [v.votes[rows, data.y] for v in made.votes]
    for votes, share in zip(made.votes, own, strict=True):
        assert (share[votes.wrong] > 0.1).mean() > 0.5
    first = remarkable(made)[0]
    assert max(share[first] for share in own) < 0.1
    second = remarkable(made)[1]
    assert min(share[second] for share in own) < 0.1


def meat_stands_apart_in_ridge_alone(seed):
    data, made = data_of(LIKE, 4), near(LIKE, 4, seed)
    same = (data.y[:, None] == data.y[None]) & ~np.eye(data.n_samples, dtype=bool)
    within = [float(np.nanmean(np.asarray(m.proximity)[same])) for m in made.models]
    assert within[1] > 0.8
    assert within[0] < 0.3


def what_rf_gets_wrong_is_right_in_ridge(seed):
    made = near(LIKE, 5, seed)
    wrong = made.votes[0].wrong
    assert (~made.votes[1].wrong[wrong]).mean() > 0.7


def _forest(name, step, seed, index=0):
    from explorer.engine import grow

    data = data_of(name, step)
    spec = state_of(query_of(name, step), seed).models.models[index].spec(data.n_features)
    return grow(spec, data.X, data.y)


def said_in_general(seed):
    """Nothing on the screen: a definition, or what a control does."""


# quotes of every step, and the check of each
CLAIMS = {
    (STAIRS, 1): {
        "Two thin clouds of points lie flat": clouds_lie_flat,
        "Two forests": clouds_lie_flat,
        "may cut at a slant": said_in_general,
        "One straight border in both maps, and small errors": clouds_lie_flat,
    },
    (STAIRS, 2): {
        "The same points are now turned by 45 degrees": turning_makes_stairs,
        "Nothing else has changed": turning_makes_stairs,
        "Stairs in A, one straight slope in B": turning_makes_stairs,
        "It grows more than threefold": turning_makes_stairs,
        "Every straight cut now meets both clouds": turning_makes_stairs,
        "RF needs many of them": turning_makes_stairs,
    },
    (STAIRS, 3): {
        "B still has the error it had before": turning_makes_stairs,
        "from many small cuts along the axes": turning_makes_stairs,
        "Near every stair some points": turning_makes_stairs,
        "The errors:": turning_makes_stairs,
        "that of A is more than three times that of B": turning_makes_stairs,
    },
    (STAIRS, 4): {
        "RF now gets 1000 trees instead of 100": many_trees_do_not_help,
        "still several times that of B": many_trees_do_not_help,
        "its error hardly moves": many_trees_do_not_help,
        "Every tree has the same handicap": said_in_general,
        "A vote among stairs is still stairs": many_trees_do_not_help,
    },
    (STAIRS, 5): {
        "Find two angles at which RF needs no stairs": angles_without_stairs,
        "a small angle, such as 10 degrees": angles_without_stairs,
        "Stairs in A already at 10 degrees, and a larger error": angles_without_stairs,
    },
    (TREES, 1): {
        "a random part of the points, about two thirds": one_tree_makes_stripes,
        "every piece held one class of these points": one_tree_makes_stripes,
        "Thin stripes in full colour": one_tree_makes_stripes,
    },
    (TREES, 2): {
        "B lets 100 such trees vote": a_vote_is_softer,
        "Pale colours in B": a_vote_is_softer,
        "A has none": a_vote_is_softer,
        "Softer, pale where the trees disagree": a_vote_is_softer,
    },
    (TREES, 3): {
        "One tree is sure everywhere": a_vote_is_softer,
        "Test error and Hellinger": a_vote_is_softer,
        "Both are smaller in B": a_vote_is_softer,
    },
    (TREES, 4): {
        "100 trees beat one tree": a_vote_is_softer,
        "A has 100 trees and B has 1000": a_thousand_trees_change_little,
        "differ by less than two points, and two maps that look alike": (
            a_thousand_trees_change_little
        ),
        "It hardly changes": a_thousand_trees_change_little,
    },
    (TREES, 5): {
        "The forests grow tree by tree": said_in_general,
        "larger with few trees": the_error_falls_and_stays,
    },
    (RIDGE, 1): {
        "must choose its slant": said_in_general,
        "its line runs between the clouds": ridge_ends_at_pls,
        "The lines named LDA and PCA": ridge_ends_at_pls,
    },
    (RIDGE, 2): {
        "to its largest value": ridge_ends_at_pls,
        "leaves LDA and meets PLS": ridge_ends_at_pls,
    },
    (RIDGE, 3): {
        "(A, λ = 10⁻⁵) is right": a_tiny_penalty_is_right_here,
        "(B, λ = 10⁵) lets the long spread": a_tiny_penalty_is_right_here,
        "The errors.": a_tiny_penalty_is_right_here,
        "C is about as good as A, and B is worse": a_tiny_penalty_is_right_here,
    },
    (RIDGE, 4): {
        "50 features, but only 60 samples": few_samples_want_a_penalty,
        "A has λ = 10⁻⁵ and B has λ = 10⁵": few_samples_want_a_penalty,
        "The test errors": few_samples_want_a_penalty,
        "only 60 samples to judge by": few_samples_want_a_penalty,
        "the balance of LDA is mostly noise": few_samples_want_a_penalty,
    },
    (RIDGE, 5): {
        "from 10⁻⁵ upwards": a_larger_penalty_bends_the_border,
        "begins to bend and its error grows": a_larger_penalty_bends_the_border,
    },
    (SPARSE, 1): {
        "Of 20 features only two tell the class": parity_wants_sparse_cuts,
        "opposite corners belong together": parity_wants_sparse_cuts,
        "The other 18 are noise": parity_wants_sparse_cuts,
        "F-RC mixes two features": parity_wants_sparse_cuts,
        "Four corners in two colours": parity_wants_sparse_cuts,
    },
    (SPARSE, 2): {
        "mixes all 20 features": parity_wants_sparse_cuts,
        "The four corners": parity_wants_sparse_cuts,
        "They are paler in B": parity_wants_sparse_cuts,
        "two features per cut": parity_wants_sparse_cuts,
        "18 of them bring only noise": parity_wants_sparse_cuts,
    },
    (SPARSE, 3): {
        "100 features": trunk_wants_dense_cuts,
        "the first most, and each further one less": trunk_wants_dense_cuts,
        "The test errors": trunk_wants_dense_cuts,
        "That of A is more than twice that of B": trunk_wants_dense_cuts,
        "20 features per cut": trunk_wants_dense_cuts,
    },
    (SPARSE, 4): {
        "Hellinger is smaller for A all the same": trunk_wants_dense_cuts,
        "less sure, though more often right": the_votes_of_dense_cuts_are_less_sure,
        "Test error is smaller for B, Hellinger is smaller for A": trunk_wants_dense_cuts,
    },
    (SPARSE, 5): {
        "*Features mixed, L* of A from 2 upwards": more_features_help_on_trunk,
        "B stays at 20": more_features_help_on_trunk,
        "which falls as L grows": more_features_help_on_trunk,
    },
    (UNITS, 1): {
        "Three forests": three_forests,
        "RF cuts one feature at a time": three_forests,
        "F-RC adds up two features": three_forests,
        "FRANK does the same with ranks": three_forests,
        "first, second, third": said_in_general,
        "Stairs in A, slanted borders in B and C": three_forests,
        "Remember the three errors": three_forests,
    },
    (UNITS, 2): {
        "Now x1 is written in another unit": only_frc_heeds_units,
        "become small beside those of x2": only_frc_heeds_units,
        "The points are the same, and the maps are stretched to fit": only_frc_heeds_units,
        "which is more than twice what it was": only_frc_heeds_units,
        "those of x1 hardly count": only_frc_heeds_units,
    },
    (UNITS, 3): {
        "A sum of 3 metres and 20 grams": said_in_general,
        "neither does a cut in one feature": only_frc_heeds_units,
        "A and C have exactly the errors they had before": only_frc_heeds_units,
    },
    (UNITS, 4): {
        "far below that of F-RC in the new unit": ridge_does_not_heed_units,
        "it brings features to one scale": ridge_does_not_heed_units,
    },
    (UNITS, 5): {
        "Ranks are one scaling of several": no_scaling_is_the_worst,
        "The one scaling with which the error of B": no_scaling_is_the_worst,
    },
    (BROKEN, 1): {
        "178 wines of three growers, 13 measurements": wines_are_named,
        "Both forests name the grower almost always": wines_are_named,
        "that end below 5 %": wines_are_named,
    },
    (BROKEN, 2): {
        "Three in ten measurements": broken_numbers_hurt_sums_more,
        "100 to 100 000 times too large": broken_numbers_hurt_sums_more,
        "more than twice the error of A": broken_numbers_hurt_sums_more,
        "One broken number among them": broken_numbers_hurt_sums_more,
    },
    (BROKEN, 3): {
        "so one huge number decides alone": broken_numbers_hurt_sums_more,
        "A straight cut asks whether": said_in_general,
        "How far above does not matter": said_in_general,
        "Choose *B oRF-ridge*": said_in_general,
        "more wines lie off the diagonal": broken_numbers_hurt_sums_more,
    },
    (BROKEN, 4): {
        "Three curves": ranks_lie_between,
        "That of C ends between the others": ranks_lie_between,
        "Between RF and oRF-ridge": ranks_lie_between,
    },
    (BROKEN, 5): {
        "move *Share* from 0 upwards": shares_part_the_curves,
        "At 0 both errors are below 5 %": shares_part_the_curves,
        "At 0.3 the curves lie far apart": shares_part_the_curves,
    },
    (SPECTRA, 1): {
        "120 spectra of two classes": means_almost_coincide,
        "which almost coincide": means_almost_coincide,
    },
    (SPECTRA, 2): {
        "near 50 %, which is guessing": offsets_blind_rf_only,
        "That of B is below 15 %": offsets_blind_rf_only,
        "One channel alone now tells mostly the offset": offsets_blind_rf_only,
        "RF falls back to guessing": offsets_blind_rf_only,
    },
    (SPECTRA, 3): {
        "weigh one channel up and its neighbour down": weights_have_both_signs,
        "The offset is the same in both": offsets_blind_rf_only,
        "Weights:": weights_have_both_signs,
        "some channels count up, others down": weights_have_both_signs,
        "That is a difference": weights_have_both_signs,
    },
    (SPECTRA, 4): {
        "near infrared": said_in_general,
        "All 100 wavelengths move together": meat_needs_differences,
        "*OOB error by trees*:": meat_needs_differences,
        "the error of A is more than three times that of B": meat_needs_differences,
        "oRF-ridge, by far": meat_needs_differences,
    },
    (SPECTRA, 5): {
        "The forests grow again without it": said_in_general,
        "their errors stand beside the picture": the_fat_cannot_be_hidden,
        "which hardly grows": the_fat_cannot_be_hidden,
        "Other channels tell the fat": the_fat_cannot_be_hidden,
    },
    (FOLDER, 1): {
        "here 120 simulated ones of two": offsets_make_rf_guess,
        "near 50 %": offsets_make_rf_guess,
        "That is guessing": offsets_make_rf_guess,
    },
    (FOLDER, 2): {
        "by one step": said_in_general,
        "keeps the slope of a curve and drops its offset": a_derivative_helps_rf_most,
        "Without it RF errs in less than 10 %": a_derivative_helps_rf_most,
        "That of RF": a_derivative_helps_rf_most,
        "one channel tells": a_derivative_helps_rf_most,
        "now below 10 %": a_derivative_helps_rf_most,
    },
    (FOLDER, 3): {
        "lies where the classes truly differ, near 1740": the_highest_band_is_informative,
        "what chance alone gives": said_in_general,
    },
    (FOLDER, 4): {
        "the band from 1700 to 1800": said_in_general,
        "Both more than double": hiding_the_band_doubles_the_errors,
        "A part of the signal is gone": hiding_the_band_doubles_the_errors,
        "A second band near 1050 still tells": hiding_the_band_doubles_the_errors,
        "now and with all bands": said_in_general,
    },
    (FOLDER, 5): {
        "Each gets a class, its nearest training samples": said_in_general,
        "The set of classes at a confidence": said_in_general,
        "Several classes mean": said_in_general,
    },
    (LIKE, 1): {
        "into the same leaf": said_in_general,
        "place wines that are alike close together": growers_form_groups,
        "Colour is the grower": growers_form_groups,
        "Three groups, one per grower, in both maps": growers_form_groups,
    },
    (LIKE, 2): {
        "569 breast tumours": errors_lie_between_the_groups,
        "The rings": errors_lie_between_the_groups,
        "Most lie where the two colours meet": errors_lie_between_the_groups,
        "Between the two groups": errors_lie_between_the_groups,
        "They share leaves with both classes": errors_lie_between_the_groups,
    },
    (THIRTEEN, 1): {
        "178 wines of three growers, 13 measurements each": growers_lie_apart,
        "a space of 13 dimensions": growers_lie_apart,
        "A map is one plane through it": said_in_general,
        "the growers lie apart": growers_lie_apart,
        "Hardly a wine lies among": growers_lie_apart,
    },
    (THIRTEEN, 2): {
        "both forests stay as they are": another_view_hides_them,
        "Wines of all growers lie among each other": another_view_hides_them,
        "Both errors are the same as before": another_view_hides_them,
        "on top of each other, and the same errors": another_view_hides_them,
        "The forests know all 13 measurements": another_view_hides_them,
        "Only your view has changed": another_view_hides_them,
    },
    (THIRTEEN, 3): {
        "The long spokes of the wheel": long_spokes_tell_growers_apart,
    },
    (THIRTEEN, 4): {
        "where the two forests disagree most": forests_disagree_where_no_wine_is,
        "The mean distance of A and B grows": forests_disagree_where_no_wine_is,
        "Nobody has wines there": forests_disagree_where_no_wine_is,
    },
    (LIKE, 3): {
        "the votes are split, and most errors happen there": most_errors_are_split_votes,
        "almost all trees vote for the other class": most_errors_are_split_votes,
        "The first rows of the table": most_errors_are_split_votes,
        "less than 10 % of the votes": most_errors_are_split_votes,
    },
    (LIKE, 4): {
        "by near infrared": said_in_general,
        "The heat map *Proximity*": meat_stands_apart_in_ridge_alone,
        "two dark blocks, below it (A) pale ones": meat_stands_apart_in_ridge_alone,
    },
    (LIKE, 5): {
        "The samples that A gets wrong": what_rf_gets_wrong_is_right_in_ridge,
        "most of them lie inside their own group": what_rf_gets_wrong_is_right_in_ridge,
    },
}
STEPS = [(name, i) for name, one in LESSONS.items() for i in range(1, len(one.steps) + 1)]
CHECKS = sorted({check for quotes in CLAIMS.values() for check in quotes.values()}, key=str)
SLOW = {
    growers_form_groups,
    errors_lie_between_the_groups,
    most_errors_are_split_votes,
    meat_stands_apart_in_ridge_alone,
    what_rf_gets_wrong_is_right_in_ridge,
}
# words that are true on a wide screen only: on a phone models lie in a drawer, maps have no ticks
WIDE_ONLY = re.compile(
    r"\b(?:the left|upper|lower (?:left|right)|sideways|right end|the right (?:side|map))\b"
    r"|on the right|to the right|[Nn]odes per tree|\bTime\b"
)


def test_every_file_of_a_lesson_of_ours_is_read():
    assert {p.stem for p in BUNDLED.glob("*.md")} == set(LESSONS)


@pytest.mark.parametrize("place", STEPS, ids=lambda place: f"{place[0]}-{place[1]}")
def test_every_claim_of_a_step_has_a_check(place):
    step = LESSONS[place[0]].steps[place[1] - 1]
    quotes = CLAIMS[place]
    missing = [s for s in claim_like(step) if not any(q in s for q in quotes)]
    assert missing == []
    told = sentences(step)
    assert [q for q in quotes if not any(q in s for s in told)] == []  # the lesson says so still


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_what_a_lesson_claims_is_what_the_forests_do(check):
    for seed in SEEDS[:1] if check in SLOW else SEEDS:
        check(seed)


@pytest.mark.parametrize(
    "check", [c for c in CHECKS if c not in SLOW], ids=lambda check: check.__name__
)
def test_what_a_lesson_claims_is_what_the_maps_of_a_phone_show(check):
    with on_screen(PHONE):
        check(0)


@pytest.mark.parametrize("place", STEPS, ids=lambda place: f"{place[0]}-{place[1]}")
def test_no_step_names_a_place_that_a_phone_does_not_have(place):
    step = LESSONS[place[0]].steps[place[1] - 1]
    words = [step.text, step.look, *(w for c in step.choices for w in (c.say, c.why))]
    assert [w for w in words if WIDE_ONLY.search(w)] == []


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
