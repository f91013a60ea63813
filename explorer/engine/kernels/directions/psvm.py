"""Proximal SVM: the plane w.x = b of Do eq. 3, on standardised features.

(w, b) = (I/c + E' E)^-1 E' D e with E = [A  -e], solved in the m+1 unknowns or, where there
are fewer samples, in as many as there are samples. Cost re-balancing (Do s.2.3, Veropoulos et
al.) multiplies each sample's squared error by (node weight) / (2 x weight of its group), so
that both groups weigh the same. The node is split at the plane itself; if all its samples lie
on one side, at the best cut along w.
"""

import numpy as np

from ..grouping import group_classes
from ..grow import grow_trees
from ..impurity import worth
from ..jit import grower, step, template
from ..linear import (
    cholesky,
    cholesky_solve,
    cut_along,
    draw_varying,
    dual_gram,
    gram,
    inner_criterion,
    load_columns,
    project,
    raw_weights,
    standardise,
    triple,
)
from ..scratch import (
    CUT,
    GAIN,
    KIND,
    OBLIQUE,
    SIZE,
)


@step
def solve(Z, m, n, target, omega, cost, model, out):
    """out[:m+1] := (w, b) of eq. 3 for the rows of Z[:m] and sample weights omega.

    Row m of Z is overwritten with the -1 of E. False if the system cannot be solved.
    """
    for i in range(n):
        Z[m, i] = -1.0
    x = model.vec[0]
    if n > m:
        gram(Z, m + 1, n, omega, model.chunk, model.gram)
        for j in range(m + 1):
            model.gram[j, j] += 1.0 / cost
            x[j] = triple(omega, target, Z[j], n)
        if not cholesky(model.gram, m + 1):
            return False
        cholesky_solve(model.gram, m + 1, x)
        for j in range(m + 1):
            out[j] = x[j]
        return True
    root = model.vec[1]
    for i in range(n):
        root[i] = np.sqrt(omega[i])
        x[i] = root[i] * target[i]
    dual_gram(Z, m + 1, n, root, model.gram)
    for i in range(n):
        model.gram[i, i] += 1.0 / cost
    if not cholesky(model.gram, n):
        return False
    cholesky_solve(model.gram, n, x)
    for j in range(m + 1):
        s = 0.0
        for i in range(n):
            s += root[i] * x[i] * Z[j, i]
        out[j] = s
    return True


@step
def group_weights(node, target, n, balance, omega):
    """Weights of the squared errors: those of the samples, balanced between the groups."""
    minus, plus = 0.0, 0.0
    for i in range(n):
        if target[i] > 0.0:
            plus += node.w[i]
        else:
            minus += node.w[i]
    for i in range(n):
        omega[i] = node.w[i]
        if balance:
            omega[i] *= 0.5 * (minus + plus) / (plus if target[i] > 0.0 else minus)


@template
def psvm(table, knobs, node, work, split):
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
    group_classes(knobs.grouping, work.state, node.y, node.w, n, node.totals, Z, m, work.model)
    group_weights(node, work.model.target, n, knobs.balance, work.model.omega)
    plane = work.model.coef[0]
    if not solve(Z, m, n, work.model.target, work.model.omega, knobs.cost, work.model, plane):
        return False
    split.what[SIZE] = raw_weights(node.pool, plane, work.model.scale, m, split.index, split.value)
    if split.what[SIZE] == 0:
        return False
    cut = plane[m]
    for j in range(m):
        if work.model.scale[j] > 0.0:
            cut += plane[j] / work.model.scale[j] * work.model.mean[j]

    # class sums on both sides of the plane
    left, right = work.bench.pair[0], work.bench.pair[1]
    project(table.XT, split.index, split.value, split.what[SIZE], node.rows, node.a, n, work.value)
    for k in range(left.size):
        left[k] = 0.0
    below = 0
    for i in range(n):
        if work.value[i] <= cut:
            left[node.y[i]] += node.w[i]
            below += 1
    if below == 0 or below == n or not np.isfinite(cut):
        return cut_along(table, knobs, node, work, split, -np.inf)
    for k in range(left.size):
        right[k] = node.totals[k] - left[k]
    criterion = inner_criterion(knobs.criterion)
    split.what[KIND] = OBLIQUE
    split.score[CUT] = cut
    split.score[GAIN] = max(
        0.0, worth(left, criterion) + worth(right, criterion) - worth(node.totals, criterion)
    )
    return True


@grower
def grow_psvm(table, knobs, first, trees, block, stop, yard):
    return grow_trees(psvm, table, knobs, first, trees, block, stop, yard)
