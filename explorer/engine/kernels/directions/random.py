"""Random directions: normal coefficients on standardised features (Menze s.2, step 4c)."""

import numpy as np

from ..grow import grow_trees
from ..jit import grower, template
from ..linear import cut_along, draw_varying, load_columns, raw_weights, standardise
from ..rng import normal
from ..scratch import SIZE


@template
def random(table, knobs, node, work, split):
    n = node.b - node.a
    m = draw_varying(
        knobs.m_try, knobs.per_tree, work.state, node.pool, table.XT, node.rows, node.a, n
    )
    if m == 0:
        return False
    load_columns(table.XT, node.pool, m, node.rows, node.a, n, work.model.Z)
    if standardise(work.model.Z, n, m, node.w, work.model.mean, work.model.scale) == 0:
        return False
    for j in range(m):
        work.model.coef[0, j] = normal(work.state)
    split.what[SIZE] = raw_weights(
        node.pool, work.model.coef[0], work.model.scale, m, split.index, split.value
    )
    if split.what[SIZE] == 0:
        return False
    return cut_along(table, knobs, node, work, split, -np.inf)


@grower
def grow_random(table, knobs, first, trees, block, stop, yard):
    return grow_trees(random, table, knobs, first, trees, block, stop, yard)
