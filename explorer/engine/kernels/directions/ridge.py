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
from ..jit import fast_step, grower, step, template
from ..linear import (
    cut_along,
    draw_varying,
    dual_gram,
    gram,
    load_columns,
    raw_weights,
    standardise,
    triple,
    two_groups,
)
from ..sample import NONE
from ..scratch import GAIN, SIZE
from ..tridiagonal import ridge_path


@step
def fit_path(table, knobs, node, work):
    """Fill work.model.coef[l, :m] for every lambda.

    Returns how many features were drawn, how many vary, and the mean of the target.
    """
    n = node.b - node.a
    m = draw_varying(
        knobs.m_try, knobs.per_tree, work.state, node.pool, table.XT, node.rows, node.a, n
    )
    if m == 0:
        return m, 0, 0.0
    Z = work.model.Z
    load_columns(table.XT, node.pool, m, node.rows, node.a, n, Z)
    varying = standardise(Z, n, m, node.w, work.model.mean, work.model.scale)
    if varying == 0:
        return m, 0, 0.0
    two_groups(
        node.y, node.w, n, node.totals, Z, m, work.model.side, work.model.means, work.model.target
    )
    s, total = 0.0, 0.0
    for i in range(n):
        s += node.w[i] * work.model.target[i]
        total += node.w[i]
    mean = s / total
    b = work.model.vec[5]
    if n >= m:
        gram(Z, m, n, node.w, work.model.chunk, work.model.gram)
        for j in range(m):
            b[j] = triple(node.w, work.model.target, Z[j], n)
        ridge_path(work.model.gram, b, m, knobs.lambdas, work.model.coef, work.model.vec)
    else:  # fewer samples than features: the dual system is the smaller one
        root = work.model.omega
        for i in range(n):
            root[i] = np.sqrt(node.w[i])
            b[i] = root[i] * (work.model.target[i] - mean)
        dual_gram(Z, m, n, root, work.model.gram)
        ridge_path(work.model.gram, b, n, knobs.lambdas, work.model.coef, work.model.vec)
        alpha = work.model.vec[6]
        for l in range(knobs.lambdas.size):  # noqa: E741
            for i in range(n):
                alpha[i] = root[i] * work.model.coef[l, i]
            for j in range(m):
                s = 0.0
                for i in range(n):
                    s += alpha[i] * Z[j, i]
                work.model.coef[l, j] = s
    return m, varying, mean


@fast_step
def _add_scaled(out, x, c, n):
    for i in range(n):
        out[i] += c * x[i]


@step
def choose_out_of_bag(XT, y, weight, oob, c, d, pool, side, mean, scale, coef, m, L, centre, vec):
    """The lambda that gets most out-of-bag weight right, or -1 where there is none to judge."""
    right, score = vec[0], vec[1]
    for l in range(L):  # noqa: E741
        right[l] = 0.0
    judged = 0.0
    for i in range(c, d):
        row = oob[i]
        group = side[y[row]]
        if group == 0.0 or weight[row] <= 0.0:
            continue
        judged += weight[row]
        for l in range(L):  # noqa: E741
            score[l] = centre
        for j in range(m):
            if scale[j] > 0.0:
                _add_scaled(score, coef[j], (XT[pool[j], row] - mean[j]) / scale[j], L)
        for l in range(L):  # noqa: E741
            right[l] += weight[row] * np.float64((score[l] > 0.0) == (group > 0.0))
    if judged == 0.0:
        return -1
    best = 0
    for l in range(1, L):  # noqa: E741
        if right[l] > right[best]:
            best = l
    return best


@template
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
        for l in range(L):  # noqa: E741
            for j in range(m):
                work.model.path[j, l] = work.model.coef[l, j]
        chosen = choose_out_of_bag(
            table.XT,
            table.y,
            table.weight,
            node.oob,
            node.c,
            node.d,
            node.pool,
            work.model.side,
            work.model.mean,
            work.model.scale,
            work.model.path,
            m,
            L,
            mean,
            work.model.vec,
        )
        if chosen < 0:
            return False
    else:
        chosen, best = -1, -np.inf
        for l in range(L):  # noqa: E741
            split.what[SIZE] = raw_weights(
                node.pool, work.model.coef[l], work.model.scale, m, split.index, split.value
            )
            if split.what[SIZE] > 0 and cut_along(table, knobs, node, work, split, best):
                chosen, best = l, split.score[GAIN]
        if chosen < 0:
            return False
    split.what[SIZE] = raw_weights(
        node.pool, work.model.coef[chosen], work.model.scale, m, split.index, split.value
    )
    if split.what[SIZE] == 0:
        return False
    return cut_along(table, knobs, node, work, split, -np.inf)


@grower
def grow_ridge(table, knobs, first, trees, block, stop, yard):
    return grow_trees(ridge, table, knobs, first, trees, block, stop, yard)
