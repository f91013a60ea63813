"""Leave-one-out errors of ridge regression for a path of penalties (Allen 1974).

Leaving samples out of a least squares fit needs no second fit. With the weighted fit's hat
matrix S, the errors of the rows g of one group, when all of them are left out together, are

    e = (I - S_gg)^-1 r_g

where r are the residuals, both scaled by the root of the sample weights. A row drawn several
times is one row of a larger weight, so its copies are left out together; rows without a group
are groups of one, and e = r / (1 - S_ii). Means and deviations of the features stay those of all
rows; the constant is fitted again.

With G = Q T Q' (tridiagonal.py) and T + lambda I = L D L', column j of U = L^-1 Q'A gives

    fit_j = sum_i U_ij (L^-1 Q'b)_i / D_i        S_jk = sum_i U_ij U_ik / D_i

at a cost of features x rows for each lambda. With more rows than features A holds the weighted
columns of the features; else the dual system is the smaller one, A is the identity, and
residuals and I - S are lambda times what these sums give. Both lack the constant, whose share
in S_jk is root_j root_k / total. In the dual system the constant is the direction without
variance; ``lift`` is the variance that it was given, so that 1 / lambda does not drown the others.
"""

import numpy as np

from .jit import fast_step, step
from .linear import cholesky, cholesky_solve
from .scratch import CHUNK
from .tridiagonal import factor

LEAST = 1e-14  # 1 - S_ii is not less, but for rounding


@fast_step
def _first_row(u, a, pivot, x, fit, lever, n):
    for j in range(n):
        u[j] = a[j]
        fit[j] = u[j] * (x / pivot)
        lever[j] = u[j] * u[j] / pivot


@fast_step
def _next_row(u, a, c, pivot, x, fit, lever, n):
    f, g = x / pivot, 1.0 / pivot
    for j in range(n):
        v = a[j] - c * u[j]
        u[j] = v
        fit[j] += v * f
        lever[j] += v * v * g


@step
def _is_wrong(target, e, root):
    """Whether the score of a row that was left out, target - e / root, is on the wrong side."""
    return (target * root - e > 0.0) != (target > 0.0)


@step
def _wrong(fit, lever, target, centred, root, start, n, constant, shift, dual):
    """Weight of those of rows start ... start + n that are wrong when left out."""
    s = 0.0
    for j in range(n):
        w = root[start + j] * root[start + j]
        r = shift * fit[j] if dual else centred[start + j] - fit[j]
        rest = (shift * lever[j] if dual else 1.0 - lever[j]) - w * constant
        e = r / max(rest, LEAST)
        s += w * np.float64(_is_wrong(target[start + j], e, root[start + j]))
    return s


@step
def one_by_one(
    A, q, n, b, target, centred, root, total, lambdas, floor, lift, dual, room, vec, error
):
    """error[l] := weight of the rows that are classified wrongly, each left out in turn.

    A: float64[q, n], rotated columns (see above). centred: root x (target - its mean).
    room: float64[>= 3, >= CHUNK]. vec: after ``tridiagonal.reduce``.
    """
    u, fit, lever = room[0], room[1], room[2]
    v, p, c = vec[2], vec[3], vec[4]
    for l in range(lambdas.size):  # noqa: E741
        shift = max(lambdas[l], floor)
        factor(b, q, shift, vec)
        constant = shift / (lift + shift) / total if dual else 1.0 / total
        s = 0.0
        for start in range(0, n, CHUNK):
            length = min(CHUNK, n - start)
            _first_row(u, A[0, start : start + length], v[0], p[0], fit, lever, length)
            for i in range(1, q):
                _next_row(u, A[i, start : start + length], c[i], v[i], p[i], fit, lever, length)
            s += _wrong(fit, lever, target, centred, root, start, length, constant, shift, dual)
        error[l] = s


@fast_step
def _forward(A, U, q, n, v, p, c, fit):
    """U := D^-1/2 L^-1 A, and the fit of every column."""
    fit[:n] = 0.0
    for i in range(q):
        own = 1.0 / np.sqrt(v[i])
        if i == 0:
            for j in range(n):
                U[0, j] = A[0, j] * own
        else:
            before = c[i] * np.sqrt(v[i - 1])
            for j in range(n):
                U[i, j] = (A[i, j] - before * U[i - 1, j]) * own
        f = p[i] * own
        for j in range(n):
            fit[j] += U[i, j] * f


@fast_step
def _product(U, q, j, k):
    s = 0.0
    for i in range(q):
        s += U[i, j] * U[i, k]
    return s


@step
def _left_out(U, q, first, k, r, root, constant, shift, dual, M, e):
    """e[:k] := (I - S_gg)^-1 r_g for rows first ... first + k. False if not positive definite."""
    if dual or k <= q + 1:
        for i in range(k):
            for j in range(i + 1):
                own = root[first + i] * root[first + j] * constant
                s = _product(U, q, first + i, first + j)
                M[i, j] = shift * s - own if dual else -s - own
            if not dual:
                M[i, i] += 1.0
            M[i, i] = max(M[i, i], LEAST)
            e[i] = r[first + i]
        if not cholesky(M, k):
            return False
        cholesky_solve(M, k, e)
        return True
    # more rows than unknowns: with S_gg = V V', (I - V V')^-1 = I + V (I - V'V)^-1 V'
    for i in range(q + 1):
        for j in range(i + 1):
            s = 0.0
            for t in range(first, first + k):
                left = U[i, t] if i < q else root[t] * np.sqrt(constant)
                s += left * (U[j, t] if j < q else root[t] * np.sqrt(constant))
            M[i, j] = -s
        M[i, i] = max(M[i, i] + 1.0, LEAST)
        e[i] = 0.0
        for t in range(first, first + k):
            e[i] += (U[i, t] if i < q else root[t] * np.sqrt(constant)) * r[t]
    if not cholesky(M, q + 1):
        return False
    cholesky_solve(M, q + 1, e)
    for t in range(k):
        s = r[first + t] + e[q] * root[first + t] * np.sqrt(constant)
        for i in range(q):
            s += e[i] * U[i, first + t]
        r[first + t] = s
    for t in range(k):
        e[t] = r[first + t]
    return True


@step
def group_by_group(
    A,
    q,
    n,
    b,
    target,
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
    vec,
    error,
):
    """As ``one_by_one``, but all rows of a group are left out together.

    Rows of a group stand next to each other. U: float64[>= q, n], M: float64[g, g] with g at
    least the smaller of q + 1 and the largest group. room: float64[>= 2, >= max(n, q + 1)].
    """
    r, e = room[0], room[1]
    for l in range(lambdas.size):  # noqa: E741
        shift = max(lambdas[l], floor)
        factor(b, q, shift, vec)
        constant = shift / (lift + shift) / total if dual else 1.0 / total
        _forward(A, U, q, n, vec[2], vec[3], vec[4], r)
        for j in range(n):
            r[j] = shift * r[j] if dual else centred[j] - r[j]
        s = 0.0
        first = 0
        while first < n:  # Bounded: first grows to last, at least by one, until n
            last = first + 1
            # Bounded: last grows by one until n
            while last < n and group[rows[a + last]] == group[rows[a + first]]:
                last += 1
            left_out = _left_out(U, q, first, last - first, r, root, constant, shift, dual, M, e)
            for j in range(last - first):
                w = root[first + j] * root[first + j]
                # without a fit, there is nothing of the others that tells their class
                if not left_out or _is_wrong(target[first + j], e[j], root[first + j]):
                    s += w
            first = last
        error[l] = s
