"""Tree t depends on data, spec and t alone; growing reports, and stops when told to."""

import ast
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from explorer.engine import FAMILIES, Cancelled, grow, growing
from explorer.engine.kernels import jit
from explorer.engine.threads import available

from . import naive
from .toys import blobs, grown, same, small

SEVERAL = (
    "CART",
    "RF",
    "RF-thresholds",
    "oRF-ridge",
    "oRF-log",
    "FRANK",
    "RR-RF",
    "RF-ODT",
    "RDF-PER",
    "oRF-mixed",
)


def three_trees(name):
    return FAMILIES[name].replace(n_tree=3 if name == "CART" else 9, seed=4)


@pytest.fixture(scope="module")
def data():
    return blobs(1, n=70, P=6, K=3)


@pytest.mark.parametrize("name", SEVERAL)
def test_threads_do_not_change_a_bit(name, data):
    one, two = (grow(three_trees(name), *data, threads=k) for k in (1, 2))
    assert same(one, two)


@pytest.mark.parametrize("name", SEVERAL)
@pytest.mark.parametrize(("seconds", "size"), [(0.0, 64 << 20), (1e9, 64 << 20), (1e9, 1)])
def test_blocks_do_not_change_a_bit(name, data, seconds, size, monkeypatch):
    usual = grow(three_trees(name), *data)
    monkeypatch.setattr(growing, "BLOCK_SECONDS", seconds)
    monkeypatch.setattr(growing, "BLOCK_BYTES", size)
    assert same(usual, grow(three_trees(name), *data, threads=1))
    assert same(usual, grow(three_trees(name), *data, threads=2))


@pytest.mark.parametrize("name", SEVERAL)
def test_the_first_trees_of_a_large_forest_are_a_small_forest(name, data):
    large = grow(three_trees(name), *data)
    small_one = grow(three_trees(name).replace(n_tree=2), *data)
    assert same(large.take(2), small_one)
    assert large.take(2).spec == small_one.spec


@pytest.mark.parametrize("name", SEVERAL)
def test_extending_equals_growing_at_once(name, data):
    spec = three_trees(name)
    step = grow(spec.replace(n_tree=1), *data).extend(2)
    assert same(step.extend(spec.n_tree), grow(spec, *data))
    assert step.n_tree == 2, "a forest is left as it was"


def test_another_seed_is_another_forest(data):
    for name in ("RF", "oRF-ridge", "FRANK", "RR-RF", "RDF-PER"):
        a, b = (grow(three_trees(name).replace(seed=s), *data) for s in (0, 1))
        assert not same(a, b)


def test_growing_leaves_the_data_alone(data):
    X, y = (a.copy() for a in data)
    w = np.full(len(y), 2.0)
    for name in SEVERAL:
        grown(name, X, y, sample_weight=w)
    np.testing.assert_array_equal(X, data[0])
    np.testing.assert_array_equal(y, data[1])
    np.testing.assert_array_equal(w, 2.0)


@pytest.mark.parametrize("name", FAMILIES)
def test_growing_and_walking_agree_on_every_row(name):
    """Rows fall where growing put them: out-of-bag leaves and the counts of in-bag leaves."""
    X, y = blobs(2, n=90, P=5, K=3, decimals=1)
    w = np.random.default_rng(0).choice([0.0, 0.5, 2.0], 90)
    forest = grown(name, X, y, sample_weight=w)
    leaves = forest.apply(X)
    for t, times in enumerate(forest.bags()):
        counts = np.zeros((forest.leaf_at[t + 1] - forest.leaf_at[t], 3))
        np.add.at(counts, (leaves[:, t], y), times * forest.training.weight)
        np.testing.assert_allclose(
            counts, forest.counts[forest.leaf_at[t] : forest.leaf_at[t + 1]], rtol=1e-12
        )
        if name != "CART":  # a pruned tree keeps no out-of-bag leaves
            stored = forest.oob_leaf[forest.oob_at[t] : forest.oob_at[t + 1]]
            np.testing.assert_array_equal(leaves[times == 0, t], stored)


def test_a_weight_is_worth_as_many_copies_of_the_row():
    X, y = blobs(3, n=40, P=4, K=2)
    w = np.random.default_rng(1).integers(1, 4, 40)
    knobs = {"bootstrap": "none", "m_try": "all", "n_tree": 1}
    for name in ("RF", "oRF-lda", "RF-ODT", "oRF-log"):
        spec = FAMILIES[name].replace(**knobs)
        weighed = grow(spec, X, y, sample_weight=w.astype(float)).tree(0).nodes[0]
        copied = grow(spec, np.repeat(X, w, axis=0), np.repeat(y, w)).tree(0).nodes[0]
        assert weighed.gain == pytest.approx(copied.gain, rel=1e-6), name
        np.testing.assert_array_equal(weighed.counts, copied.counts)
        order = [np.argsort(node.features) for node in (weighed, copied)]
        np.testing.assert_allclose(
            weighed.weights[order[0]], copied.weights[order[1]], rtol=1e-6, err_msg=name
        )


