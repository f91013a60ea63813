"""Ridge regression for many penalties at the price of one.

(G + lambda I) x = b for every lambda of a path. One Householder reduction G = Q T Q' leaves
a tridiagonal T; G + lambda I = Q (T + lambda I) Q' for every lambda, so each costs one
tridiagonal solve and one product with Q. That is a quarter of the work of the full
eigendecomposition that serves the same purpose, and T needs no iteration to converge.
"""

from .jit import fast_step, step

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


@step
def ridge_path(G, b, n, lambdas, coef, vec):
    """Solve (G + lambda I) x = b for each lambda; row l of ``coef`` gets x[:n].

    G (symmetric, positive semi-definite) and b are destroyed. ``vec`` is float64[>= 5, >= n].
    """
    d, e, v, p, c = vec[0], vec[1], vec[2], vec[3], vec[4]
    trace = 0.0
    for i in range(n):
        trace += G[i, i]
    floor = FLOOR * trace / n if trace > 0.0 else 1.0
    for k in range(n - 2):
        d[k] = G[k, k]
        e[k] = _reduce_column(G, k, n, v, p)
        _reflect(G, k, n, b)
    if n >= 2:
        d[n - 2] = G[n - 2, n - 2]
        e[n - 2] = G[n - 1, n - 2]
    d[n - 1] = G[n - 1, n - 1]
    for l in range(lambdas.size):  # noqa: E741
        shift = max(lambdas[l], floor)
        x = coef[l]
        # LDL' of the tridiagonal T + shift I; pivots stay positive, up to rounding
        pivot = d[0] + shift
        v[0] = pivot
        x[0] = b[0]
        for i in range(1, n):
            c[i] = e[i - 1] / pivot
            pivot = d[i] + shift - c[i] * e[i - 1]
            if pivot < shift:  # an eigenvalue below zero by rounding counts as zero
                pivot = shift
            v[i] = pivot
            x[i] = b[i] - c[i] * x[i - 1]
        x[n - 1] /= v[n - 1]
        for i in range(n - 2, -1, -1):
            x[i] = x[i] / v[i] - c[i + 1] * x[i + 1]
        for k in range(n - 3, -1, -1):
            _reflect(G, k, n, x)
