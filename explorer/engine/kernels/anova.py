"""Which features contribute significantly to a split (Menze s.5, "oRF importance").

At every split the two-group target (-1 and +1, by Ho's groups where there are more classes,
whatever groups the split told apart) is regressed, by least squares without a penalty and with an
intercept, on the m features that the split weighs, over
the node's in-bag rows with the weights they were grown with. A feature is significant if
dropping it alone from that model raises the residual sum of squares by more than chance
(partial F-test, which is the t-test of its coefficient). So the order in which features were
drawn does not matter, unlike in a sequential table. Residual degrees of freedom count distinct
rows, n - m - 1: a row drawn twice is no new evidence. Where none are left, nothing is
significant. A feature that is a linear combination of those before it is left out of the model.
A missing value counts as the mean of the node's known ones, so that it is evidence of nothing.
"""

import numpy as np

from .jit import fast_step, kernel, step
from .linear import _dot, gram, load_columns, standardise, two_groups
from .scratch import CHUNK

ALIASED = 1e-9  # share of a feature's variance that the others leave unexplained


@step
def _factor(G, m, alive):
    """G[:m, :m] = L L' in place, leaving out features that the earlier ones explain."""
    rank = 0
    for j in range(m):
        whole = G[j, j]
        d = whole - _dot(G[j], G[j], j)
        alive[j] = d > ALIASED * whole and whole > 0.0
        if not alive[j]:
            for k in range(j):
                G[j, k] = 0.0
            G[j, j] = 1.0
            for i in range(j + 1, m):
                G[i, j] = 0.0
            continue
        rank += 1
        d = np.sqrt(d)
        G[j, j] = d
        for i in range(j + 1, m):
            G[i, j] = (G[i, j] - _dot(G[i], G[j], j)) / d
    return rank


@step
def _invert(L, m, out):
    """out[:m, :m] := the inverse of the lower triangle L[:m, :m], row by row."""
    for i in range(m):
        row = out[i]
        for j in range(m):
            row[j] = 0.0
        for k in range(i):
            c = L[i, k]
            if c != 0.0:
                above = out[k]
                for j in range(k + 1):
                    row[j] -= c * above[j]
        for j in range(i):
            row[j] /= L[i, i]
        row[i] = 1.0 / L[i, i]


@fast_step
def _centre(Z, n, m, w, total):
    """Take the weighted mean from every row of Z[:m, :n]; a row that is constant becomes zeros.

    F does not depend on the scale of a feature, so that is all the preparation it needs.
    """
    for j in range(m):
        x = Z[j]
        i = 1
        while i < n and x[i] == x[0]:  # Bounded: i rises
            i += 1
        if i >= n:
            x[:n] = 0.0
            continue
        s = 0.0
        for i in range(n):
            s += w[i] * x[i]
        s /= total
        for i in range(n):
            x[i] -= s


@step
def partial_f(Z, n, m, w, target, G, inverse, chunk, alive, z, out):
    """out[:m] := F of each feature of centred Z[:m, :n]; returns the residual df.

    F is -1 for features left out. G, inverse: float64[>= m, >= m]; z: float64[>= m]. Destroys
    ``target``.
    """
    total, mean = 0.0, 0.0
    for i in range(n):
        total += w[i]
        mean += w[i] * target[i]
    mean /= total
    rest = 0.0
    for i in range(n):
        away = target[i] - mean
        target[i] = w[i] * away
        rest += target[i] * away
    floor = 1e-14 * rest
    gram(Z, m, n, w, chunk, G)
    rank = _factor(G, m, alive)
    df = n - rank - 1
    if df <= 0:
        for j in range(m):
            out[j] = -1.0
        return df
    _invert(G, m, inverse)
    for j in range(m):
        out[j] = _dot(target, Z[j], n) if alive[j] else 0.0
    for j in range(m):
        z[j] = _dot(inverse[j], out, j + 1) if alive[j] else 0.0
        rest -= z[j] * z[j]
    rest = max(rest, floor)
    for j in range(m):
        beta, spread = 0.0, 0.0
        for i in range(j, m):
            beta += inverse[i, j] * z[i]
            if alive[i]:
                spread += inverse[i, j] * inverse[i, j]
        out[j] = beta * beta * df / (rest * spread) if alive[j] else -1.0
    return df


@step
def _scores(trees, t, at, Z, n, out):
    """Scores at a node of the n rows whose columns are loaded; the walker's sum, in its order."""
    if trees.feature[at] >= 0:
        for i in range(n):
            out[i] = Z[0, i]
        return
    for i in range(n):
        out[i] = 0.0
    offset = trees.weight_at[t] + trees.begin[at]
    for j in range(trees.end[at] - trees.begin[at]):
        c, x = trees.value[offset + j], Z[j]
        for i in range(n):
            out[i] += c * x[i]


