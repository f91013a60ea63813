"""Where, on the way from one point of a plane to another, a forest changes its mind.

Along a straight way every split has at most one crossing, so a tree cuts the way into a few
pieces with one leaf each. All crossings of all trees, in order, are the only places where the
votes change; the first at which the winner is another one is the boundary:

    tree 0   |---- leaf 3 ----------|---- leaf 5 ---|
    tree 1   |--- leaf 0 --|------- leaf 1 ---------|
    winner   A             A        B                       the boundary is tree 0's crossing
"""

import numpy as np

from .jit import kernel, step
from .walk import add_vote


@step
def _order(time, before, after, count):
    """Sort events by time, stably (a few dozen)."""
    for i in range(1, count):
        t, p, q = time[i], before[i], after[i]
        j = i - 1
        # Bounded: j falls
        while j >= 0 and time[j] > t:
            time[j + 1], before[j + 1], after[j + 1] = time[j], before[j], after[j]
            j -= 1
        time[j + 1], before[j + 1], after[j + 1] = t, p, q


@step
def _share(fa, fb):
    """The part of the way after which a score that goes from fa to fb has changed its sign.

    Scores may be so large that their difference, or they themselves, are infinite or no number;
    then the crossing is said to be halfway, for a place that is no number could not be ordered.
    """
    share = (0.5 * fa) / (0.5 * fa - 0.5 * fb)
    return share if 0.0 <= share <= 1.0 else 0.5


@step
def _winner(votes):
    best = 0
    for k in range(1, votes.size):
        if votes[k] > votes[best]:
            best = k
    return best


@kernel
def crossings(trees, forms, last, vote, weights, a, b, out):
    """out[i] := the part of the way from a[i] to b[i] after which the winner is another one.

    ``forms`` (float64[N, 3]): splits on the plane, see flat.py; a, b (float64[n, 2]) in its
    coordinates. 0.5 where the winner never changes. Trees 0 ... last-1 vote.
    """
    K = trees.counts.shape[1]
    votes = np.empty(K)
    deepest = 0
    for t in range(last):
        deepest = max(deepest, trees.node_at[t + 1] - trees.node_at[t])
    stack_node, stack_t = np.empty(deepest + 2, np.int64), np.empty(deepest + 2)
    room = 64 + 4 * last
    time, before, after = np.empty(room), np.empty(room, np.int64), np.empty(room, np.int64)
    owner = np.empty(trees.leaf_at[last], np.int32)
    for t in range(last):
        for leaf in range(trees.leaf_at[t], trees.leaf_at[t + 1]):
            owner[leaf] = t
    for i in range(len(a)):
        votes[:] = 0.0
        count = 0
        for t in range(last):
            base = trees.node_at[t]
            at, t0, t1 = base, 0.0, 1.0
            top = 0
            previous = -1
            # Bounded: every node of a tree is met at most once, for it has one parent
            while True:
                if trees.feature[at] == -1:
                    leaf = trees.leaf_at[t] + trees.left[at]
                    if previous < 0:
                        add_vote(trees, leaf, vote, weights[t], votes)
                    else:
                        if count == time.size:
                            time = np.append(time, np.empty(count))
                            before = np.append(before, np.empty(count, np.int64))
                            after = np.append(after, np.empty(count, np.int64))
                        time[count], before[count], after[count] = t0, previous, leaf
                        count += 1
                    previous = leaf
                    if top == 0:
                        break
                    top -= 1
                    t0 = t1
                    at, t1 = stack_node[top], stack_t[top]
                    continue
                form, cut = forms[at], trees.cut[at]
                fa = form[0] + form[1] * a[i, 0] + form[2] * a[i, 1] - cut
                fb = form[0] + form[1] * b[i, 0] + form[2] * b[i, 1] - cut
                child = base + trees.left[at]
                if (fa <= 0.0) == (fb <= 0.0):
                    at = child if fa <= 0.0 else child + 1
                    continue
                near, far = (child, child + 1) if fa <= 0.0 else (child + 1, child)
                cross = _share(fa, fb)
                if cross >= t1:
                    at = near
                elif cross <= t0:
                    at = far
                else:
                    stack_node[top], stack_t[top] = far, t1
                    top += 1
                    at, t1 = near, cross
        _order(time, before, after, count)
        start = _winner(votes)
        out[i] = 0.5
        k = 0
        # Bounded: every round moves k, and times are numbers (see _share)
        while k < count:
            now = time[k]
            while k < count and time[k] <= now:  # Bounded: k grows
                t = owner[before[k]]
                add_vote(trees, before[k], vote, -weights[t], votes)
                add_vote(trees, after[k], vote, weights[t], votes)
                k += 1
            if _winner(votes) != start:
                out[i] = now
                break
