"""Fixed-increment perceptron, falling back to central axis projection (Ho s.2).

Classes are grouped as Ho does (linear.two_groups), on the node's standardised features. The
perceptron passes over the samples in order, adding a misclassified one to its weights, until
a pass makes no error or after EPOCHS passes. Ho asks for the hyperplane "minimizing the number
of points on the wrong side": the weights with the smallest error after any pass are kept. If
they leave all samples on one side, the node is split by central axis projection.
"""

import numpy as np

from ..grow import grow_trees, make_yard
from ..impurity import worth
from ..jit import fast_step, kernel, maker, step, template
from ..linear import (
    draw_node_features,
    inner_criterion,
    load_columns,
    project,
    raw_weights,
    standardise,
    two_groups,
)
from ..scratch import OBLIQUE
from .cap import central_axis

EPOCHS = 100


@fast_step
def _score(row, v, m):
    s = 0.0
    for j in range(m):
        s += row[j] * v[j]
    return s


@step
def train(rows, target, w, n, m, v, pocket):
    """Train on rows[n, m] (last column 1); ``pocket`` gets the best weights. Returns its error."""
    for j in range(m):
        v[j] = 0.0
        pocket[j] = 0.0
    best = np.inf
    for _ in range(EPOCHS):
        moved = False
        for i in range(n):
            if target[i] * _score(rows[i], v, m) <= 0.0:
                moved = True
                for j in range(m):
                    v[j] += target[i] * rows[i, j]
        error = 0.0
        for i in range(n):
            if target[i] * _score(rows[i], v, m) <= 0.0:
                error += w[i]
        if error < best:
            best = error
            for j in range(m):
                pocket[j] = v[j]
        if not moved or best == 0.0:
            break
    return best


@template
def perceptron(table, knobs, node, work, split):
    n = node.b - node.a
    m = draw_node_features(knobs.m_try, knobs.per_tree, work.state, node.pool)
    Z = work.Z
    load_columns(table.XT, node.pool, m, node.rows, node.a, n, Z)
    if standardise(Z, n, m, node.w, work.mean, work.scale) == 0:
        return False
    two_groups(node.y, node.w, n, node.totals, Z, m, work.side, work.means, work.target)
    rows = np.empty((n, m + 1))
    for i in range(n):
        for j in range(m):
            rows[i, j] = Z[j, i]
        rows[i, m] = 1.0
    plane = work.coef[0]
    train(rows, work.target, node.w, n, m + 1, work.vec[0], plane)
    split.size[0] = raw_weights(node.pool, plane, work.scale, m, split.index, split.value)
    if split.size[0] > 0:
        cut = -plane[m]
        for j in range(m):
            if work.scale[j] > 0.0:
                cut += plane[j] / work.scale[j] * work.mean[j]
        left, right = work.bench.left, work.bench.right
        project(
        table.XT, split.index, split.value, split.size[0], node.rows, node.a, n, work.value
    )
        for k in range(left.size):
            left[k] = 0.0
        below = 0
        for i in range(n):
            if work.value[i] <= cut:
                left[node.y[i]] += node.w[i]
                below += 1
        if 0 < below < n and np.isfinite(cut):
            for k in range(left.size):
                right[k] = node.totals[k] - left[k]
            criterion = inner_criterion(knobs.criterion)
            split.kind[0] = OBLIQUE
            split.cut[0] = cut
            split.gain[0] = max(
                0.0,
                worth(left, criterion) + worth(right, criterion) - worth(node.totals, criterion),
            )
            return True
    return central_axis(table, knobs, node, work, split, m)


@maker
def _perceptron_trees(table, knobs, first, trees, block, stop, yard):
    return grow_trees(perceptron, table, knobs, first, trees, block, stop, yard)


@kernel
def grow_perceptron(table, knobs, first, trees, block, stop):
    yard = make_yard(table, knobs, True)
    return _perceptron_trees(table, knobs, first, trees, block, stop, yard)
