"""Ridge regression for many penalties at the price of one.

(G + lambda I) x = b for every lambda of a path. One Householder reduction G = Q T Q' leaves
a tridiagonal T; G + lambda I = Q (T + lambda I) Q' for every lambda, so each costs one
tridiagonal solve and one product with Q. That is a quarter of the work of the full
eigendecomposition that serves the same purpose, and T needs no iteration to converge.

The rows of ``vec`` (float64[>= 5, >= n]) that pass between the steps:

    0  diagonal of T                  written by reduce
    1  entries beside the diagonal    written by reduce
    2  pivots of T + lambda I         written by factor
    3  L^-1 Q'b                       written by factor
    4  entries of L below its ones    written by factor
"""

from .jit import fast_step, step
from .scratch import CHUNK

# lambda = 0 is taken as the limit from above: no penalty is below this share of the mean
# eigenvalue, which gives the minimum-norm solution of a singular system.
FLOOR = 1e-11


@fast_step
def _reduce_column(G, k, n, v, p):
    """One Householder step on G[k:n, k:n]; stores the reflector in row k. Returns e_k."""
    norm = 0.0
    for i in range(k + 1, n):
        v[i] = G[i, k]
        norm += v[i] * v[i]
    norm = norm**0.5
    if norm == 0.0:
        for i in range(k + 1, n):
            G[k, i] = 0.0
        return 0.0
    alpha = -norm if v[k + 1] > 0.0 else norm
    v[k + 1] -= alpha
    square = 0.0
    for i in range(k + 1, n):
        square += v[i] * v[i]
    # scale the reflector to v'v = 2, so that H = I - v v'
    length = (2.0 / square) ** 0.5
    for i in range(k + 1, n):
        v[i] *= length
    vp = 0.0
    for i in range(k + 1, n):
        row = G[i]
        s = 0.0
        for j in range(k + 1, n):
            s += row[j] * v[j]
        p[i] = s
        vp += s * v[i]
    half = 0.5 * vp
    for i in range(k + 1, n):
        p[i] -= half * v[i]
    for i in range(k + 1, n):
        row = G[i]
        vi, pi = v[i], p[i]
        for j in range(k + 1, n):
            row[j] -= vi * p[j] + pi * v[j]
    for i in range(k + 1, n):
        G[k, i] = v[i]
    return alpha


@fast_step
def _reflect(G, k, n, x):
    s = 0.0
    for i in range(k + 1, n):
        s += G[k, i] * x[i]
    for i in range(k + 1, n):
        x[i] -= s * G[k, i]


@fast_step
def _add_scaled(out, x, c, n):
    for i in range(n):
        out[i] += c * x[i]


@step
def rotate_columns(G, n, A, columns, sums):
    """Q'A in place: the reflectors that ``reduce`` left in G, applied to the columns of A[:n].

    ``sums`` is float64[>= CHUNK].
    """
    for start in range(0, columns, CHUNK):
        length = min(CHUNK, columns - start)
        for k in range(n - 2):
            sums[:length] = 0.0
            for i in range(k + 1, n):
                _add_scaled(sums, A[i, start : start + length], G[k, i], length)
            for i in range(k + 1, n):
                _add_scaled(A[i, start : start + length], sums, -G[k, i], length)


@step
def reduce(G, b, n, vec):
    """G := the reflectors of Q, b := Q'b, and T into ``vec``. Returns the smallest penalty.

    G is symmetric and positive semi-definite.
    """
    d, e, v, p = vec[0], vec[1], vec[2], vec[3]
    trace = 0.0
    for i in range(n):
        trace += G[i, i]
    for k in range(n - 2):
        d[k] = G[k, k]
        e[k] = _reduce_column(G, k, n, v, p)
        _reflect(G, k, n, b)
    if n >= 2:
        d[n - 2] = G[n - 2, n - 2]
        e[n - 2] = G[n - 1, n - 2]
    d[n - 1] = G[n - 1, n - 1]
    return FLOOR * trace / n if trace > 0.0 else 1.0


@step
def factor(b, n, shift, vec):
    """T + shift I = L D L' (pivots stay positive, up to rounding), and L^-1 b."""
    d, e, v, p, c = vec[0], vec[1], vec[2], vec[3], vec[4]
    pivot = d[0] + shift
    v[0] = pivot
    p[0] = b[0]
    c[0] = 0.0
    for i in range(1, n):
        c[i] = e[i - 1] / pivot
        pivot = d[i] + shift - c[i] * e[i - 1]
        if pivot < shift:  # an eigenvalue below zero by rounding counts as zero
            pivot = shift
        v[i] = pivot
        p[i] = b[i] - c[i] * p[i - 1]


@step
def solve(G, b, n, shift, x, vec):
    """x[:n] := (G + shift I)^-1 b, after ``reduce``."""
    factor(b, n, shift, vec)
    v, p, c = vec[2], vec[3], vec[4]
    x[n - 1] = p[n - 1] / v[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = p[i] / v[i] - c[i + 1] * x[i + 1]
    for k in range(n - 3, -1, -1):
        _reflect(G, k, n, x)


@step
def ridge_path(G, b, n, lambdas, coef, vec):
    """Solve (G + lambda I) x = b for each lambda; row l of ``coef`` gets x[:n].

    G (symmetric, positive semi-definite) and b are destroyed.
    """
    floor = reduce(G, b, n, vec)
    for l in range(lambdas.size):  # noqa: E741
        solve(G, b, n, max(lambdas[l], floor), coef[l], vec)
