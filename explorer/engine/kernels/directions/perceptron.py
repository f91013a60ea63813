"""Fixed-increment perceptron, falling back to central axis projection (Ho s.2).

Classes are grouped as Ho does (linear.two_groups), on the node's standardised features. The
perceptron passes over the samples in order, adding a misclassified one to its weights, until
a pass makes no error or after EPOCHS passes. Ho asks for the hyperplane "minimizing the number
of points on the wrong side": the weights with the smallest error after any pass are kept. If
they leave all samples on one side, the node is split by central axis projection.
"""

import numpy as np

from ..grow import grow_trees
from ..impurity import worth
from ..jit import fast_step, grower, step, template
from ..linear import (
    draw_varying,
    inner_criterion,
    load_columns,
    project,
    raw_weights,
    standardise,
    two_groups,
)
from ..scratch import (
    CUT,
    GAIN,
    KIND,
    OBLIQUE,
    SIZE,
)
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
    m = draw_varying(
        knobs.m_try, knobs.per_tree, work.state, node.pool, table.XT, node.rows, node.a, n
    )
    if m == 0:
        return False
    Z = work.model.Z
    load_columns(table.XT, node.pool, m, node.rows, node.a, n, Z)
    if standardise(Z, n, m, node.w, work.model.mean, work.model.scale) == 0:
        return False
    two_groups(
        node.y, node.w, n, node.totals, Z, m, work.model.side, work.model.means, work.model.target
    )
    rows = work.model.extra
    for i in range(n):
        for j in range(m):
            rows[i, j] = Z[j, i]
        rows[i, m] = 1.0
    plane = work.model.coef[0]
    train(rows, work.model.target, node.w, n, m + 1, work.model.vec[0], plane)
    split.what[SIZE] = raw_weights(node.pool, plane, work.model.scale, m, split.index, split.value)
    if split.what[SIZE] > 0:
        cut = -plane[m]
        for j in range(m):
            if work.model.scale[j] > 0.0:
                cut += plane[j] / work.model.scale[j] * work.model.mean[j]
        left, right = work.bench.pair[0], work.bench.pair[1]
        project(
            table.XT, split.index, split.value, split.what[SIZE], node.rows, node.a, n, work.value
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
            split.what[KIND] = OBLIQUE
            split.score[CUT] = cut
            split.score[GAIN] = max(
                0.0,
                worth(left, criterion) + worth(right, criterion) - worth(node.totals, criterion),
            )
            return True
    return central_axis(table, knobs, node, work, split, m)


@grower
def grow_perceptron(table, knobs, first, trees, block, stop, yard):
    return grow_trees(perceptron, table, knobs, first, trees, block, stop, yard)
