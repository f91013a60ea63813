"""A uniformly random rotation per tree (Tomita s.2.4, RR-RF).

The Q of a QR decomposition of a matrix of independent normals, with the signs that make R's
diagonal positive, is uniform (Haar) on the orthogonal matrices. It is made here row by row by
Gram-Schmidt, each row twice, which is QR without a library's thread-dependent blocking.
Half of these matrices also mirror an axis; to a tree of axis splits that changes nothing.
"""

import numpy as np

from .jit import fast_step, step
from .rng import normal

_TRIES = 100  # a random row lies in the span of the others once in far more than that


@fast_step
def _remove(x, q, n):
    s = 0.0
    for i in range(n):
        s += x[i] * q[i]
    for i in range(n):
        x[i] -= s * q[i]


@fast_step
def _norm(x, n):
    s = 0.0
    for i in range(n):
        s += x[i] * x[i]
    return np.sqrt(s)


@step
def random_rotation(state, R):
    """Fill R (float64[P, P]) with orthonormal rows, uniformly at random."""
    P = R.shape[0]
    for f in range(P):
        row = R[f]
        for _ in range(_TRIES):
            for j in range(P):
                row[j] = normal(state)
            for _ in range(2):
                for g in range(f):
                    _remove(row, R[g], P)
            length = _norm(row, P)
            if length > 1e-8:
                break
        for j in range(P):
            row[j] /= max(length, 1e-8)


@step
def turn_data(R, XT, turned):
    """turned[f] = R[f] . x for all samples: the same sum, in the same order, as walk.py takes."""
    P, n = XT.shape
    for f in range(P):
        out = turned[f]
        out[:] = 0.0
        for j in range(P):
            c = R[f, j]
            column = XT[j]
            for i in range(n):
                out[i] += c * column[i]
        # a sum of huge terms may be no number; that goes right at every cut, as infinity does
        for i in range(n):
            if np.isnan(out[i]):
                out[i] = np.inf
