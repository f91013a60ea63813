"""Ridge regression on the node's standardised features (Menze s.2, eq. 2, steps 3-4).

The two groups are coded -1 and +1. ``oRF-ridge`` tries every lambda and keeps the one that
puts most out-of-bag weight at this node on its right side of zero, the smallest on ties (the
authors' sentence says "optimized using the out-of-bag samples residing at the same node"; their
package counts matches, and so do we). Growth stops where no out-of-bag sample is left. A tree
grown without a bootstrap has none anywhere: it keeps the lambda whose best cut decreases
impurity most. ``oRF-lda`` is lambda = 0, which needs no choosing.
"""

import numpy as np

from ..grow import grow_trees
from ..jit import kernel, step
from ..linear import (
    cut_along,
    draw_node_features,
    dual_gram,
    gram,
    load_columns,
    raw_weights,
    standardise,
    two_groups,
)
from ..sample import NONE
from ..tridiagonal import ridge_path


@step
def fit_path(table, knobs, node, work):
    """Fill work.coef[l, :m] for every lambda; returns (features drawn, features that vary, mean
    of the target)."""
    n = node.b - node.a
    m = draw_node_features(knobs, node, work)
    Z = work.Z
    load_columns(table.XT, node.pool, m, node.rows, node.a, n, Z)
    varying = standardise(Z, n, m, node.w, work.mean, work.scale)
    if varying == 0:
        return m, 0, 0.0
    two_groups(node.y, node.w, n, node.totals, Z, m, work.side, work.means, work.target)
    s, total = 0.0, 0.0
    for i in range(n):
        s += node.w[i] * work.target[i]
        total += node.w[i]
    mean = s / total
    b = work.vec[5]
    if n >= m:
        gram(Z, m, n, node.w, work.chunk, work.gram)
        for j in range(m):
            s = 0.0
            for i in range(n):
                s += node.w[i] * work.target[i] * Z[j, i]
            b[j] = s
        ridge_path(work.gram, b, m, knobs.lambdas, work.coef, work.vec)
    else:  # fewer samples than features: the dual system is the smaller one
        root = work.omega
        for i in range(n):
            root[i] = np.sqrt(node.w[i])
            b[i] = root[i] * (work.target[i] - mean)
        dual_gram(Z, m, n, root, work.gram)
        ridge_path(work.gram, b, n, knobs.lambdas, work.coef, work.vec)
        alpha = work.vec[6]
        for l in range(knobs.lambdas.size):  # noqa: E741
            for i in range(n):
                alpha[i] = root[i] * work.coef[l, i]
            for j in range(m):
                s = 0.0
                for i in range(n):
                    s += alpha[i] * Z[j, i]
                work.coef[l, j] = s
    return m, varying, mean


@step
def choose_out_of_bag(table, knobs, node, work, m, mean):
    """The lambda that gets most out-of-bag weight right, or -1 where there is none to judge."""
    right = work.vec[0]
    z = work.vec[1]
    L = knobs.lambdas.size
    for l in range(L):  # noqa: E741
        right[l] = 0.0
    judged = 0.0
    for i in range(node.c, node.d):
        row = node.oob[i]
        side = work.side[table.y[row]]
        weight = table.weight[row]
        if side == 0.0 or weight <= 0.0:
            continue
        judged += weight
        for j in range(m):
            z[j] = 0.0
            if work.scale[j] > 0.0:
                z[j] = (table.XT[node.pool[j], row] - work.mean[j]) / work.scale[j]
        for l in range(L):  # noqa: E741
            s = mean
            for j in range(m):
                s += work.coef[l, j] * z[j]
            if (s > 0.0) == (side > 0.0):
                right[l] += weight
    if judged == 0.0:
        return -1
    best = 0
    for l in range(1, L):  # noqa: E741
        if right[l] > right[best]:
            best = l
    return best


@step
def ridge(table, knobs, node, work, split):
    L = knobs.lambdas.size
    if L > 1 and knobs.bootstrap != NONE and node.c == node.d:
        return False
    m, varying, mean = fit_path(table, knobs, node, work)
    if varying == 0:
        return False
    if L == 1:
        chosen = 0
    elif knobs.bootstrap != NONE:
        chosen = choose_out_of_bag(table, knobs, node, work, m, mean)
        if chosen < 0:
            return False
    else:
        chosen, best = -1, -np.inf
        for l in range(L):  # noqa: E741
            if raw_weights(node.pool, work.coef[l], work.scale, m, split) and cut_along(
                table, knobs, node, work, split, best
            ):
                chosen, best = l, split.gain[0]
        if chosen < 0:
            return False
    if not raw_weights(node.pool, work.coef[chosen], work.scale, m, split):
        return False
    return cut_along(table, knobs, node, work, split, -np.inf)


@kernel
def grow_ridge(table, knobs, first, trees, block, stop):
    return grow_trees(ridge, True, table, knobs, first, trees, block, stop)
