"""Missing values: sides of axis splits, means of oblique ones, in everything a forest answers."""

import io
import pickle

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from explorer.engine import FAMILIES, Forest, ForestSpec, Plane, Scaling, grow
from explorer.engine.kernels import missing as kernels
from explorer.engine.kernels import permutation
from explorer.engine.kernels.missing import TOP
from explorer.engine.measures import anova_counts, meetings, permutation_drops

from . import naive
from .toys import blobs, grown, same

EVERYTHING = {"n_tree": 1, "m_try": "all", "bootstrap": "none", "missing": "accept"}
AXIS = [name for name, spec in FAMILIES.items() if spec.split == "axis" and not spec.rotate]
OBLIQUE = ("oRF-ridge", "oRF-lda", "oRF-log", "oRF-rnd", "RF-ODT", "F-RC", "RDF-CAP", "RDF-PER")


def gappy(seed=0, n=90, P=4, K=3, share=0.15, decimals=None):
    """Clouds of which some values are missing; the last feature is complete."""
    X, y = blobs(seed, n=n, P=P, K=K, decimals=decimals)
    lost = np.random.default_rng(seed + 100).random((n, P)) < share
    lost[:, -1] = False
    X[lost] = np.nan
    return X, y


def saved(forest):
    out = io.BytesIO()
    forest.save(out)
    out.seek(0)
    return out


# ---- growing and walking agree


@pytest.mark.parametrize("name", FAMILIES)
def test_samples_walk_to_the_leaves_in_which_they_were_counted(name):
    """Growing, ``apply`` (few rows and many), the readable tree and the bags tell one story."""
    X, y = gappy(1)
    forest = grown(name, X, y, n_tree=3, missing="accept")
    leaves = forest.apply(X)
    assert (forest.apply(X[:20]) == leaves[:20]).all()
    bags = forest.bags()
    for t in range(forest.n_tree):
        tree = forest.tree(t)
        by_hand = [naive.walk(tree, x).leaf for x in forest.scaling.transform(X)]
        assert leaves[:, t].tolist() == by_hand
        counts = np.zeros((leaves[:, t].max() + 1, 3))
        np.add.at(counts, (leaves[:, t], y), np.maximum(bags[t], 0))
        own = slice(forest.leaf_at[t], forest.leaf_at[t + 1])
        np.testing.assert_allclose(counts, forest.counts[own])
        outside = slice(forest.oob_at[t], forest.oob_at[t + 1])
        assert (forest.oob_leaf[outside] == leaves[bags[t] == 0, t]).all()


@pytest.mark.parametrize("name", FAMILIES)
def test_complete_data_give_the_same_forest_whether_missing_values_are_accepted_or_not(name):
    X, y = blobs(2)
    one = grown(name, X, y, n_tree=2)
    other = grown(name, X, y, n_tree=2, missing="accept")
    assert same(one, other)
    assert one.predict_proba(X).tobytes() == other.predict_proba(X).tobytes()


@pytest.mark.parametrize("name", ["RF", "oRF-mixed", "RR-RF"])
def test_threads_pieces_and_extensions_change_nothing(name):
    X, y = gappy(3, n=150)
    spec = FAMILIES[name].replace(n_tree=12, missing="accept")
    whole = grow(spec, X, y, threads=1)
    assert same(whole, grow(spec, X, y, threads=2))
    assert same(whole, grow(spec.replace(n_tree=5), X, y).extend(12))
    assert same(whole.take(5), grow(spec.replace(n_tree=5), X, y))
    loaded = Forest.load(saved(whole.take(5)))
    assert same(whole, loaded.extend(12, X=X, y=y))
    one, two = (whole.predict_proba(X, threads=k) for k in (1, 2))
    assert one.tobytes() == two.tobytes()


# ---- axis splits


def best_of_all(X, y, w, criterion):
    ways = [naive.cuts_with_missing(X[:, f], y, w, 3, criterion) for f in range(X.shape[1])]
    return max((gain for way in ways for gain, _ in way), default=0.0)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("decimals", [None, 0])  # 0: ties, and few distinct values
