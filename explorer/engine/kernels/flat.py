"""Splits seen on a plane: base + across * p + up * q <= cut, with (p, q) the plane's coordinates.

An oblique split of 26 out of 700 features is, on a plane, a line like any other. Once a
forest's splits are flattened, walking a point of the plane costs two products per node,
whatever the number of features.
"""

from .jit import kernel, step


@step
def _term(f, c, origin, u, v, form):
    form[0] += c * origin[f]
    form[1] += c * u[f]
    form[2] += c * v[f]


@kernel
def flatten(trees, first, last, origin, u, v, forms):
    """forms[i] := (base, across, up) of node i for trees first ... last-1 (float64[N, 3]).

    origin, u, v (float64[P]) are the plane in the forest's own, scaled coordinates. Leaves get
    zeros.
    """
    for t in range(first, last):
        weights = trees.weight_at[t]
        for at in range(trees.node_at[t], trees.node_at[t + 1]):
            form = forms[at]
            form[:] = 0.0
            f = trees.feature[at]
            if f >= 0:
                _term(f, 1.0, origin, u, v, form)
            elif f < -1:
                for j in range(weights + trees.begin[at], weights + trees.end[at]):
                    _term(trees.index[j], trees.value[j], origin, u, v, form)