@pytest.mark.parametrize("name", ["RF", "oRF-lda", "F-RC", "RDF-PER"])
def test_the_size_of_weights_does_not_matter(name):
    X, y = blobs(4, n=40, P=4, K=2)
    w = np.random.default_rng(2).choice([1.0, 3.0], 40)
    usual = grown(name, X, y, sample_weight=w)
    for factor in (2.0**-600, 2.0**600):
        other = grown(name, X, y, sample_weight=w * factor)
        np.testing.assert_array_equal(other.cut, usual.cut)
        np.testing.assert_array_equal(other.apply(X), usual.apply(X))


def test_max_depth_and_min_leaf_are_kept():
    X, y = blobs(5, n=120, P=4, K=3)
    for name in FAMILIES:
        depths = [tree.depth for tree in grown(name, X, y, max_depth=2)]
        assert max(depths) <= 2
        assert {len(tree) for tree in grown(name, X, y, max_depth=0)} == {1}
        forest = grown(name, X, y, min_leaf=20)
        for tree in forest:
            for node in tree.nodes:
                assert node.is_leaf or node.counts.sum() > 20, name


@pytest.mark.parametrize("name", ["RF", "RF-rnd", "RF-C4.5", "oRF-rnd", "oRF-lda", "RDF-CAP"])
def test_full_depth_means_pure_leaves(name):
    X, y = blobs(6, n=100, P=5, K=4)
    forest = grown(name, X, y)
    assert ((forest.counts > 0).sum(axis=1) == 1).all()


# ---- progress and cancelling


@pytest.mark.parametrize("name", ["CART", "RF", "oRF-ridge", "RR-RF(r)"])
def test_progress_is_monotone_and_ends_at_n_tree(name):
    X, y = blobs(7, n=300, P=6, K=3)
    heard = []
    spec = FAMILIES[name].replace(n_tree=2 if name == "CART" else 300)
    grow(spec, X, y, progress=lambda *news: heard.append(news))
    done = [d for d, _, _ in heard]
    assert done == sorted(done)
    assert {wanted for _, wanted, _ in heard} == {spec.n_tree}
    assert heard[-1][0] == spec.n_tree
    assert all(isinstance(what, str) and what for _, _, what in heard)


LONG = {"RF": {}, "RDF-PER": {}, "F-RC": {"n_candidates": 2000}}


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("how", ["event", "function"])
def test_cancelling_a_long_growth_returns_at_once(name, how):
    X = np.random.default_rng(0).normal(size=(3000, 20))
    y = np.arange(3000) % 2
    spec = FAMILIES[name].replace(n_tree=100_000, **LONG[name])
    grown(name, *blobs())  # compiled before the clock runs
    began = time.monotonic()
    if how == "event":
        cancel = threading.Event()
        timer = threading.Timer(0.3, cancel.set)
        timer.start()
    else:
        cancel = lambda: time.monotonic() > began + 0.3  # noqa: E731
    with pytest.raises(Cancelled):
        grow(spec, X, y, cancel=cancel)
    assert 0.25 < time.monotonic() - began < 10


def test_a_growth_cancelled_before_it_starts_grows_nothing():
    news = []
    with pytest.raises(Cancelled):
        grow(FAMILIES["RF"], *blobs(), cancel=lambda: True, progress=lambda *a: news.append(a))
    assert all(done == 0 for done, _, _ in news)
    with pytest.raises(Cancelled):
        grow(FAMILIES["CART"], *blobs(), cancel=lambda: True)


def test_a_cancel_that_never_comes_changes_nothing():
    X, y = blobs(8)
    for name in ("RF", "CART", "RR-RF"):
        assert same(grown(name, X, y), grow(small(name), X, y, cancel=threading.Event()))


def test_trees_that_are_done_while_somebody_looks_are_no_error(monkeypatch):
    monkeypatch.setattr(growing, "_PATIENCE", 0.0)
    for _ in range(300):
        assert grow(small("RF"), *blobs(), cancel=lambda: False).n_tree == small("RF").n_tree


def test_an_error_in_the_progress_hook_reaches_the_caller():
    def hook(*news):
        raise LookupError("no such widget")

    with pytest.raises(LookupError, match="no such widget"):
        grow(FAMILIES["RF"], *blobs(), progress=hook)
    assert same(grown("RF", *blobs()), grown("RF", *blobs())), "and growing goes on afterwards"


