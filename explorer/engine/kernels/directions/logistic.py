"""Logistic regression on the node's standardised features (Menze s.5, oRF-log).

Maximum likelihood diverges on separable nodes, which most are, so the coefficients (not the
intercept) carry the ridge penalty lambda / 2 |beta|^2 with the spec's first lambda, 1 by
default: the estimate of scikit-learn's ``LogisticRegression(C=1/lambda)``. Newton steps with
step halving; where there are fewer samples than features they are taken in the coordinates of
the samples, which gives the same estimate.
"""

import numpy as np

from ..grouping import group_classes
from ..grow import grow_trees
from ..jit import grower, step, template
from ..linear import (
    backward_solve,
    cholesky,
    cholesky_solve,
    cut_along,
    draw_varying,
    dual_gram,
    gram,
    load_columns,
    raw_weights,
    standardise,
)
from ..scratch import SIZE

STEPS = 50
ENOUGH = 1e-10


@step
def _loss(Z, m, n, target, w, penalty, beta):
    """Penalised negative log-likelihood; beta[m] is the intercept."""
    s = 0.0
    for j in range(m):
        s += beta[j] * beta[j]
    s *= 0.5 * penalty
    for i in range(n):
        f = beta[m]
        for j in range(m):
            f += beta[j] * Z[j, i]
        t = -target[i] * f
        # log(1 + exp(t)) without overflow
        s += w[i] * (max(t, 0.0) + np.log1p(np.exp(-abs(t))))
    return s


@step
def newton(Z, m, n, target, w, penalty, model, beta):
    """Fit beta[:m+1] to Z[:m]; row m of Z is overwritten with ones. False if it fails."""
    for i in range(n):
        Z[m, i] = 1.0
    for j in range(m + 1):
        beta[j] = 0.0
    gradient, trial, omega = model.vec[0], model.vec[1], model.omega
    before = _loss(Z, m, n, target, w, penalty, beta)
    for _ in range(STEPS):
        for j in range(m):
            gradient[j] = penalty * beta[j]
        gradient[m] = 0.0
        for i in range(n):
            f = beta[m]
            for j in range(m):
                f += beta[j] * Z[j, i]
            p = 1.0 / (1.0 + np.exp(min(target[i] * f, 700.0)))
            omega[i] = max(w[i] * p * (1.0 - p), 1e-14 * w[i])
            for j in range(m + 1):
                gradient[j] -= w[i] * p * target[i] * Z[j, i]
        largest = 0.0
        for j in range(m + 1):
            largest = max(largest, abs(gradient[j]))
        if largest < ENOUGH * (1.0 + before):
            return True
        gram(Z, m + 1, n, omega, model.chunk, model.gram)
        for j in range(m):
            model.gram[j, j] += penalty
        if not cholesky(model.gram, m + 1):
            return False
        cholesky_solve(model.gram, m + 1, gradient)
        size = 1.0
        while True:  # Bounded: size halves until it is below 1e-8
            for j in range(m + 1):
                trial[j] = beta[j] - size * gradient[j]
            after = _loss(Z, m, n, target, w, penalty, trial)
            if after <= before or size < 1e-8:
                break
            size *= 0.5
        for j in range(m + 1):
            beta[j] = trial[j]
        if before - after <= 1e-15 * abs(before):
            return True
        before = after
    return True


@step
def fit(Z, m, n, target, w, penalty, model, beta):
    """beta[:m] := penalised logistic coefficients for Z[:m]."""
    if n >= m:
        return newton(Z, m, n, target, w, penalty, model, beta)
    # Z' Z = L L': the rows of L are the samples in n coordinates, with the same inner products
    ones = model.omega
    for i in range(n):
        ones[i] = 1.0
    g = model.gram.shape[0]
    G, small, gamma = model.extra[:g], model.extra[g : 2 * g + 1], model.extra[2 * g + 1]
    dual_gram(Z, m, n, ones, G)
    trace = 0.0
    for i in range(n):
        trace += G[i, i]
    for i in range(n):
        G[i, i] += 1e-12 * trace
    if not cholesky(G, n):
        return False
    for i in range(n):
        for k in range(n):
            small[k, i] = G[i, k] if k <= i else 0.0
    if not newton(small, n, n, target, w, penalty, model, gamma):
        return False
    backward_solve(G, n, gamma)
    for j in range(m):
        s = 0.0
        for i in range(n):
            s += gamma[i] * Z[j, i]
        beta[j] = s
    return True


@template
def logistic(table, knobs, node, work, split):
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
    beta = work.model.coef[0]
    if not fit(Z, m, n, work.model.target, node.w, knobs.lambdas[0], work.model, beta):
        return False
    split.what[SIZE] = raw_weights(node.pool, beta, work.model.scale, m, split.index, split.value)
    if split.what[SIZE] == 0:
        return False
    return cut_along(table, knobs, node, work, split, -np.inf)


@grower
def grow_logistic(table, knobs, first, trees, block, stop, yard):
    return grow_trees(logistic, table, knobs, first, trees, block, stop, yard)
