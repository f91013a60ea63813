import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.manifold import ClassicalMDS

from explorer import data
from explorer.analysis import Cancelled, classical_mds, distance_pca, proximity
from explorer.engine import FAMILIES, Forest, grow, measures


def by_hand(forest, X):
    """Shared leaves of pairs out of bag, tree by tree with numpy comparisons."""
    leaves, bags = forest.apply(X), forest.bags()
    same, both = np.zeros((2, len(X), len(X)))
    for t in range(forest.n_tree):
        out = bags[t] == 0
        pair = out[:, None] & out[None, :]
        both += pair
        same += pair & (leaves[:, t][:, None] == leaves[:, t][None, :])
    return same, both


@pytest.mark.parametrize(("family", "trees"), [("RF", 30), ("oRF-ridge", 70), ("FRANK", 64)])
def test_proximity_is_the_share_of_common_leaves_out_of_bag(family, trees, ten, forests):
    forest = forests(family, ten, trees)
    same, both = by_hand(forest, ten.X)
    expected = np.divide(same, both, out=np.zeros_like(same), where=both > 0)
    np.fill_diagonal(expected, 1.0)
    found = proximity(forest, ten)
    np.testing.assert_allclose(found.proximity, expected, atol=1e-15)
    off = ~np.eye(ten.n_samples, dtype=bool)
    assert found.untested == int(((both == 0) & off).sum())


def test_a_forest_without_a_bootstrap_counts_every_tree(mixture, forests):
    forest = forests("RDF-CAP", mixture)
    leaves = forest.apply(mixture.X)
    expected = (leaves[:, None, :] == leaves[None, :, :]).mean(axis=2)
    found = proximity(forest, mixture)
    np.testing.assert_allclose(found.proximity, expected)
    assert found.label == "all pairs, in every tree"
    assert np.isnan(found.wrong).all()


