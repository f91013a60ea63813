"""F-RC: the best of d random combinations of L features (Tomita s.2.4, after Breiman).

Each candidate adds L distinct features with coefficients uniform on [-1, 1]; d may exceed the
number of features. Features are combined as they are: F-RC is sensitive to their units, which
is what rank scaling (FRANK) mends. With ``vary_combine`` (F-RC-sparse, Tomita's outlook) every
candidate draws its own L uniformly from 1 ... L.
"""

import numpy as np

from ..grow import grow_trees
from ..impurity import GAIN_RATIO
from ..jit import grower, step, template
from ..linear import cut_along
from ..present import with_present_classes
from ..rng import below, draw_features, uniform
from ..scratch import CUT, GAIN, SIZE
from .axis import gain_ratio


@step
def _draw_candidate(knobs, node, work, split):
    size = min(knobs.n_combine, node.pool.size)
    if knobs.vary_combine:
        size = 1 + below(work.state, size)
    draw_features(work.state, node.pool, size)
    for j in range(size):
        split.index[j] = node.pool[j]
        split.value[j] = 2.0 * uniform(work.state) - 1.0
    split.what[SIZE] = size
    return size


@template
def sparse(table, knobs, whole_node, work, split):
    node = with_present_classes(whole_node, work.bench)
    n = node.b - node.a
    by_ratio = knobs.criterion == GAIN_RATIO
    total = node.totals.sum()
    best, size, cut, gain = -np.inf, 0, 0.0, 0.0
    index, value = work.model.vec[6], work.model.vec[7]
    tried = 0
    # up to d candidates, and on (within reason) while none divides the node
    # Bounded: tried rises
    while tried < knobs.n_candidates or (size == 0 and tried < knobs.n_candidates + 64):
        tried += 1
        drawn = _draw_candidate(knobs, node, work, split)
        floor = -np.inf if by_ratio else best
        if not cut_along(table, knobs, node, work, split, floor):
            continue
        merit = split.score[GAIN]
        if by_ratio:
            merit = gain_ratio(merit, work.value, node.w, n, split.score[CUT], total)
        if merit > best:
            best, size, cut, gain = merit, drawn, split.score[CUT], split.score[GAIN]
            for j in range(drawn):
                index[j] = split.index[j]
                value[j] = split.value[j]
    if size == 0:
        return False
    for j in range(size):
        split.index[j] = np.int32(index[j])
        split.value[j] = value[j]
    split.what[SIZE] = size
    split.score[CUT] = cut
    split.score[GAIN] = gain
    return True


@grower
def grow_sparse(table, knobs, first, trees, block, stop, yard):
    return grow_trees(sparse, table, knobs, first, trees, block, stop, yard)
