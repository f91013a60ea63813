"""Random directions: normal coefficients on standardised features (Menze s.2, step 4c)."""

import numpy as np

from ..grow import grow_trees
from ..jit import kernel, step
from ..linear import cut_along, draw_node_features, load_columns, raw_weights, standardise
from ..rng import normal


@step
def random(table, knobs, node, work, split):
    n = node.b - node.a
    m = draw_node_features(knobs, node, work)
    load_columns(table.XT, node.pool, m, node.rows, node.a, n, work.Z)
    if standardise(work.Z, n, m, node.w, work.mean, work.scale) == 0:
        return False
    for j in range(m):
        work.coef[0, j] = normal(work.state)
    if not raw_weights(node.pool, work.coef[0], work.scale, m, split):
        return False
    return cut_along(table, knobs, node, work, split, -np.inf)


@kernel
def grow_random(table, knobs, first, trees, block, stop):
    return grow_trees(random, True, table, knobs, first, trees, block, stop)