@step
def _fill_known_mean(x, n):
    """Replace the missing values of x[:n] by the mean of the others, 0 if there are none."""
    s, known = 0.0, 0
    for i in range(n):
        if not np.isnan(x[i]):
            s += x[i]
            known += 1
    mean = s / known if known > 0 else 0.0
    for i in range(n):
        if np.isnan(x[i]):
            x[i] = mean


@step
def _fill_gaps(trees, gaps, t, at, Z, n, score):
    """Fill the columns of a node's features, and decide its scores, where values are missing."""
    if trees.feature[at] >= 0:
        for i in range(n):
            if np.isnan(Z[0, i]):
                score[i] = -np.inf if gaps.side[at] == 1 else np.inf
        _fill_known_mean(Z[0], n)
        return
    offset = trees.weight_at[t] + trees.begin[at]
    for j in range(trees.end[at] - trees.begin[at]):
        for i in range(n):
            if np.isnan(Z[j, i]):
                Z[j, i] = gaps.fill[offset + j]
    _scores(trees, t, at, Z, n, score)


@kernel
def significant(
    trees, gaps, XT, y, weight, times, first, a, b, widest, critical, tables, tested, found
):
    """Count the splits of trees first+a ... first+b-1 in which each feature is significant.

    XT (float64[P, n], scaled); y (int32[n]); ``times`` (int32[trees, n]) are the bags of trees
    first, first + 1, ...; ``widest`` the most features of a split; critical[df] the F that must
    be reached. tested, found (int64[P]) grow by splits that weigh the feature and have residual
    degrees of freedom, and by those in which it is significant. ``gaps`` (missing.Gaps) is empty
    for data without missing values. If ``tables`` (float64[nodes,
    widest]) has rows, row i gets the F of node i's features, in stored order.
    """
    n = XT.shape[1]
    K = trees.counts.shape[1]
    rows = np.empty(n, np.int32)
    spare = np.empty(n, np.int32)
    Z = np.empty((widest, n))
    G = np.empty((widest, widest))
    inverse = np.empty((widest, widest))
    features = np.empty(widest, np.int32)
    w, target, score, node_y = np.empty(n), np.empty(n), np.empty(n), np.empty(n, np.int32)
    mean, scale, z, F = np.empty(widest), np.empty(widest), np.empty(widest), np.empty(widest)
    alive = np.empty(widest, np.bool_)
    means, side, totals = np.empty((K, widest)), np.empty(K), np.empty(K)
    chunk = np.empty(CHUNK)
    for k in range(a, b):
        t = first + k
        base = trees.node_at[t]
        nodes = trees.node_at[t + 1] - base
        start, stop = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
        inside = 0
        for i in range(n):
            if times[k, i] > 0:
                rows[inside] = i
                inside += 1
        stop[0] = inside
        for me in range(nodes):
            at = base + me
            f = trees.feature[at]
            if f == -1:
                continue
            lo, hi = start[me], stop[me]
            size = hi - lo
            m = 1
            features[0] = f
            if f < -1:
                offset = trees.weight_at[t] + trees.begin[at]
                m = trees.end[at] - trees.begin[at]
                for j in range(m):
                    features[j] = trees.index[offset + j]
            load_columns(XT, features, m, rows, lo, size, Z)
            _scores(trees, t, at, Z, size, score)
            if gaps.side.size > 0:
                _fill_gaps(trees, gaps, t, at, Z, size, score)
            if size > m + 1:
                totals[:] = 0.0
                for i in range(size):
                    row = rows[lo + i]
                    w[i] = times[k, row] * weight[row]
                    node_y[i] = y[row]
                    totals[y[row]] += w[i]
                if K == 2:
                    total = totals[0] + totals[1]
                    _centre(Z, size, m, w, total)
                    for i in range(size):
                        target[i] = 2.0 * node_y[i] - 1.0
                else:
                    standardise(Z, size, m, w, mean, scale)
                    two_groups(node_y, w, size, totals, Z, m, side, means, target)
                df = partial_f(Z, size, m, w, target, G, inverse, chunk, alive, z, F)
                if df > 0:
                    for j in range(m):
                        tested[features[j]] += 1
                        if F[j] >= critical[df]:
                            found[features[j]] += 1
                        if tables.shape[0] > 0:
                            tables[at, j] = F[j]
            at_left, kept = lo, 0
            for i in range(lo, hi):
                row = rows[i]
                if score[i - lo] <= trees.cut[at]:
                    rows[at_left] = row
                    at_left += 1
                else:
                    spare[kept] = row
                    kept += 1
            for i in range(kept):
                rows[at_left + i] = spare[i]
            child = trees.left[at]
            start[child], stop[child] = lo, at_left
            start[child + 1], stop[child + 1] = at_left, hi
