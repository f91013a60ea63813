"""No file and no number makes a kernel read or write out of bounds, or loop forever."""

import ast
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import explorer
from explorer.engine import Forest, ForestSpec, Plane, grow
from explorer.engine.flat import flatten

from .forged_forests import forged, poke
from .toys import blobs, grown

ROOT = Path(explorer.__file__).parent.parent
KERNELS = sorted((ROOT / "explorer" / "engine" / "kernels").rglob("*.py"))
X, Y = blobs(1, n=40, P=4, K=3)


def saved(forest):
    out = io.BytesIO()
    forest.save(out)
    return out.getvalue()


RF = saved(grown("RF", X, Y, n_tree=3))
FRANK = saved(grown("FRANK", X, Y, n_tree=3))
RANKED = saved(grown("RF", X, Y, n_tree=3, scaling="rank"))


def array(data, name):
    with np.load(io.BytesIO(data)) as file:
        return file[name]


def refused(data, **changes):
    with pytest.raises(ValueError, match=r"^This file is .*\.$"):
        Forest.load(io.BytesIO(forged(data, **changes)))


@pytest.mark.parametrize("child", [2**31 - 1, 2**31 - 2, -(2**31)])
def test_a_child_number_that_overflows_its_check_is_refused(child):
    refused(RF, **poke("left", child))


def test_a_node_with_two_parents_is_refused():
    feature, left = array(RF, "feature"), array(RF, "left")
    inner = np.flatnonzero(feature[: array(RF, "node_at")[1]] != -1)
    # the root's children are those of a later node too
    refused(RF, **poke("left", left[inner[1]], inner[0]))


def test_two_nodes_that_share_a_leaf_are_refused():
    feature, left = array(RF, "feature"), array(RF, "left")
    leaves = np.flatnonzero(feature[: array(RF, "node_at")[1]] == -1)
    refused(RF, **poke("left", left[leaves[0]], leaves[1]))


def test_a_tree_with_more_leaves_than_nodes_for_them_is_refused():
    refused(RF, leaf_at=lambda a: np.concatenate([a[:1], a[1:2] - 1, a[2:]]))


@pytest.mark.parametrize("name", ["cut", "gain", "shift"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite_are_refused(name, value):
    refused(RF, **poke(name, value))
    refused(FRANK, **poke("value", value))


@pytest.mark.parametrize("value", [1e300, 0.0, -1.0, 41.0])
def test_ranks_outside_of_the_sample_are_refused(value):
    refused(RANKED, **poke("ranks", value))
    refused(RANKED, **poke("ranks", value, -1))


def test_ranks_and_values_that_do_not_rise_are_refused():
    refused(RANKED, **poke("values", array(RANKED, "values")[1]))
    refused(RANKED, **poke("ranks", array(RANKED, "ranks")[1]))


def test_a_count_of_rows_that_is_not_the_samples_is_refused():
    refused(RANKED, header=lambda header: header.update(scaling_n=2**40))


def test_weights_of_a_node_that_has_none_are_refused():
    feature = array(FRANK, "feature")
    leaf = int(np.flatnonzero(feature == -1)[0])
    refused(FRANK, **poke("end", 2**31 - 1, leaf))


def test_a_crossing_that_is_no_number_does_not_stop_the_search():
    """Scores of both signs that are infinite have no crossing time; halfway is as good as any."""
    x = np.array([-1.7e308, -1.6e308, 1.6e308, 1.7e308] * 5)
    data = np.column_stack([x, -x, np.roll(x, 1)])
    spec = ForestSpec(split="random", n_tree=5, m_try=3)
    forest = grow(spec, data, (x > 0).astype(int))
    plane = Plane(np.full(3, -8e307), np.full(3, 1.6e308), np.array([1.6e308, 0.0, 1e308]))
    flat = flatten(forest, plane)
    a, b = np.zeros((9, 2)), np.ones((9, 2))
    a[:, 1] = b[:, 1] = np.linspace(0, 1, 9)
    met = flat.cross(a, b, threads=1)
    assert np.isfinite(met).all()
    assert ((met >= 0) & (met <= 1)).all()


def bounds_checked(*args):
    done = subprocess.run(
        [sys.executable, "-m", "tests.engine.every_kernel", *map(str, args)],
        cwd=ROOT,
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_forged_files_are_refused_or_harmless_under_bounds_checks():
    found = bounds_checked("hostile_files", 20260101, 400)
    assert found["wrong"] == []
    assert 200 < found["refused"] < 400, "some are refused, and some reach the kernels"


def test_numbers_near_the_largest_are_harmless_under_bounds_checks():
    assert bounds_checked("huge_numbers", 20260101, 60)["wrong"] == []


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_every_loop_of_a_kernel_says_why_it_ends(path):
    """A while loop without the GIL that does not end cannot be stopped by anything."""
    text = path.read_text()
    lines = text.splitlines()
    silent = [
        f"{path.name}:{node.lineno}"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.While)
        and "# Bounded:" not in lines[node.lineno - 1]
        and "# Bounded:" not in lines[node.lineno - 2]
    ]
    assert silent == [], "say in a comment '# Bounded: ...' why this loop ends"
