"""Counting in how many trees two samples share a leaf (Menze s.5, "Sample Proximity").

``leaf`` (int32[k, n]) holds the leaf of every row in some trees, -1 where the row is in the bag.
Rows are compared with some columns (all rows, or landmarks). Per tree the columns are grouped by
leaf, so that only pairs that do meet cost anything:

    leaf of columns     3  0  -  3  1  0          start  0  2  3  3  5
    members, by leaf    1  5 | 4 | | 0  3

How many trees tested a pair is the number of common bits of two rows' out-of-bag trees.
"""

import numpy as np

from .jit import kernel, step

_M1 = np.uint64(0x5555555555555555)
_M2 = np.uint64(0x3333333333333333)
_M4 = np.uint64(0x0F0F0F0F0F0F0F0F)
_H01 = np.uint64(0x0101010101010101)
_S1, _S2, _S4, _S56 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


@step
def _ones(x):
    """Number of bits set in a uint64."""
    x = x - ((x >> _S1) & _M1)
    x = (x & _M2) + ((x >> _S2) & _M2)
    x = (x + (x >> _S4)) & _M4
    return (x * _H01) >> _S56


@kernel
def together(leaf, columns, n_leaf, first, last, same):
    """same[i, c] += trees in which rows i and columns[c] share a leaf, i in first ... last-1."""
    C = columns.size
    start = np.empty(n_leaf + 2, np.int64)
    members = np.empty(C, np.int64)
    for t in range(leaf.shape[0]):
        start[:] = 0
        for c in range(C):
            start[leaf[t, columns[c]] + 2] += 1
        start[1] = 0  # columns in the bag belong to no leaf
        for k in range(2, start.size):
            start[k] += start[k - 1]
        for c in range(C):
            k = leaf[t, columns[c]]
            if k >= 0:
                members[start[k + 1]] = c
                start[k + 1] += 1
        # start[k + 1] is now the end of leaf k, and start[k] its beginning
        for i in range(first, last):
            k = leaf[t, i]
            if k >= 0:
                mine = same[i]
                for j in range(start[k], start[k + 1]):
                    mine[members[j]] += 1


@kernel
def share(bits, columns, same, first, last, out, untested):
    """out[i - first, c] := same[i, c] / trees that had both out of bag; 0 where none had.

    ``bits`` (uint64[n, words]) has one bit per tree that had the row out of bag. ``untested[i]``
    gets the number of pairs of row i that no tree tested.
    """
    words = bits.shape[1]
    for i in range(first, last):
        none = 0
        for c in range(columns.size):
            both = np.uint64(0)
            for k in range(words):
                both += _ones(bits[i, k] & bits[columns[c], k])
            if both == 0:
                out[i - first, c] = 0.0
                none += 1
            else:
                out[i - first, c] = same[i, c] / np.float64(both)
        untested[i] = none
