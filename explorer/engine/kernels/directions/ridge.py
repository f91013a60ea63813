"""Ridge regression on the node's standardised features (Menze s.2, eq. 2, steps 3-4).

The two groups of classes are coded -1 and +1. ``oRF-ridge`` tries every lambda and keeps one by
the rule that the spec's ``tuning`` names; the smallest lambda wins ties.

- "loo": most in-bag weight on its right side of zero when each sample is left out of the fit in
  turn, all its copies together (leave_out.py); with groups of replicates, whole groups are left
  out. Out-of-bag samples are not looked at, so that they can judge the tree.
- "oob": most out-of-bag weight at this node on its right side of zero. This is the paper's rule
  (the authors' sentence says "optimized using the out-of-bag samples residing at the same node";
  their package counts matches, and so do we). Growth stops where no out-of-bag sample is left.
  The out-of-bag error of such a tree is optimistic: its judges have chosen the splits.
- "gain": the lambda whose best cut decreases impurity most.

``oRF-lda`` is lambda = 0, which needs no choosing.
"""

import numpy as np

from ..grouping import group_classes
from ..grow import grow_trees
from ..jit import fast_step, grower, step, template
from ..leave_out import group_by_group, one_by_one
from ..linear import (
    cut_along,
    draw_varying,
    dual_gram,
    gram,
    load_columns,
    raw_weights,
    standardise,
    triple,
)
from ..scratch import GAIN, LEAVE_OUT, OUT_OF_BAG, SIZE
from ..tridiagonal import reduce, rotate_columns, solve

B, ALPHA, ERROR = 5, 6, 7  # rows of Model.vec that tridiagonal.py leaves alone
ROUNDING = 1e-9  # of the error; sums of weights that differ by less are equal


@step
def fit(table, knobs, node, work):
    """Draw features, standardise them and reduce the node's system to a tridiagonal one.

    Returns how many features were drawn, how many vary, the mean of the target, the sum of the
    weights, and what ``reduced_system`` returns.
    """
    n = node.b - node.a
    m = draw_varying(
        knobs.m_try, knobs.per_tree, work.state, node.pool, table.XT, node.rows, node.a, n
    )
    if m == 0:
        return m, 0, 0.0, 0.0, 0.0, 0.0
    Z = work.model.Z
    load_columns(table.XT, node.pool, m, node.rows, node.a, n, Z)
    varying = standardise(Z, n, m, node.w, work.model.mean, work.model.scale)
    if varying == 0:
        return m, 0, 0.0, 0.0, 0.0, 0.0
    group_classes(knobs.grouping, work.state, node.y, node.w, n, node.totals, Z, m, work.model)
    s, total = 0.0, 0.0
    for i in range(n):
        s += node.w[i] * work.model.target[i]
        total += node.w[i]
    floor, lift = reduced_system(n, m, node.w, s / total, work.model)
    return m, varying, s / total, total, floor, lift


@step
def reduced_system(n, m, w, mean, model):
    """Reduce (Z W Z' + lambda I) beta = Z W t to a tridiagonal system.

    Returns the smallest penalty and, for a dual system, the variance that was added along the
    constant. The target has no part there, so that nothing but leave_out.py can tell.
    """
    lift = 0.0
    b, root, Z = model.vec[B], model.omega, model.Z
    for i in range(n):
        root[i] = np.sqrt(w[i])
    if n >= m:
        gram(Z, m, n, w, model.chunk, model.gram)
        for j in range(m):
            b[j] = triple(w, model.target, Z[j], n)
    else:  # fewer samples than features: the dual system is the smaller one
        for i in range(n):
            b[i] = root[i] * (model.target[i] - mean)
        dual_gram(Z, m, n, root, model.gram)
        total, trace = 0.0, 0.0
        for i in range(n):
            total += w[i]
            trace += model.gram[i, i]
        lift = trace / n
        for i in range(n):
            for k in range(n):
                model.gram[i, k] += lift * root[i] * root[k] / total
    return reduce(model.gram, b, min(n, m), model.vec), lift


