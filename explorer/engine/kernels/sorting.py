"""Sorting samples by a value: insertion for few, buckets for some, merges for many. All stable."""

import numpy as np

from .jit import step

SMALL = 14  # samples up to which one insertion sort is the quickest way
SOME = 256  # samples up to which all are sorted, by buckets
# rows of Bench.ints
ORDER, SPARE, HOME, COUNT, START, LABEL = 0, 1, 2, 3, 4, 5
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
def sort_all(v, n, lo, scale, buckets, ints):
    """ints[ORDER][:n] := the samples in the order of v, equal ones in their own order."""
    order, home, size, spare = ints[ORDER], ints[HOME], ints[COUNT], ints[SPARE]
    if n <= SMALL or n > SOME or not (scale > 0.0 and np.isfinite(scale)):
        for i in range(n):
            order[i] = i
        sort_by(order, np.int64(0), n, v, spare)
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
        sort_by(order, np.int64(0), n, v, spare)