@pytest.mark.parametrize("n", [40, 200])
def test_principal_coordinates_are_sklearns_classical_mds(n, ten, forests):
    some = ten.take(np.arange(n))
    forest = grow(FAMILIES["RF"].replace(n_tree=60), some.X, some.y)
    found = proximity(forest, some, components=4)
    theirs = ClassicalMDS(4, metric="precomputed")
    coordinates = theirs.fit_transform(found.distance)
    np.testing.assert_allclose(found.eigenvalues, theirs.eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(np.abs(found.coordinates), np.abs(coordinates), atol=1e-6)


def test_variance_explained_is_never_more_than_all():
    coffee = data.load("coffee_instant")
    forest = grow(FAMILIES["oRF-ridge"].replace(n_tree=100), coffee.X, coffee.y)
    assert proximity(forest, coffee, components=6).explained.sum() <= 1


@pytest.mark.parametrize("n", [40, 64, 65, 90, 200])
def test_variance_explained_is_a_share_of_all_positive_eigenvalues(n, rng):
    """One definition for any number of samples; these distances fit into no space."""
    distance = np.sqrt(rng.random((n, n)))
    distance = np.triu(distance, 1) + np.triu(distance, 1).T
    centre = np.eye(n) - 1 / n
    every = np.linalg.eigvalsh(-0.5 * centre @ distance**2 @ centre)[::-1]
    assert every[-1] < -0.1, "some are negative"
    _, values, explained, _ = classical_mds(distance, 4)
    np.testing.assert_allclose(values, every[:4], rtol=1e-8)
    np.testing.assert_allclose(explained, every[:4] / every[every > 0].sum(), rtol=1e-8)


@pytest.mark.parametrize("n", [40, 120])
def test_the_pca_of_distances_is_sklearns_pca_of_the_matrix(n, rng):
    """Menze s.5: a PCA in which the distances to all samples are the features."""
    points = rng.normal(size=(n, 3))
    distance = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
    scores, _, explained, _ = distance_pca(distance, 3)
    pca = PCA(3, svd_solver="full")
    theirs = pca.fit_transform(distance)
    np.testing.assert_allclose(np.abs(scores), np.abs(theirs), atol=1e-8)
    np.testing.assert_allclose(explained, pca.explained_variance_ratio_, rtol=1e-8)


def test_the_picture_may_be_the_pca_of_distances(ten, forests):
    forest = forests("RF", ten, 70)
    found = proximity(forest, ten, scaling="pca", components=3)
    assert (found.scaling, proximity(forest, ten).scaling) == ("pca", "mds")
    expected = distance_pca(found.distance, 3)
    np.testing.assert_allclose(found.coordinates, expected[0])
    np.testing.assert_allclose(found.explained, expected[2])
    some = proximity(forest, ten, scaling="pca", landmarks=60, components=3)
    alone = distance_pca(some.distance, 3)[0]
    np.testing.assert_allclose(some.coordinates[some.landmarks], alone, atol=1e-9)
    with pytest.raises(ValueError, match="choose one of mds, pca"):
        proximity(forest, ten, scaling="tsne")


def test_variance_explained_is_all_for_points_of_a_plane(rng):
    points = rng.normal(size=(90, 2)) * [3.0, 1.0]
    distance = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
    coordinates, values, explained, _ = classical_mds(distance, 5)
    assert coordinates.shape == (90, 2)
    assert explained.sum() == pytest.approx(1)
    again = np.sqrt(((coordinates[:, None] - coordinates[None]) ** 2).sum(axis=2))
    np.testing.assert_allclose(again, distance, atol=1e-8)
    share = np.sort(np.linalg.eigvalsh(np.cov(points.T)))[::-1]
    np.testing.assert_allclose(explained, share / share.sum(), rtol=1e-8)
    np.testing.assert_allclose(values.sum(), 89 * share.sum(), rtol=1e-8)


@pytest.mark.parametrize("name", ["spectra_mrs", "spectra_ir", "twonorm"])
def test_the_first_component_of_an_oblique_forest_explains_more_than_that_of_rf(name):
    d = data.load(name)
    first = {}
    for family in ("RF", "oRF-ridge"):
        forest = grow(FAMILIES[family].replace(n_tree=300), d.X, d.y)
        first[family] = proximity(forest, d).explained[0]
    assert first["oRF-ridge"] > 1.3 * first["RF"]


def test_landmarks_stay_where_classical_scaling_puts_them(ten, forests):
    found = proximity(forests("RF", ten, 70), ten, landmarks=60, components=3)
    alone, _, _, _ = classical_mds(found.distance, 3)
    np.testing.assert_allclose(found.coordinates[found.landmarks], alone, atol=1e-9)
    assert found.proximity is None
    assert found.landmark_proximity.shape == (60, 60)
    assert "200 samples against 60 landmarks" in found.label


def test_landmarks_give_nearly_the_picture_of_all_pairs():
    d = data.load("twonorm", n=600)
    forest = grow(FAMILIES["oRF-ridge"].replace(n_tree=200), d.X, d.y)
    exact = proximity(forest, d)
    rough = proximity(forest, d, landmarks=150)
    r = np.corrcoef(exact.coordinates[:, 0], rough.coordinates[:, 0])[0, 1]
    assert abs(r) > 0.99
    assert abs(exact.explained[0] - rough.explained[0]) < 0.1


def test_beyond_two_thousand_samples_landmarks_are_taken_of_every_class():
    d = data.load("blobs", n=2500)
    forest = grow(FAMILIES["RF"].replace(n_tree=20), d.X, d.y)
    found = proximity(forest, d, components=2)
    assert found.landmarks.size == 500
    assert found.coordinates.shape == (2500, 2)
    shares = np.bincount(d.y[found.landmarks]) / 500
    np.testing.assert_allclose(shares, d.class_counts / 2500, atol=0.01)


def test_outlyingness_is_breimans_formula(ten, forests):
    found = proximity(forests("RF", ten, 70), ten)
    for k in (0, 1):
        mine = ten.y == k
        raw = mine.sum() / (found.proximity[np.ix_(mine, mine)] ** 2).sum(axis=1)
        away = raw - np.median(raw)
        expected = away / np.median(np.abs(away))
        np.testing.assert_allclose(found.outlyingness[mine], expected)


def test_a_stray_sample_is_outlying_and_misclassified(rng):
    from explorer.data import Dataset

    X = np.vstack([rng.normal(-3, 1, size=(60, 3)), rng.normal(3, 1, size=(60, 3))])
    y = np.repeat([0, 1], 60)
    y[5] = 1  # in the middle of the other class
    d = Dataset("stray", X, y, ("a", "b"))
    found = proximity(grow(FAMILIES["RF"].replace(n_tree=200), d.X, d.y), d)
    assert found.outlyingness.argmax() == 5
    assert found.outlyingness[5] > 10
    np.testing.assert_array_equal(found.misclassified, [5])


def test_a_prototype_has_most_of_its_class_among_its_nearest(ten, forests):
    found = proximity(forests("oRF-ridge", ten, 70), ten, neighbours=25)
    nearest = np.argsort(-found.proximity, axis=1, kind="stable")[:, :25]
    hits = (ten.y[nearest] == ten.y[:, None]).sum(axis=1)
    for k in (0, 1):
        best = found.prototypes[k]
        assert ten.y[best] == k
        assert hits[best] == hits[ten.y == k].max()
        mine = nearest[best][ten.y[nearest[best]] == k]
        np.testing.assert_allclose(found.prototype_quartiles[k, 1], np.median(ten.X[mine], axis=0))


@pytest.mark.parametrize("landmarks", [None, 50])
def test_threads_change_no_proximity(landmarks, ten, forests):
    forest = forests("RF", ten, 70)
    one = proximity(forest, ten, landmarks=landmarks, threads=1)
    two = proximity(forest, ten, landmarks=landmarks, threads=2)
    np.testing.assert_array_equal(one.landmark_proximity, two.landmark_proximity)
    np.testing.assert_array_equal(one.coordinates, two.coordinates)


def test_a_forest_from_a_file_has_the_same_proximities(tmp_path, ten, forests):
    forest = forests("RF", ten, 70)
    forest.save(tmp_path / "forest.npz")
    again = Forest.load(tmp_path / "forest.npz")
    np.testing.assert_array_equal(proximity(again, ten).proximity, proximity(forest, ten).proximity)


def test_proximity_reports_progress_and_can_be_stopped(ten, forests):
    seen = []
    proximity(forests("RF", ten), ten, progress=lambda *a: seen.append(a))
    assert seen[-1] == (30, 30, "proximity")
    with pytest.raises(Cancelled):
        proximity(forests("RF", ten), ten, cancel=lambda: True)


def test_proximity_goes_to_pandas_and_json(ten, forests):
    found = proximity(forests("RF", ten), ten, components=2)
    assert {"coordinate 1", "coordinate 2", "outlyingness"} <= set(found.to_frame().columns)
    assert '"record": "Proximity"' in found.to_json()


def test_out_of_bag_leaves_are_those_of_walking(ten, forests):
    forest = forests("oRF-ridge", ten)
    leaves = measures.oob_leaves(forest)
    expected = np.where(forest.bags() == 0, forest.apply(ten.X).T, -1)
    np.testing.assert_array_equal(leaves, expected)


def test_class_sums_of_nodes_are_those_of_the_trees(ten, forests):
    forest = forests("RF", ten)
    sums = measures.node_sums(forest)
    expected = np.concatenate([[n.counts for n in tree.nodes] for tree in forest])
    np.testing.assert_array_equal(sums, expected)
