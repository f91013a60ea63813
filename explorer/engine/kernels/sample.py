"""Which training rows a tree sees, and how often: the first thing a tree draws.

Replicates of one object are drawn together, so that a row is out of bag only where all of its
group is: else a tree would be judged by copies of what it was grown on.

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
def draw_rows(state, mode, want, members, member_at, group, times):
    """Count in ``times`` (int32[n]) how often each row is in the bag of a tree.

    ``want`` groups of rows are drawn (at most all without replacement), each with all its rows:
    group k has members[member_at[k] : member_at[k + 1]]. Without replicates every row of positive
    weight is a group. ``group`` (int32[n], or empty) is the group of each row. Rows of weight
    zero are no members and never in a bag: they have 0 where they are out of it, and -1 where
    the rest of their group is in it, as they are not out of bag there either.
    """
    times[:] = 0
    u = member_at.size - 1
    if mode == NONE:
        for i in range(members.size):
            times[members[i]] = 1
    elif mode == WITH_REPLACEMENT:
        for _ in range(want):
            k = below(state, u)
            for i in range(member_at[k], member_at[k + 1]):
                times[members[i]] += 1
    else:
        # selection sampling: one pass, groups in order, each subset equally likely
        left = want
        for k in range(u):
            if below(state, u - k) < left:
                for i in range(member_at[k], member_at[k + 1]):
                    times[members[i]] = 1
                left -= 1
    for i in range(group.size):
        if times[i] == 0 and group[i] < u and times[members[member_at[group[i]]]] > 0:
            times[i] = -1


@kernel
def bags(seed, first, mode, want, members, member_at, group, times):
    """Fill ``times`` (int32[trees, n]) with the bags of trees ``first``, ``first + 1``, ..."""
    state = np.empty(4, np.uint64)
    for k in range(times.shape[0]):
        seed_tree(state, seed, first + k)
        draw_rows(state, mode, want, members, member_at, group, times[k])