def test_every_axis_split_is_the_best_over_cuts_and_sides(criterion, decimals):
    X, y = gappy(4, n=120, share=0.25, decimals=decimals)
    w = np.random.default_rng(4).integers(1, 4, len(y)).astype(float)
    tree = grow(ForestSpec(criterion=criterion, **EVERYTHING), X, y, sample_weight=w).tree(0)
    sides = set()
    for number, rows in naive.rows_at_nodes(tree, X).items():
        node = tree.nodes[number]
        if node.is_leaf:
            continue
        want = best_of_all(X[rows], y[rows], w[rows], criterion)
        assert node.gain == pytest.approx(want, rel=1e-6)
        left = np.array([naive.goes_left(node, X[row]) for row in rows])
        sums = [naive.class_sums(y[r], w[r], 3) for r in (rows[left], rows[~left])]
        assert naive.decrease(*sums, criterion) == pytest.approx(want, rel=1e-6)
        if np.isnan(X[rows, node.features[0]]).any():
            sides.add((node.missing, node.cut == TOP))
    assert {(-1, False), (1, False)} <= sides


def test_a_feature_whose_gaps_tell_the_class_is_cut_into_known_and_missing():
    X, y = blobs(5, n=80, K=2)
    X[:, 1] = 0.0
    X[y == 1, 1] = np.nan
    forest = grow(ForestSpec(**EVERYTHING), X, y)
    root = forest.tree(0).nodes[0]
    assert (root.features.tolist(), root.cut, root.missing) == ([1], TOP, 1)
    assert str(forest.tree(0)).startswith("x1 is known?")
    assert (forest.predict(X) == y).all()
    picture = forest.posterior_on(Plane.axes(0, 1, (-1, 1), (-1, 1), np.zeros(4)), 5, 5)
    assert (picture[..., 0] == 1.0).all()  # a plane is complete: known everywhere


@pytest.mark.parametrize("name", AXIS)
def test_where_no_sample_of_the_node_lacks_the_feature_the_heavier_side_is_taken(name):
    """As scikit-learn does, in training data that lack it elsewhere and in complete ones."""
    X, y = blobs(6, n=120)
    for gaps in (False, True):
        if gaps:
            X[::9, 0] = np.nan
        forest = grown(name, X, y, bootstrap="none", n_tree=2, missing="accept")
        for tree in forest:
            for number, rows in naive.rows_at_nodes(tree, X).items():
                node = tree.nodes[number]
                if not node.is_leaf and not np.isnan(X[rows, node.features[0]]).any():
                    left, right = (tree.nodes[k].counts.sum() for k in (node.left, node.right))
                    assert node.missing == (-1 if left > right else 1)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("seed", range(3))
def test_a_tree_on_everything_splits_as_scikit_learns_tree_with_missing_values(criterion, seed):
    """Node by node from the root; a branch ends where a tie let them part ways."""
    X, y = gappy(seed, n=300, P=5, K=3, share=0.1)
    y[::7] = (y[::7] + 1) % 3
    X = X.astype(np.float32).astype(float)
    ours = grow(ForestSpec(criterion=criterion, **EVERYTHING), X, y).tree(0)
    theirs = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y).tree_
    alike, tied = 0, 0
    stack = [(0, 0, np.arange(len(X)))]
    while stack:
        i, j, rows = stack.pop()
        node = ours.nodes[i]
        assert node.is_leaf == (theirs.children_left[j] == -1)
        if node.is_leaf:
            continue
        left = np.array([naive.goes_left(node, X[row]) for row in rows])
        value = X[rows, theirs.feature[j]]
        their_left = value <= theirs.threshold[j]
        if theirs.missing_go_to_left[j]:
            their_left |= np.isnan(value)

        def gain(left, rows=rows):
            parts = (rows[left], rows[~left])
            sums = [np.bincount(y[part], minlength=3).astype(float) for part in parts]
            return naive.decrease(*sums, criterion)

        assert gain(left) >= gain(their_left) - 1e-9 * len(X)
        if (left == their_left).all():
            alike += 1
            if not np.isnan(X[rows, node.features[0]]).any() and (
                node.features[0] == theirs.feature[j]
            ):
                assert (node.missing == -1) == bool(theirs.missing_go_to_left[j])
            stack.append((node.left, theirs.children_left[j], rows[left]))
            stack.append((node.right, theirs.children_right[j], rows[~left]))
        else:
            tied += 1
    assert alike > 20
    assert tied < alike / 2