@step
def coefficients(model, n, m, penalty, coef):
    """coef[:m] := what ridge regression gives the standardised features at a penalty."""
    b = model.vec[B]
    solve(model.gram, b, min(n, m), penalty, coef, model.vec)
    if n < m:
        alpha = model.vec[ALPHA]
        for i in range(n):
            alpha[i] = model.omega[i] * coef[i]
        for j in range(m):
            s = 0.0
            for i in range(n):
                s += alpha[i] * model.Z[j, i]
            coef[j] = s


@step
def choose_left_out(group, rows, a, n, m, mean, total, lambdas, floor, lift, model):
    """The lambda that gets most in-bag weight right when samples are left out in turn.

    Overwrites the columns of the features where there are more samples than features.
    """
    b, root, error = model.vec[B], model.omega, model.vec[ERROR]
    q, dual = min(n, m), n < m
    g = model.gram.shape[0]
    room, U, M = model.extra[:4], model.extra[4 : 4 + g], model.extra[4 + g : 4 + 2 * g]
    centred = room[3]
    for i in range(n):
        centred[i] = root[i] * (model.target[i] - mean)
    A = model.Z
    if dual:
        A = model.extra[4 + 2 * g :]
        for i in range(n):
            A[i, :n] = 0.0
            A[i, i] = 1.0
    else:
        for j in range(m):
            for i in range(n):
                A[j, i] *= root[i]
    rotate_columns(model.gram, q, A, n, room[0])
    if group.size == 0 or group[rows[a]] == group[rows[a + n - 1]]:
        one_by_one(
            A,
            q,
            n,
            b,
            model.target,
            centred,
            root,
            total,
            lambdas,
            floor,
            lift,
            dual,
            room,
            model.vec,
            error,
        )
    else:
        group_by_group(
            A,
            q,
            n,
            b,
            model.target,
            centred,
            root,
            total,
            group,
            rows,
            a,
            lambdas,
            floor,
            lift,
            dual,
            U,
            M,
            room,
            model.vec,
            error,
        )
    best = 0
    for l in range(1, lambdas.size):  # noqa: E741
        if error[l] < error[best] * (1.0 - ROUNDING):
            best = l
    return best


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
    n = node.b - node.a
    if L > 1 and knobs.tuning == OUT_OF_BAG and node.c == node.d:
        return False
    m, varying, mean, total, floor, lift = fit(table, knobs, node, work)
    if varying == 0:
        return False
    model = work.model
    chosen = 0
    if L > 1 and knobs.tuning == LEAVE_OUT:
        chosen = choose_left_out(
            table.group, node.rows, node.a, n, m, mean, total, knobs.lambdas, floor, lift, model
        )
    elif L > 1:
        for l in range(L):  # noqa: E741
            coefficients(model, n, m, max(knobs.lambdas[l], floor), model.coef[l])
        if knobs.tuning == OUT_OF_BAG:
            for l in range(L):  # noqa: E741
                for j in range(m):
                    model.path[j, l] = model.coef[l, j]
            chosen = choose_out_of_bag(
                table.XT,
                table.y,
                table.weight,
                node.oob,
                node.c,
                node.d,
                node.pool,
                model.side,
                model.mean,
                model.scale,
                model.path,
                m,
                L,
                mean,
                model.vec,
            )
        else:
            chosen, best = -1, -np.inf
            for l in range(L):  # noqa: E741
                split.what[SIZE] = raw_weights(
                    node.pool, model.coef[l], model.scale, m, split.index, split.value
                )
                if split.what[SIZE] > 0 and cut_along(table, knobs, node, work, split, best):
                    chosen, best = l, split.score[GAIN]
        if chosen < 0:
            return False
    if L == 1 or knobs.tuning == LEAVE_OUT:
        coefficients(model, n, m, max(knobs.lambdas[chosen], floor), model.coef[chosen])
    split.what[SIZE] = raw_weights(
        node.pool, model.coef[chosen], model.scale, m, split.index, split.value
    )
    if split.what[SIZE] == 0:
        return False
    return cut_along(table, knobs, node, work, split, -np.inf)


@grower
def grow_ridge(table, knobs, first, trees, block, stop, yard):
    return grow_trees(ridge, table, knobs, first, trees, block, stop, yard)
