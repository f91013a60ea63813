"""The best cut of projected samples, exactly, without sorting what cannot win.

Given a value per sample (a dense rank for an axis split, a score for an oblique one), find
the cut between two distinct neighbouring values with the largest decrease of impurity. Ties
go to the lowest value. Few samples are sorted by insertion and scanned; some more are first
spread over as many buckets as there are samples. Many are only dropped into buckets:

    values     . .: .  |  :. .  | ..: ::. |   .    | : .. .
    bucket         0   |   1    |    2    |   3    |    4
    class sums  l0 l1  | l0 l1  |  l0 l1  | l0 l1  |  l0 l1

Cuts between buckets need the class sums alone. A cut inside a bucket can only win if the
bucket holds two classes (impurity.py: the decrease is convex) and if a bound on it beats the
best cut between buckets. For two classes the bound is the better of two corners of the box of
class sums. For more, with Gini, it follows from slopes: ``most_inside`` limits how fast the worth
can rise or fall per class while the samples of the bucket move from right to left. Only the
buckets that may win are sorted and scanned. The result is the same as that of a full sort.
"""

import numpy as np

from .class_sums import LEFT as MOVED
from .class_sums import add_sample, most_inside, move, start_sides, stride_of
from .few import best_of_few, scan
from .impurity import GINI, worth, worth2
from .jit import step, template
from .sorting import COUNT, HOME, ORDER, SOME, SPARE, START, sort_all, sort_by

BUCKETS = 1024
MANY_SUMS = 8192  # class sums that are scanned as quickly as a few hundred samples are sorted
WORTH, OWN, LEFT_SQUARES, RIGHT_SQUARES = 0, 1, 2, 3  # rows of Bench.edge
LEAST = -1.7976931348623157e308  # the smallest finite number
SLACK = 1e-12  # bounds are rounded too


@step
def _corner_bound(l0, l1, r0, r1, a, b, criterion):
    """Most that a cut inside a bucket with class sums (a, b) can be worth."""
    one = worth2(l0 + a, l1, criterion) + worth2(r0 - a, r1, criterion)
    two = worth2(l0, l1 + b, criterion) + worth2(r0, r1 - b, criterion)
    return max(one, two)


@step
def _fill_buckets(v, y, w, n, stride, lo, scale, buckets, bench):
    """Drop samples into buckets: Bench.ints[HOME], counts in [COUNT], class sums in Bench.sums."""
    home, sums, size = bench.ints[HOME], bench.sums, bench.ints[COUNT]
    for i in range(buckets * stride):
        sums[i] = 0.0
    for b in range(buckets):
        size[b] = 0
    for i in range(n):
        b = min(int((v[i] - lo) * scale), buckets - 1)
        home[i] = b
        size[b] += 1
        add_sample(sums, b, stride, y[i], w[i])


@step
def _between_two(n, totals, criterion, buckets, best, bench):
    """Try the cuts between buckets for two classes; returns the best score and its bucket."""
    sums, size = bench.sums, bench.ints[COUNT]
    between = -1
    l0, l1, r0, r1 = 0.0, 0.0, totals[0], totals[1]
    done = 0
    for b in range(buckets):
        if size[b] == 0:
            continue
        l0 += sums[2 * b]
        l1 += sums[2 * b + 1]
        r0 -= sums[2 * b]
        r1 -= sums[2 * b + 1]
        done += size[b]
        if done == n:
            break
        score = worth2(l0, l1, criterion) + worth2(r0, r1, criterion)
        if score > best:
            best, between = score, b
    return best, between