def test_errors_are_those_of_scikit_learns_forest_on_data_with_gaps():
    ours, theirs = [], []
    for seed in range(6):
        X, y = gappy(seed, n=500, P=6, K=3, share=0.2)
        train, test = slice(0, 250), slice(250, 500)
        spec = FAMILIES["RF"].replace(n_tree=60, missing="accept", seed=seed)
        ours.append((grow(spec, X[train], y[train]).predict(X[test]) != y[test]).mean())
        forest = RandomForestClassifier(60, random_state=seed).fit(X[train], y[train])
        theirs.append((forest.predict(X[test]) != y[test]).mean())
    assert abs(np.mean(ours) - np.mean(theirs)) < 0.02, (ours, theirs)


def test_random_thresholds_try_both_sides():
    X, y = gappy(7, n=200, share=0.3)
    forest = grown("RF-thresholds", X, y, bootstrap="none", n_tree=6, missing="accept")
    found = set()
    for tree in forest:
        for number, rows in naive.rows_at_nodes(tree, X).items():
            node = tree.nodes[number]
            if node.is_leaf:
                continue
            v = X[rows, node.features[0]]
            nan = np.isnan(v)
            if not nan.any():
                continue

            def gain(left, rows=rows):
                sums = [naive.class_sums(y[r], None, 3) for r in (rows[left], rows[~left])]
                return naive.decrease(*sums, forest.spec.criterion)

            chosen = (v <= node.cut) | nan if node.missing == -1 else v <= node.cut
            assert node.gain == pytest.approx(gain(chosen), rel=1e-5, abs=1e-5)
            if node.cut != TOP:
                other = v <= node.cut if node.missing == -1 else (v <= node.cut) | nan
                assert gain(chosen) >= gain(other) - 1e-9
            found.add((node.missing, node.cut == TOP))
    assert {(-1, False), (1, False)} <= found


# ---- oblique splits


@pytest.mark.parametrize("name", OBLIQUE)
def test_an_oblique_split_fills_with_the_mean_of_its_known_in_bag_values(name):
    X, y = gappy(8, n=80, share=0.3)
    weight = np.random.default_rng(8).integers(1, 3, len(y)).astype(float)
    forest = grown(name, X, y, n_tree=2, sample_weight=weight, missing="accept")
    Z = forest.scaling.transform(X)
    whole = [np.average(c[~np.isnan(c)], weights=weight[~np.isnan(c)]) for c in Z.T]
    checked = 0
    for t, bag in enumerate(forest.bags()):
        tree, means = forest.tree(t), {-1: np.array(whole)}
        w = np.maximum(bag, 0) * weight
        for number, rows in sorted(naive.rows_at_nodes(tree, Z).items()):
            node, mine = tree.nodes[number], means[tree.nodes[number].parent].copy()
            for f in range(Z.shape[1] - 1):  # the last feature is complete
                known = rows[~np.isnan(Z[rows, f]) & (w[rows] > 0)]
                if known.size:
                    mine[f] = np.average(Z[known, f], weights=w[known])
            means[number] = mine
            if not node.is_leaf:
                if node.missing is not None:  # no direction was found: a cut of one filled feature
                    f = node.features[0]
                    if f < Z.shape[1] - 1:
                        assert node.missing == (-1 if mine[f] <= node.cut else 1)
                    continue
                np.testing.assert_allclose(node.fills, mine[node.features], rtol=1e-9, atol=1e-12)
                checked += node.features.size
    assert checked > 10


def test_a_rotated_tree_fills_with_the_means_at_its_root():
    X, y = gappy(9, share=0.3)
    forest = grown("RR-RF", X, y, n_tree=2, missing="accept")
    for t, bag in enumerate(forest.bags()):
        root = forest.tree(t).nodes[0]
        for f in range(3):
            known = ~np.isnan(X[:, f])
            want = np.average(X[known, f], weights=np.maximum(bag[known], 0))
            assert root.fills[root.features == f][0] == pytest.approx(want)


def test_a_forest_grown_on_complete_data_fills_with_the_means_of_these():
    X, y = blobs(10)
    forest = grown("oRF-ridge", X, y, missing="accept")
    Z = X.copy()
    Z[:, 2] = np.nan
    filled = X.copy()
    filled[:, 2] = X[:, 2].mean()
    assert forest.predict_proba(Z).tobytes() == forest.predict_proba(filled).tobytes()


