"""Which training rows a tree sees, and how often: the first thing a tree draws.

Kept apart from growing because out-of-bag rows are drawn again from (seed, t) whenever
they are asked for, instead of being stored.
"""

import numpy as np

from .jit import kernel, step
from .rng import below, seed_tree

NONE, WITH_REPLACEMENT, WITHOUT_REPLACEMENT = 0, 1, 2
# Share of rows drawn without replacement: what a bootstrap sample holds on average, 1 - 1/e.
SUBSAMPLE = 0.6321205588285577


@step
def draw_rows(state, mode, usable, times):
    """Count in ``times`` (int32[n]) how often each row is in the bag of a tree.

    ``usable`` (int32[u]) lists the rows of positive weight; the others stay out of every bag.
    """
    times[:] = 0
    u = usable.size
    if mode == NONE:
        for i in range(u):
            times[usable[i]] = 1
    elif mode == WITH_REPLACEMENT:
        for _ in range(u):
            times[usable[below(state, u)]] += 1
    else:
        want = max(1, int(np.round(SUBSAMPLE * u)))
        # selection sampling: one pass, rows in order, each subset equally likely
        left = want
        for i in range(u):
            if below(state, u - i) < left:
                times[usable[i]] = 1
                left -= 1


@kernel
def bags(seed, first, mode, usable, times):
    """Fill ``times`` (int32[trees, n]) with the bags of trees ``first``, ``first + 1``, ..."""
    state = np.empty(4, np.uint64)
    for k in range(times.shape[0]):
        seed_tree(state, seed, first + k)
        draw_rows(state, mode, usable, times[k])
