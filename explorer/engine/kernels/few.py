"""The best cut of a few samples: sort them and try every cut between distinct values.

For two classes and Gini all cuts are tried at once: sums on both sides of every cut, then their
worths, in loops without a branch, which compile to vector instructions. Most features of a node
do not beat the best one before them, and then no worth is looked at a second time.
"""

import numpy as np

from .impurity import GINI, worth2, xlogx
from .jit import step
from .sorting import ORDER, SOME, sort_all


@step
def scan(order, a, b, v, y, w, left, right, criterion, best, best_v):
    """Try every cut inside order[a:b], sorted by v; ``left``/``right`` are the sums at a."""
    il, ir = -1, -1
    if left.size == 2:
        l0, l1, r0, r1 = left[0], left[1], right[0], right[1]
        mixed = True  # is the run of equal values that ends at i of two classes?
        for i in range(a, b - 1):
            p, q = order[i], order[i + 1]
            second = w[p] * y[p]  # no branch on the class: it is unpredictable
            first = w[p] - second
            l0 += first
            l1 += second
            r0 -= first
            r1 -= second
            if v[p] < v[q]:
                # between two pure runs of one class the decrease has no peak (Fayyad and Irani)
                tied = i + 2 < b and v[order[i + 2]] == v[q]
                if mixed or tied or y[p] != y[q]:
                    score = worth2(l0, l1, criterion) + worth2(r0, r1, criterion)
                    if score > best or (score == best and v[p] < best_v):
                        best, best_v, il, ir = score, v[p], p, q
                mixed = tied
        return best, best_v, il, ir
    nl, nr, sl, sr = 0.0, 0.0, 0.0, 0.0
    for k in range(left.size):
        nl += left[k]
        nr += right[k]
        if criterion == GINI:
            sl += left[k] * left[k]
            sr += right[k] * right[k]
        else:
            sl += xlogx(left[k])
            sr += xlogx(right[k])
    for i in range(a, b - 1):
        p = order[i]
        k = y[p]
        x = w[p]
        if criterion == GINI:
            sl += x * (2.0 * left[k] + x)
            sr -= x * (2.0 * right[k] - x)
        else:
            sl += xlogx(left[k] + x) - xlogx(left[k])
            sr += xlogx(right[k] - x) - xlogx(right[k])
        left[k] += x
        right[k] -= x
        nl += x
        nr -= x
        q = order[i + 1]
        if v[p] < v[q] and nl > 0.0 and nr > 0.0:
            if criterion == GINI:
                score = sl / nl + sr / nr
            else:
                score = sl - xlogx(nl) + sr - xlogx(nr)
            if score > best or (score == best and v[p] < best_v):
                best, best_v, il, ir = score, v[p], p, q
    return best, best_v, il, ir


@step
def _running_sums(order, n, y, w, totals, l0, l1, r0, r1):
    """Class sums on both sides of the cut after each sample but the last."""
    a, b, c, d = 0.0, 0.0, totals[0], totals[1]
    for i in range(n - 1):
        p = order[i]
        second = w[p] * y[p]
        first = w[p] - second
        a += first
        b += second
        c -= first
        d -= second
        l0[i], l1[i], r0[i], r1[i] = a, b, c, d


@step
def _worths(n, l0, l1, r0, r1, best, score):
    """The worth of every cut, as ``worth2`` adds it up; returns how many beat ``best``."""
    beating = 0
    for i in range(n - 1):
        left, right = l0[i] + l1[i], r0[i] + r1[i]
        x = (l0[i] * l0[i] + l1[i] * l1[i]) / left
        z = (r0[i] * r0[i] + r1[i] * r1[i]) / right
        s = (x if left > 0.0 else 0.0) + (z if right > 0.0 else 0.0)
        score[i] = s
        beating += np.int64(s > best)
    return beating


@step
def _may_cut(order, i, n, v, y):
    """Whether the cut after sample i is one that ``scan`` would try."""
    p, q = order[i], order[i + 1]
    if not v[p] < v[q]:
        return False
    if y[p] != y[q] or v[p] == v[order[0]] or v[order[i - 1]] == v[p]:
        return True
    return i + 2 < n and v[order[i + 2]] == v[q]


@step
def best_of_few(v, y, w, n, totals, floor, ints, sums, score):
    """``best_cut`` of up to SOME samples of two classes by Gini.

    Takes single arrays of the Bench: a call with all of them costs as much as sorting ten samples.
    """
    parent = worth2(totals[0], totals[1], GINI)
    best = parent + floor
    lo, hi = v[0], v[0]
    for i in range(1, n):
        lo = min(lo, v[i])
        hi = max(hi, v[i])
    if not lo < hi:
        return -1.0, -1, -1
    sort_all(v, n, lo, n / (hi - lo), n, ints)
    order = ints[ORDER]
    l0, l1, r0, r1 = sums[:SOME], sums[SOME:], sums[2 * SOME :], sums[3 * SOME :]
    _running_sums(order, n, y, w, totals, l0, l1, r0, r1)
    il, ir = -1, -1
    if _worths(n, l0, l1, r0, r1, best, score) > 0:
        for i in range(n - 1):
            if score[i] > best and _may_cut(order, i, n, v, y):
                best, il, ir = score[i], np.int64(order[i]), np.int64(order[i + 1])
    return best - parent, il, ir