# ---- weights, scaling, extremes


@pytest.mark.parametrize("name", ["RF", "RF-thresholds", "oRF-lda", "F-RC"])
def test_a_weight_of_two_is_the_row_twice_also_where_values_are_missing(name):
    X, y = gappy(11, n=60)
    weight = 1.0 + (np.arange(60) % 2)
    spec = FAMILIES[name].replace(n_tree=3, bootstrap="none", missing="accept")
    weighted = grow(spec, X, y, sample_weight=weight)
    times = weight.astype(int)
    repeated = grow(spec, np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-12)


@pytest.mark.parametrize("kind", ["rank", "percentile", "zscore"])
def test_scaling_is_fitted_on_known_values_and_keeps_the_gaps(kind):
    X, _ = gappy(12)
    scaling = Scaling.fit_known(kind, X, np.ones(len(X)))
    Z = scaling.transform(X)
    assert (np.isnan(Z) == np.isnan(X)).all()
    for f in range(X.shape[1]):
        known = X[~np.isnan(X[:, f]), f][:, None]
        alone = Scaling.fit(kind, known).transform(known)
        np.testing.assert_array_equal(Z[~np.isnan(X[:, f]), f], alone[:, 0])


@pytest.mark.parametrize("name", FAMILIES)
def test_a_feature_without_any_value_and_a_sample_without_any_do_no_harm(name):
    X, y = gappy(13, n=60)
    X[:, 1] = np.nan
    X[5] = np.nan
    forest = grown(name, X, y, n_tree=2, missing="accept")
    assert np.isfinite(forest.predict_proba(X)).all()
    inner = forest.feature[forest.feature >= 0]
    assert not (inner == 1).any()


def test_huge_values_beside_gaps_are_grown_and_answered():
    X, y = gappy(14)
    X *= 1e307
    for name in ("RF", "oRF-ridge", "FRANK"):
        forest = grown(name, X, y, n_tree=2, missing="accept")
        assert np.isfinite(forest.predict_proba(X)).all()
        assert np.isfinite(forest.fill).all()


# ---- what a forest answers


@pytest.mark.parametrize("name", ["RF", "oRF-mixed", "FRANK"])
def test_a_forest_with_gaps_comes_back_from_a_file_and_a_pickle(name):
    X, y = gappy(15)
    forest = grown(name, X, y, missing="accept")
    for again in (Forest.load(saved(forest)), pickle.loads(pickle.dumps(forest))):
        assert same(forest, again)
        assert again.predict_proba(X).tobytes() == forest.predict_proba(X).tobytes()
    complete = grown(name, *blobs(15), missing="accept")
    again = Forest.load(saved(complete))
    assert again.predict_proba(X).tobytes() == complete.predict_proba(X).tobytes()


@pytest.mark.parametrize("name", ["RF", "oRF-ridge", "RR-RF", "FRANK"])
def test_a_picture_is_what_the_forest_says_of_its_pixels(name):
    X, y = gappy(16)
    forest = grown(name, X, y, missing="accept")
    plane = Plane.axes(0, 2, (-2, 2), (-2, 2), np.zeros(4))
    points = plane.points(9, 7).reshape(-1, 4)
    picture = forest.posterior_on(plane, 9, 7).reshape(-1, 3)
    np.testing.assert_array_equal(picture, forest.predict_proba(points).astype(np.float32))


def test_a_plane_through_a_sample_with_gaps_is_refused():
    X, _ = gappy(16)
    with pytest.raises(ValueError, match="finite numbers, one per feature"):
        Plane.axes(0, 3, (-1, 1), (-1, 1), np.where(np.arange(4) == 1, np.nan, X[0]))


def test_complete_rows_are_answered_alike_alone_and_beside_rows_with_gaps():
    X, y = gappy(17, n=200, share=0.1)
    forest = grown("oRF-mixed", X, y, missing="accept")
    whole = np.flatnonzero(~np.isnan(X).any(axis=1))
    assert 0 < whole.size < len(X)
    together = forest.predict_proba(X)[whole]
    assert together.tobytes() == forest.predict_proba(X[whole]).tobytes()
    for row in range(5):
        assert (forest.predict_proba(X[row : row + 1]) == forest.predict_proba(X)[row]).all()


