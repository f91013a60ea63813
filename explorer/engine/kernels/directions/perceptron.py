"""Fixed-increment perceptron, falling back to central axis projection (Ho s.2).

Classes are grouped as Ho does (linear.two_groups), on the node's standardised features. The
perceptron passes over the samples in order, adding a misclassified one to its weights, until
a pass makes no error, after EPOCHS passes, or once PATIENCE passes in a row have found no better
plane: on a node that no plane separates, more passes seldom do (docs/families.md has the errors
with and without this rule). A sample of weight 3 is shown three times in a row
(one of weight 2.5 twice, and then moves the weights half as far), so that weights equal repeats.
Ho asks for the hyperplane "minimizing the number of points on the wrong side": the weights with
the smallest error after any pass are kept. If they leave all samples on one side, the node is
split by central axis projection.
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
PATIENCE = 5  # passes without a better plane after which there will hardly be one
STEPS = 1000  # at most, for one sample in one epoch
ROUNDING = 1e-9  # of the error; sums of weights that differ by less are equal
PIECE = 256  # samples whose scores are counted at once


@fast_step
def _score(row, v, m):
    s = 0.0
    for j in range(m):
        s += row[j] * v[j]
    return s


@step
def _wrong(Z, target, w, n, m, v, limit, score):
    """Weight of the samples on the wrong side of v, or a part of it that reaches ``limit``."""
    error = 0.0
    for start in range(0, n, PIECE):
        size = min(PIECE, n - start)
        for i in range(size):
            score[i] = v[m]
        for j in range(m):
            x, c = Z[j, start : start + size], v[j]
            for i in range(size):
                score[i] += c * x[i]
        for i in range(size):  # no branch: sides are unpredictable
            error += w[start + i] * np.float64(target[start + i] * score[i] <= 0.0)
        if error >= limit:
            break
    return error


@step
def train(rows, Z, target, w, n, m, v, pocket, score):
    """Train on Z[m, n] and a constant; ``pocket`` gets the best weights, the constant's last.

    rows: float64[n, m + 1], the same samples one by one, each with a 1 at its end; score:
    float64[PIECE], scratch. Returns the error of the pocket.
    """
    for j in range(m + 1):
        v[j] = 0.0
        pocket[j] = 0.0
    best = np.inf
    waited = 0
    for _ in range(EPOCHS):
        moved = False
        for i in range(n):
            left = w[i]
            steps = 0
            # Bounded: steps is counted; a weight may be so large that left - 1 is left
            while left > 0.0 and steps < STEPS and target[i] * _score(rows[i], v, m + 1) <= 0.0:
                steps += 1
                moved = True
                step = target[i] * min(left, 1.0)
                for j in range(m + 1):
                    v[j] += step * rows[i, j]
                left -= 1.0
        error = _wrong(Z, target, w, n, m, v, best, score)
        waited += 1
        if error < best * (1.0 - ROUNDING):
            best = error
            waited = 0
            for j in range(m + 1):
                pocket[j] = v[j]
        if not moved or best == 0.0 or waited >= PATIENCE:
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
    train(rows, Z, work.model.target, node.w, n, m, work.model.vec[0], plane, work.model.chunk)
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