@step
def _between_many(n, totals, criterion, buckets, best, bench):
    """The same for more classes.

    Bench.edge gets the worth of the cut after each bucket and the sums of squares on both sides.
    """
    K = totals.size
    stride = stride_of(K)
    sums, size, edge, side = bench.sums, bench.ints[COUNT], bench.edge, bench.side
    left, right = bench.pair[0, :K], bench.pair[1, :K]
    between = -1
    start_sides(totals, side)
    nr = 0.0
    for k in range(K):
        nr += totals[k]
    nl = 0.0
    done = 0
    for b in range(buckets):
        if size[b] == 0:
            continue
        own, sl, sr = move(sums, b, stride, side)
        nl += own
        nr -= own
        done += size[b]
        edge[WORTH, b], edge[OWN, b] = 0.0, own
        edge[LEFT_SQUARES, b], edge[RIGHT_SQUARES, b] = sl, sr
        if done == n:
            break
        if criterion == GINI:
            score = sl / nl + sr / nr
        else:
            for k in range(K):
                left[k] = side[MOVED, k]
                right[k] = totals[k] - left[k]
            score = worth(left, criterion) + worth(right, criterion)
        edge[WORTH, b] = score
        if score > best:
            best, between = score, b
    return best, between


@step
def _two_to_sort(totals, criterion, buckets, best, bench):
    """Mark in Bench.ints[START] the buckets that may hide a better cut; returns their samples."""
    sums, size, start = bench.sums, bench.ints[COUNT], bench.ints[START]
    filled = 0
    l0, l1, r0, r1 = 0.0, 0.0, totals[0], totals[1]
    for b in range(buckets):
        start[b] = -1
        if size[b] == 0:
            continue
        s0, s1 = sums[2 * b], sums[2 * b + 1]
        if s0 > 0.0 and s1 > 0.0:
            bound = _corner_bound(l0, l1, r0, r1, s0, s1, criterion)
            if bound + SLACK * abs(bound) >= best:
                start[b] = filled
                filled += size[b]
        l0 += s0
        l1 += s1
        r0 -= s0
        r1 -= s1
    return filled


@step
def _of_one_class(sums, b, stride):
    present = 0
    for k in range(b * stride, (b + 1) * stride):
        present += np.int64(sums[k] > 0.0)
    return present < 2


@step
def _many_to_sort(n, totals, criterion, parent, buckets, best, bench):
    """The same for more classes."""
    stride = stride_of(totals.size)
    sums, size, edge, start = bench.sums, bench.ints[COUNT], bench.edge, bench.ints[START]
    start_sides(totals, bench.side)
    l, r, squares = 0.0, 0.0, 0.0  # noqa: E741
    for k in range(totals.size):
        r += totals[k]
        squares += totals[k] * totals[k]
    filled, done = 0, 0
    before, sl, sr = parent, 0.0, squares
    for b in range(buckets):
        start[b] = -1
        if size[b] == 0:
            continue
        done += size[b]
        own, after = edge[OWN, b], edge[WORTH, b] if done < n else parent
        tl, tr = edge[LEFT_SQUARES, b], edge[RIGHT_SQUARES, b]
        r = max(r - own, 0.0) if done < n else 0.0
        bound = np.inf
        if criterion == GINI:
            around = (sl, sr, tl, tr)
            bound = most_inside(sums, b, stride, bench.side, l, r, own, before, after, around)
        if bound + SLACK * abs(bound) >= best and not _of_one_class(sums, b, stride):
            start[b] = filled
            filled += size[b]
        l += own  # noqa: E741
        before, sl, sr = after, tl, tr
    return filled


@template
def best_cut(v, y, w, n, totals, criterion, floor, bench):
    """Best cut of values v[:n] with classes y, weights w and class sums ``totals``.

    Returns (gain, il, ir): the decrease of impurity times the node's weight, and the places
    of the largest value on the left and of the smallest on the right. Only a gain above
    ``floor`` is reported; otherwise il is -1. ``bench`` is a Bench (see scratch.py).
    """
    if n <= SOME and totals.size == 2 and criterion == GINI:
        found = best_of_few(v, y, w, n, totals, floor, bench.ints, bench.sums, bench.edge[0])
    else:
        found = best_of_any(v, y, w, n, totals, criterion, floor, bench)
    return found