def drops_of(forest, X):
    parts = []
    permutation_drops(forest, X=X, repeats=2, take=lambda first, drop: parts.append(drop))
    return np.concatenate(parts)


@pytest.mark.parametrize("name", ["RF", "oRF-ridge"])
def test_permutation_on_complete_data_is_the_same_by_both_kernels(name, monkeypatch):
    X, y = blobs(18, n=100)
    forest = grown(name, X, y, missing="accept")
    quick = drops_of(forest, X)

    def slow(trees, *rest):
        kernels.permuted(trees, forest._gaps, *rest)

    slow.py_func = kernels.permuted.py_func
    monkeypatch.setattr(permutation, "permuted", slow)
    np.testing.assert_allclose(drops_of(forest, X), quick, atol=1e-12)
    assert (quick != 0).any()


def test_a_feature_whose_gaps_matter_is_found_by_permutation():
    X, y = blobs(19, n=200, K=2)
    X = np.random.default_rng(0).normal(size=X.shape)
    X[y == 1, 2] = np.nan
    for name in ("RF", "RF-thresholds"):
        drop = drops_of(grown(name, X, y, n_tree=20, missing="accept"), X).mean(axis=0)
        assert drop.argmax() == 2
        assert drop[2] > 5 * np.abs(np.delete(drop, 2)).max()


def test_proximity_and_anova_take_samples_with_gaps():
    X, y = gappy(20)
    forest = grown("oRF-ridge", X, y, n_tree=20, missing="accept")
    for out_of_bag in (True, False):
        near, _ = meetings(forest, out_of_bag=out_of_bag).proximity()
        kin = y[:, None] == y
        assert np.nanmean(near[kin]) > np.nanmean(near[~kin])
    found, tested, F = anova_counts(forest, tables=True)
    assert (tested > 0).all()
    assert 0 < found.sum() <= tested.sum()
    assert not np.isinf(F).any()


def test_anova_sees_filled_values():
    """The F of a root is that of least squares on its features, filled with its means."""
    X, y = gappy(21, n=60, K=2)
    spec = ForestSpec(split="lda", **EVERYTHING)
    forest = grow(spec, X, y)
    root = forest.tree(0).nodes[0]
    F = anova_counts(forest, tables=True)[2][0]
    A = X[:, root.features]
    A = np.where(np.isnan(A), root.fills, A)

    def rest(columns):
        B = np.column_stack([np.ones(60), A[:, columns]])
        return np.linalg.lstsq(B, 2.0 * y - 1.0)[1][0]

    m = root.features.size
    for j in range(m):
        others = [k for k in range(m) if k != j]
        whole = rest(list(range(m)))
        assert F[j] == pytest.approx((rest(others) - whole) / whole * (60 - m - 1), rel=1e-6)


# ---- the door


def test_a_missing_value_is_refused_unless_the_spec_accepts_it():
    X, y = gappy(22)
    with pytest.raises(ValueError, match=r"missing value \(NaN\) in row .*missing='accept'"):
        grow(FAMILIES["RF"], X, y)
    forest = grown("RF", *blobs(22))
    with pytest.raises(ValueError, match="missing='accept'"):
        forest.predict(X)
    with pytest.raises(ValueError, match="missing is 'guess'; choose one of refuse, accept"):
        ForestSpec(missing="guess")


def test_an_infinite_value_is_refused_also_where_missing_ones_are_accepted():
    X, y = gappy(23)
    X[3, 3] = np.inf
    with pytest.raises(ValueError, match=r"infinite value .* row 3, column 3"):
        grown("RF", X, y, missing="accept")


def test_a_file_with_malformed_sides_is_refused():
    X, y = gappy(24)
    with np.load(saved(grown("RF", X, y, missing="accept"))) as file:
        arrays = {name: file[name] for name in file.files}
    for name, wrong in (
        ("side", arrays["side"] + np.uint8(2)),
        ("side", arrays["side"][:-1]),
        ("centre", arrays["centre"][:-1]),
        ("centre", arrays["centre"] * np.nan),
    ):
        out = io.BytesIO()
        np.savez(out, **(arrays | {name: wrong}))
        out.seek(0)
        with pytest.raises(ValueError, match=r"^This file is not a forest"):
            Forest.load(out)
