"""Random directions: normal coefficients on standardised features (Menze s.2, step 4c)."""

import numpy as np

from ..grow import grow_trees, make_yard
from ..jit import kernel, step, template
from ..linear import cut_along, draw_node_features, load_columns, raw_weights, standardise
from ..rng import normal


@template
def random(table, knobs, node, work, split):
    n = node.b - node.a
    m = draw_node_features(knobs.m_try, knobs.per_tree, work.state, node.pool)
    load_columns(table.XT, node.pool, m, node.rows, node.a, n, work.Z)
    if standardise(work.Z, n, m, node.w, work.mean, work.scale) == 0:
        return False
    for j in range(m):
        work.coef[0, j] = normal(work.state)
    split.size[0] = raw_weights(node.pool, work.coef[0], work.scale, m, split.index, split.value)
    if split.size[0] == 0:
        return False
    return cut_along(table, knobs, node, work, split, -np.inf)


@step
def _random_trees(table, knobs, first, trees, block, stop, yard):
    return grow_trees(random, table, knobs, first, trees, block, stop, yard)


@kernel
def grow_random(table, knobs, first, trees, block, stop):
    yard = make_yard(table, knobs, True)
    return _random_trees(table, knobs, first, trees, block, stop, yard)
