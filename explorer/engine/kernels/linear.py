"""What every linear node model needs: columns, standardising, two groups, Gram matrices, solves.

Shapes: Z is float64[m, n], one row per feature drawn at the node, one column per in-bag row;
w is float64[n]. Sums over samples may be reordered by the compiler (jit.fast_step); scores
that decide a side never are, so that growing and predicting agree to the bit.
"""

import numpy as np

from .cut import best_cut, midpoint
from .impurity import ENTROPY, GAIN_RATIO
from .jit import fast_step, step
from .rng import below, draw_features
from .scratch import (
    CHUNK,
    CUT,
    GAIN,
    KIND,
    OBLIQUE,
    SIZE,
)


@step
def inner_criterion(criterion):
    """Cuts along one direction are found by entropy where directions compete by gain ratio."""
    return ENTROPY if criterion == GAIN_RATIO else criterion


@step
def draw_node_features(m_try, per_tree, state, pool):
    """Bring the node's m_try features to the front of pool; all of them for a tree subspace."""
    m = min(m_try, pool.size)
    if not per_tree:
        draw_features(state, pool, m)
    return m


@step
def _varies(column, rows, a, n):
    for i in range(1, n):
        if column[rows[a + i]] != column[rows[a]]:
            return True
    return False


@step
def draw_varying(m_try, per_tree, state, pool, XT, rows, a, n):
    """Draw the node's features so that at least one varies there; 0 if none of the pool does.

    If the m_try features drawn are all constant at the node, one of the others that is not takes
    the place of the first, as axis splits draw on (see directions/axis.py).
    """
    m = draw_node_features(m_try, per_tree, state, pool)
    for j in range(m):
        if _varies(XT[pool[j]], rows, a, n):
            return m
    for j in range(m, pool.size):
        k = j + below(state, pool.size - j)
        pool[j], pool[k] = pool[k], pool[j]
        if _varies(XT[pool[j]], rows, a, n):
            pool[0], pool[j] = pool[j], pool[0]
            return m
    return 0


@step
def load_columns(XT, features, m, rows, a, n, Z):
    for j in range(m):
        column = XT[features[j]]
        out = Z[j]
        for i in range(n):
            out[i] = column[rows[a + i]]


@fast_step
def _mean_and_range(x, w, n):
    s, total = 0.0, 0.0
    lo, hi = x[0], x[0]
    for i in range(n):
        s += w[i] * x[i]
        total += w[i]
        lo = min(lo, x[i])
        hi = max(hi, x[i])
    return s / total, lo, hi, total


@fast_step
def _centre(x, w, n, mean, factor):
    """x := (x - mean) factor in place; returns the weighted sum of squares of the result."""
    s = 0.0
    for i in range(n):
        z = (x[i] - mean) * factor
        x[i] = z
        s += w[i] * z * z
    return s


@fast_step
def _multiply(x, n, factor):
    for i in range(n):
        x[i] *= factor


@step
def standardise(Z, n, m, w, mean, scale):
    """Scale rows of Z to zero mean and unit variance in place (Menze s.2, step 3).

    The weighted variance is the population's. A feature constant at the node gets scale 0 and
    a row of zeros. Where squares could overflow or vanish, values are first divided by their
    largest distance from the mean. Returns how many features vary.
    """
    varying = 0
    for j in range(m):
        x = Z[j]
        mu, lo, hi, total = _mean_and_range(x, w, n)
        mu = min(max(mu, lo), hi)
        reach = max(hi - mu, mu - lo)
        mean[j] = mu
        scale[j] = 0.0
        if lo < hi and np.isfinite(reach):
            factor = 1.0
            if not 1e-100 < reach < 1e100:
                factor = 1.0 / reach
            if np.isfinite(factor):
                sd = np.sqrt(_centre(x, w, n, mu, factor) / total)
                if sd > 0.0:  # else all the spread sits on a sample of vanishing weight
                    _multiply(x, n, 1.0 / sd)
                    scale[j] = sd / factor
                    varying += 1
        if scale[j] == 0.0:
            x[:n] = 0.0
    return varying


@step
def two_groups(y, w, n, totals, Z, m, side, means, target):
    """Divide the classes at a node into two groups, as Ho s.2 does, and code them -1 and +1.

    With two classes each is a group. With more, the two classes whose means are farthest apart
    (Euclidean, in the columns of Z as they are) anchor the groups, and every other class joins
    the nearer anchor; ties go to the lower class code. ``side`` gets the group per class (0
    where the class is absent), ``target`` the group per sample.
    """
    K = totals.size
    present = 0
    first, last = -1, -1
    for k in range(K):
        side[k] = 0.0
        if totals[k] > 0.0:
            present += 1
            if first < 0:
                first = k
            last = k
    if present == 2:
        side[first] = -1.0
        side[last] = 1.0
    else:
        first, last = farthest_classes(y, w, n, totals, Z, m, means)
        for k in range(K):
            if totals[k] > 0.0:
                near, far = 0.0, 0.0
                for j in range(m):
                    near += (means[k, j] - means[first, j]) ** 2
                    far += (means[k, j] - means[last, j]) ** 2
                side[k] = -1.0 if near <= far else 1.0
        side[first] = -1.0
        side[last] = 1.0
    for i in range(n):
        target[i] = side[y[i]]


