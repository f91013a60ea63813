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
class sums. For more, with Gini, it follows from slopes: moving a sample of weight x from right
to left changes the worth by at most 2 x, so a cut inside a bucket of weight W is worth at most
the mean of the cuts on both sides of the bucket, plus W. Only the buckets that may win are sorted
and scanned. The result is the same as that of a full sort.
"""

import numpy as np

from .impurity import GINI, worth, worth2, xlogx
from .jit import fast_step, step

SMALL = 14  # samples up to which one insertion sort is the quickest way
SOME = 256  # samples up to which all are sorted, by buckets
BUCKETS = 1024
MANY_SUMS = 8192  # class sums that are scanned as quickly as a few hundred samples are sorted
# rows of Bench.ints
ORDER, SPARE, HOME, COUNT, START, LABEL = 0, 1, 2, 3, 4, 5
LEAST = -1.7976931348623157e308  # the smallest finite number
SLACK = 1e-12  # bounds are rounded too
_RUN = 16  # length of the insertion-sorted runs of the merge sort


@step
def _insertion(order, a, b, v):
    for i in range(a + 1, b):
        p = order[i]
        x = v[p]
        j = i - 1
        while j >= a and v[order[j]] > x:  # Bounded: j falls
            order[j + 1] = order[j]
            j -= 1
        order[j + 1] = p


@step
def sort_by(order, a, b, v, spare):
    """Sort order[a:b] by v, stably: insertion for few, bottom-up merges for many."""
    if b - a <= 2 * _RUN:
        _insertion(order, a, b, v)
        return
    i = a
    while i < b:  # Bounded: i rises
        _insertion(order, i, min(i + _RUN, b), v)
        i += _RUN
    width = _RUN
    while width < b - a:  # Bounded: width doubles
        i = a
        while i < b:  # Bounded: i rises
            mid = min(i + width, b)
            end = min(i + 2 * width, b)
            if mid < end and v[order[mid - 1]] > v[order[mid]]:
                for k in range(i, mid):
                    spare[k] = order[k]
                p, q, k = i, mid, i
                while p < mid and q < end:  # Bounded: p or q rises
                    if v[order[q]] < v[spare[p]]:
                        order[k] = order[q]
                        q += 1
                    else:
                        order[k] = spare[p]
                        p += 1
                    k += 1
                while p < mid:  # Bounded: p rises
                    order[k] = spare[p]
                    p += 1
                    k += 1
            i += 2 * width
        width *= 2


@step
def _sort_all(v, n, lo, scale, buckets, bench):
    """bench.ints[ORDER][:n] := the samples in the order of v."""
    order, home, size = bench.ints[ORDER], bench.ints[HOME], bench.ints[COUNT]
    if n <= SMALL or n > SOME or not (scale > 0.0 and np.isfinite(scale)):
        for i in range(n):
            order[i] = i
        sort_by(order, np.int64(0), n, v, bench.ints[SPARE])
        return
    for b in range(buckets + 1):
        size[b] = 0
    for i in range(n):
        b = min(int((v[i] - lo) * scale), buckets - 1)
        home[i] = b
        size[b + 1] += 1
    fullest = 0
    for b in range(buckets):
        fullest = max(fullest, size[b + 1])
        size[b + 1] += size[b]
    for i in range(n):
        b = home[i]
        order[size[b]] = i
        size[b] += 1
    if fullest <= _RUN:  # as a rule: little is left to do
        _insertion(order, np.int64(0), n, v)
    else:
        sort_by(order, np.int64(0), n, v, bench.ints[SPARE])


@step
def _scan(order, a, b, v, y, w, left, right, criterion, best, best_v):
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
def _corner_bound(l0, l1, r0, r1, a, b, criterion):
    """Most that a cut inside a bucket with class sums (a, b) can be worth."""
    one = worth2(l0 + a, l1, criterion) + worth2(r0 - a, r1, criterion)
    two = worth2(l0, l1 + b, criterion) + worth2(r0, r1 - b, criterion)
    return max(one, two)


@step
def _fill_buckets(v, y, w, n, K, lo, scale, buckets, bench):
    """Drop samples into buckets: Bench.ints[HOME], counts in [COUNT], class sums in Bench.sums."""
    home, sums, size = bench.ints[HOME], bench.sums, bench.ints[COUNT]
    for i in range(buckets * K):
        sums[i] = 0.0
    for b in range(buckets):
        size[b] = 0
    for i in range(n):
        b = min(int((v[i] - lo) * scale), buckets - 1)
        home[i] = b
        size[b] += 1
        sums[b * K + y[i]] += w[i]


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


@fast_step
def _move_bucket(sums, at, left, right):
    """Move the class sums of a bucket from right to left; returns both sums of squares.

    All are whole numbers unless samples have weights, so the order of addition does not matter.
    """
    sl, sr = 0.0, 0.0
    for k in range(left.size):
        s = sums[at + k]
        x, z = left[k] + s, right[k] - s
        left[k] = x
        right[k] = z
        sl += x * x
        sr += z * z
    return sl, sr


@step
def _between_many(n, totals, criterion, buckets, best, bench):
    """The same for more classes; Bench.edge gets the worth of the cut after each bucket."""
    K = totals.size
    sums, size, edge = bench.sums, bench.ints[COUNT], bench.edge
    left, right = bench.pair[0, :K], bench.pair[1, :K]
    between = -1
    nr = 0.0
    for k in range(K):
        left[k] = 0.0
        right[k] = totals[k]
        nr += totals[k]
    nl = 0.0
    done = 0
    for b in range(buckets):
        if size[b] == 0:
            continue
        own = 0.0
        for k in range(K):
            own += sums[b * K + k]
        sl, sr = _move_bucket(sums, b * K, left, right)
        nl += own
        nr -= own
        done += size[b]
        if done == n:
            break
        if criterion == GINI:
            score = sl / nl + sr / nr
        else:
            score = worth(left, criterion) + worth(right, criterion)
        edge[b] = score
        if score > best:
            best, between = score, b
    return best, between


@step
def _buckets_to_sort(n, totals, criterion, parent, buckets, best, bench):
    """Mark in Bench.ints[START] the buckets that may hide a better cut; returns their samples."""
    K = totals.size
    sums, size, edge, start = bench.sums, bench.ints[COUNT], bench.edge, bench.ints[START]
    filled, done = 0, 0
    l0, l1, r0, r1 = 0.0, 0.0, totals[0], totals[1]
    before, after = parent, parent
    for b in range(buckets):
        start[b] = -1
        if size[b] == 0:
            continue
        done += size[b]
        classes, inside = 0, 0.0
        for k in range(K):
            s = sums[b * K + k]
            inside += s
            classes += np.int64(s > 0.0)
        if K > 2:
            before = after
            after = edge[b] if done < n else parent
        if size[b] > 1 and classes > 1:
            bound = np.inf
            if K == 2:
                bound = _corner_bound(l0, l1, r0, r1, sums[2 * b], sums[2 * b + 1], criterion)
            elif criterion == GINI:
                bound = 0.5 * (before + after) + inside
            if bound + SLACK * abs(bound) >= best:
                start[b] = filled
                filled += size[b]
        if K == 2:
            l0 += sums[2 * b]
            l1 += sums[2 * b + 1]
            r0 -= sums[2 * b]
            r1 -= sums[2 * b + 1]
    return filled


@step
def best_cut(v, y, w, n, totals, criterion, floor, bench):
    """Best cut of values v[:n] with classes y, weights w and class sums ``totals``.

    Returns (gain, il, ir): the decrease of impurity times the node's weight, and the places
    of the largest value on the left and of the smallest on the right. Only a gain above
    ``floor`` is reported; otherwise il is -1. ``bench`` is a Bench (see scratch.py).
    """
    parent = worth(totals, criterion)
    best = parent + floor
    best_v = -np.inf  # a tie with ``floor`` does not win
    order = bench.ints[ORDER]
    K = totals.size
    left, right = bench.pair[0, :K], bench.pair[1, :K]

    lo, hi = v[0], v[0]
    for i in range(1, n):
        lo = min(lo, v[i])
        hi = max(hi, v[i])
    if not lo < hi or K < 2:
        return -1.0, -1, -1

    buckets = n if n <= SOME else min(BUCKETS, n >> 2)
    if K > 2 and n > SOME:
        buckets = min(buckets, max(64, MANY_SUMS // K))
    scale = buckets / (hi - lo)
    zero = np.int64(0)  # a literal would compile the scan again
    whole = n <= SOME or not (scale > 0.0 and np.isfinite(scale))
    between, filled = -1, n
    if whole:
        _sort_all(v, n, lo, scale, buckets, bench)
    else:
        _fill_buckets(v, y, w, n, K, lo, scale, buckets, bench)
        if K == 2:
            best, between = _between_two(n, totals, criterion, buckets, best, bench)
        else:
            best, between = _between_many(n, totals, criterion, buckets, best, bench)
        filled = _buckets_to_sort(n, totals, criterion, parent, buckets, best, bench)
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
                    left[k] += sums[b * K + k]
                    right[k] -= sums[b * K + k]
                continue
            end = np.int64(start[b])
            a = end - size[b]
            sort_by(order, a, end, v, bench.ints[SPARE])
        best, best_v, p, q = _scan(order, a, end, v, y, w, left, right, criterion, best, best_v)
        if p >= 0:
            il, ir = p, q
        if K == 2:
            if not whole:
                for k in range(K):
                    left[k] += sums[b * K + k]
                    right[k] -= sums[b * K + k]
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