@step
def best_of_any(v, y, w, n, totals, criterion, floor, bench):
    """``best_cut`` of any number of samples and classes."""
    parent = worth(totals, criterion)
    best = parent + floor
    best_v = -np.inf  # a tie with ``floor`` does not win
    order = bench.ints[ORDER]
    K = totals.size
    stride = stride_of(K)
    left, right = bench.pair[0, :K], bench.pair[1, :K]

    lo, hi = v[0], v[0]
    for i in range(1, n):
        lo = min(lo, v[i])
        hi = max(hi, v[i])
    if not lo < hi or K < 2:
        return -1.0, -1, -1

    buckets = n if n <= SOME else min(BUCKETS, n >> 2)
    if K > 2 and n > SOME:
        buckets = max(64, min(n >> 4, MANY_SUMS // K))
    scale = buckets / (hi - lo)
    zero = np.int64(0)  # a literal would compile the scan again
    whole = n <= SOME or not (scale > 0.0 and np.isfinite(scale))
    between, filled = -1, n
    if whole:
        sort_all(v, n, lo, scale, buckets, bench.ints)
    else:
        _fill_buckets(v, y, w, n, stride, lo, scale, buckets, bench)
        if K == 2:
            best, between = _between_two(n, totals, criterion, buckets, best, bench)
            filled = _two_to_sort(totals, criterion, buckets, best, bench)
        else:
            best, between = _between_many(n, totals, criterion, buckets, best, bench)
            filled = _many_to_sort(n, totals, criterion, parent, buckets, best, bench)
    il, ir = -1, -1
    home, sums, size, start = bench.ints[HOME], bench.sums, bench.ints[COUNT], bench.ints[START]
    if between >= 0:  # the value left of the best cut between buckets, for ties and the answer
        il, ir = _ends(v, home, n, between, size, buckets)
        best_v = v[il]
    if filled == 0:
        return best - parent, il, ir
    if not whole:  # the samples of the marked buckets go to ``order``, bucket by bucket
        for i in range(n):
            s = start[home[i]]
            if s >= 0:
                order[s] = i
                start[home[i]] = s + 1
    for k in range(K):
        left[k] = 0.0
        right[k] = totals[k]
    for b in range(1 if whole else buckets):
        a, end = zero, n
        if not whole:
            if start[b] < 0:
                for k in range(K):
                    left[k] += sums[b * stride + k]
                    right[k] -= sums[b * stride + k]
                continue
            end = np.int64(start[b])
            a = end - size[b]
            sort_by(order, a, end, v, bench.ints[SPARE])
        best, best_v, p, q = scan(order, a, end, v, y, w, left, right, criterion, best, best_v)
        if p >= 0:
            il, ir = p, q
        if K == 2:
            if not whole:
                for k in range(K):
                    left[k] += sums[b * stride + k]
                    right[k] -= sums[b * stride + k]
        else:  # the generic scan has moved the sums by all but the last sample
            p = order[end - 1]
            left[y[p]] += w[p]
            right[y[p]] -= w[p]
    return best - parent, il, ir


@step
def _ends(v, home, n, b, size, buckets):
    """Places of the largest value in bucket b and of the smallest in the next that has any."""
    after = b + 1
    while after < buckets and size[after] == 0:  # Bounded: after rises
        after += 1
    il, ir = -1, -1
    for i in range(n):
        if home[i] == b:
            if il < 0 or v[i] > v[il]:
                il = i
        elif home[i] == after:
            if ir < 0 or v[i] < v[ir]:
                ir = i
    return il, ir


@step
def midpoint(a, b):
    """A cut c with a <= c < b, halfway where rounding allows: x <= c goes left.

    The cut is finite also where a is minus infinity, an overflow of huge values.
    """
    c = 0.5 * a + 0.5 * b
    if not (a <= c < b):
        c = a
    return max(c, LEAST)