@step
def class_means(y, w, n, totals, Z, m, means):
    """means[k, :m] := mean of Z's columns over the samples of class k, where there are any."""
    K = totals.size
    for k in range(K):
        for j in range(m):
            means[k, j] = 0.0
    for j in range(m):
        for i in range(n):
            means[y[i], j] += w[i] * Z[j, i]
    for k in range(K):
        if totals[k] > 0.0:
            for j in range(m):
                means[k, j] /= totals[k]


@step
def farthest_classes(y, w, n, totals, Z, m, means):
    """Class means of Z's columns, and the two classes farthest apart (first pair on ties)."""
    K = totals.size
    class_means(y, w, n, totals, Z, m, means)
    first, last, widest = -1, -1, -1.0
    for k in range(K):
        if totals[k] <= 0.0:
            continue
        for q in range(k + 1, K):
            if totals[q] <= 0.0:
                continue
            d = 0.0
            for j in range(m):
                d += (means[k, j] - means[q, j]) ** 2
            if d > widest:
                first, last, widest = k, q, d
    return first, last


@fast_step
def _dot(a, b, n):
    s = 0.0
    for i in range(n):
        s += a[i] * b[i]
    return s


@fast_step
def triple(a, b, c, n):
    """Sum of a b c."""
    s = 0.0
    for i in range(n):
        s += a[i] * b[i] * c[i]
    return s


@step
def gram(Z, m, n, omega, chunk, G):
    """G[:m, :m] = Z diag(omega) Z', in pieces of CHUNK columns."""
    for p in range(m):
        for q in range(m):
            G[p, q] = 0.0
    for start in range(0, n, CHUNK):
        length = min(CHUNK, n - start)
        piece = omega[start : start + length]
        for p in range(m):
            x = Z[p, start : start + length]
            for i in range(length):
                chunk[i] = piece[i] * x[i]
            for q in range(p + 1):
                G[p, q] += _dot(Z[q, start : start + length], chunk, length)
    for p in range(m):
        for q in range(p):
            G[q, p] = G[p, q]


@step
def dual_gram(Z, m, n, root, G):
    """G[:n, :n] = diag(root) Z' Z diag(root): the small system where n < m."""
    for i in range(n):
        for k in range(n):
            G[i, k] = 0.0
    for j in range(m):
        for i in range(n):
            c = Z[j, i]
            for k in range(i + 1):
                G[i, k] += c * Z[j, k]
    for i in range(n):
        for k in range(i + 1):
            G[i, k] *= root[i] * root[k]
            G[k, i] = G[i, k]


@step
def cholesky(G, n):
    """G[:n, :n] = L L' in place (lower triangle). False if G is not positive definite."""
    for j in range(n):
        d = G[j, j] - _dot(G[j], G[j], j)
        if not d > 0.0:
            return False
        d = np.sqrt(d)
        G[j, j] = d
        for i in range(j + 1, n):
            G[i, j] = (G[i, j] - _dot(G[i], G[j], j)) / d
    return True


@step
def cholesky_solve(L, n, x):
    """Solve L L' x = x in place."""
    for i in range(n):
        x[i] = (x[i] - _dot(L[i], x, i)) / L[i, i]
    backward_solve(L, n, x)


@step
def backward_solve(L, n, x):
    """Solve L' x = x in place."""
    for i in range(n - 1, -1, -1):
        x[i] /= L[i, i]
        for k in range(i):
            x[k] -= L[i, k] * x[i]


@step
def raw_weights(features, beta, scale, m, index, values):
    """Coefficients on standardised features -> weights on the features as they are.

    Returns how many are not zero.
    """
    size = 0
    for j in range(m):
        if scale[j] > 0.0 and beta[j] != 0.0:
            value = beta[j] / scale[j]
            if np.isfinite(value) and value != 0.0:
                index[size] = features[j]
                values[size] = value
                size += 1
    return size


@step
def project(XT, index, value, size, rows, a, n, out):
    """Scores of rows[a:a+n]: the same sum, in the same order, as walk.py takes at a node."""
    for i in range(n):
        out[i] = 0.0
    for j in range(size):
        column = XT[index[j]]
        c = value[j]
        for i in range(n):
            out[i] += c * column[rows[a + i]]


@step
def any_nan(values, n):
    """Whether sums of huge terms have overflowed to something that cannot be ordered."""
    found = False
    for i in range(n):
        found |= np.isnan(values[i])
    return found


@step
def cut_along(table, knobs, node, work, split, floor):
    """Project the node's rows on the split's weights and cut where impurity falls most."""
    n = node.b - node.a
    project(table.XT, split.index, split.value, split.what[SIZE], node.rows, node.a, n, work.value)
    if any_nan(work.value, n):
        return False
    gain, il, ir = best_cut(
        work.value,
        node.y,
        node.w,
        n,
        node.totals,
        inner_criterion(knobs.criterion),
        floor,
        work.bench,
    )
    if il < 0:
        return False
    split.what[KIND] = OBLIQUE
    split.score[CUT] = midpoint(work.value[il], work.value[ir])
    split.score[GAIN] = gain
    return True