@pytest.mark.parametrize("threads", [0, -1, 1.5, "two", True])
def test_threads_must_be_a_whole_number(threads):
    with pytest.raises(ValueError, match="threads"):
        grow(small("RF"), *blobs(), threads=threads)


def test_more_threads_than_cores_are_no_error():
    assert same(grow(small("RF"), *blobs(), threads=available() + 7), grown("RF", *blobs()))


def test_forests_can_be_grown_from_many_threads_at_once():
    X, y = blobs(9)
    expected = {name: grown(name, X, y) for name in ("RF", "oRF-ridge", "FRANK")}
    found, errors = [], []

    def work(name):
        try:
            found.append((name, grow(small(name), X, y)))
        except Exception as error:  # what went wrong is asserted below
            errors.append(error)

    crowd = [threading.Thread(target=work, args=(name,)) for name in expected for _ in range(4)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    assert not errors
    assert len(found) == 12
    assert all(same(forest, expected[name]) for name, forest in found)


COLD = """
import json, warnings
import numpy as np
from explorer.engine import FAMILIES, grow
warnings.simplefilter("error")
news = []
X = np.arange(20.0).reshape(10, 2)
spec = FAMILIES["RF-thresholds"].replace(n_tree=2)
grow(spec, X, [0, 1] * 5, progress=lambda *a: news.append(a))
first = list(news)
news.clear()
grow(spec, X, [0, 1] * 5, progress=lambda *a: news.append(a))
print(json.dumps([first, news]))
"""


def test_a_first_run_says_what_it_compiles_and_a_second_does_not(tmp_path):
    env = dict(os.environ, EXPLORER_CACHE_DIR=str(tmp_path))

    def run():
        done = subprocess.run(
            [sys.executable, "-c", COLD], env=env, capture_output=True, text=True, check=True
        )
        return json.loads(done.stdout)

    first, second = run()
    assert any("compiling thresholds splits" in what for _, _, what in first)
    assert not any("compiling" in what for _, _, what in second)
    began = time.monotonic()
    warm, _ = run()
    assert not any("compiling" in what for _, _, what in warm), "the cache is on disk"
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_announces_its_compilation(name, monkeypatch):
    """As on a machine that has compiled nothing, but without the wait."""
    grown(name, *blobs())
    monkeypatch.setattr(jit, "_ready", set())
    monkeypatch.setattr(jit, "CACHE_DIR", None)
    news = []
    grow(small(name), *blobs(), progress=lambda *a: news.append(a))
    assert any("compiling" in what for _, _, what in news)


def test_kernels_import_nothing_that_their_cache_does_not_watch():
    """The cache's name is a hash of the sources in the kernels' folder alone."""
    folder = Path(jit.__file__).parent
    for path in folder.rglob("*.py"):
        depth = len(path.relative_to(folder).parts)  # so many dots stay in the folder
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                assert node.level <= depth, f"{path.name} imports from outside the kernels' folder"
                assert not (node.module or "").startswith("explorer"), path.name
            elif isinstance(node, ast.Import):
                assert not any(name.name.startswith("explorer") for name in node.names), path.name
    engine = folder.parent
    for path in engine.rglob("*.py"):
        if folder not in path.parents:
            assert "import kernel" not in path.read_text(), f"{path.name} declares a kernel"


def test_a_forest_without_progress_logs_once_that_it_compiles(monkeypatch, caplog):
    grown("RF", *blobs())  # which may really compile
    caplog.clear()
    monkeypatch.setattr(jit, "_ready", set())
    monkeypatch.setattr(jit, "CACHE_DIR", None)
    for _ in range(2):
        grow(small("RF"), *blobs())  # no progress
    said = [record.getMessage() for record in caplog.records if record.name == "explorer"]
    assert len(said) == 1
    assert "compiling axis splits" in said[0]
    assert "forest-explorer warm" in said[0]


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    code = "from explorer.engine.kernels import jit; print(jit.CACHE_DIR)"
    env = dict(os.environ, EXPLORER_CACHE_DIR=str(blocked))
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "None"


def test_bags_are_the_twins(data):
    forest = grow(three_trees("RF"), *data)
    for t, times in enumerate(forest.bags()):
        np.testing.assert_array_equal(times, naive.bag(4, t, np.arange(70), 70, "with"))


def test_a_bag_larger_than_most_fits_too():
    """Room is reserved for the bag of an average tree; small data have bags of every row."""
    X, y = np.arange(4.0)[:, None], np.array([0, 1, 0, 1])
    for name in ("RF", "oRF-rnd", "RR-RF", "F-RC"):
        forest = grow(FAMILIES[name].replace(n_tree=400, min_leaf=1), X, y)
        assert (forest.bags() > 0).all(axis=1).any()
        assert forest.n_tree == 400
