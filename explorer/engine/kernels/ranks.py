"""Dense ranks of every feature: equal values share a rank, ranks run 0, 1, 2, ... without gaps.

Axis splits depend on the order of values alone, so they are found on ranks (uint32): half
the memory of the data, integers that spread evenly over buckets, and equality that means
equality. Computed once per forest by a radix sort of the floats' bits.
"""

import numpy as np

from .jit import kernel, step

_RADIX = 11
_SIZE = 1 << _RADIX
_MASK = np.uint64(_SIZE - 1)
_SIGN = np.uint64(1 << 63)
_SMALL = 64


@step
def _insertion(keys, order, n):
    for i in range(1, n):
        key, place = keys[i], order[i]
        j = i - 1
        while j >= 0 and keys[j] > key:  # Bounded: j falls
            keys[j + 1], order[j + 1] = keys[j], order[j]
            j -= 1
        keys[j + 1], order[j + 1] = key, place


@step
def _radix_sort(keys, order, keys2, order2, counts):
    """Sort by keys (least significant digits first), skipping digits that all keys share.

    Returns True if the result is in keys2/order2.
    """
    n = keys.size
    counts[:, :] = 0
    for i in range(n):
        key = keys[i]
        for d in range(6):
            counts[d, (key >> np.uint64(_RADIX * d)) & _MASK] += 1
    swapped = False
    for d in range(6):
        shift = np.uint64(_RADIX * d)
        first = (keys2[0] if swapped else keys[0]) >> shift & _MASK
        if counts[d, first] == n:
            continue
        at = 0
        for q in range(_SIZE):
            c = counts[d, q]
            counts[d, q] = at
            at += c
        if swapped:
            for i in range(n):
                q = (keys2[i] >> shift) & _MASK
                keys[counts[d, q]], order[counts[d, q]] = keys2[i], order2[i]
                counts[d, q] += 1
        else:
            for i in range(n):
                q = (keys[i] >> shift) & _MASK
                keys2[counts[d, q]], order2[counts[d, q]] = keys[i], order[i]
                counts[d, q] += 1
        swapped = not swapped
    return swapped


@kernel
def dense_ranks(X, first, last, out, levels):
    """out[f] := dense ranks of column f of X (float64[n, P]) for f in first ... last-1.

    levels[f] (int64[P]) gets the number of distinct values.
    """
    n = X.shape[0]
    keys, keys2 = np.empty(n, np.uint64), np.empty(n, np.uint64)
    order, order2 = np.empty(n, np.int32), np.empty(n, np.int32)
    counts = np.empty((6, _SIZE), np.int64)
    column = np.empty(n, np.float64)
    bits = column.view(np.uint64)
    for f in range(first, last):
        for i in range(n):
            column[i] = X[i, f] + 0.0  # -0.0 becomes 0.0: they are equal
        for i in range(n):
            b = bits[i]
            keys[i] = ~b if b & _SIGN else b | _SIGN
            order[i] = i
        swapped = False
        if n <= _SMALL:
            _insertion(keys, order, n)
        else:
            swapped = _radix_sort(keys, order, keys2, order2, counts)
        a = keys2 if swapped else keys
        o = order2 if swapped else order
        rank = np.uint32(0)
        row = out[f]
        for i in range(n):
            if i > 0 and a[i] != a[i - 1]:
                rank += np.uint32(1)
            row[o[i]] = rank
        levels[f] = np.int64(rank) + 1


@kernel
def transpose(X, first, last, out):
    """out[f, i] := X[i, f] for rows first ... last-1, tile by tile."""
    P = X.shape[1]
    for a in range(first, last, 64):
        b = min(a + 64, last)
        for f in range(P):
            for i in range(a, b):
                out[f, i] = X[i, f]
