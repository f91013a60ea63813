"""The best cut of a feature with few distinct values, from one pass over the node's rows.

A feature with at most LEVELS distinct values in the whole data has a row of class sums per
value, indexed by dense rank. One pass adds the node's rows to it, a second one tries the cuts
between the values that occur. Nothing is sorted, and the work grows with the rows and with the
values that occur at the node, not with the values that the feature has.

    rank     0   1   2   3   4   5   6   7        seen   1 0 0 1 1 0 0 1
    class A  2   .   .   1   .   .   .   4        cells  the class sums, zero where not seen
    class B  1   .   .   .   3   .   .   .

``cells`` and ``seen`` are all zero between two calls: what a call fills, it clears.
"""

import numpy as np

from .class_sums import LEFT, U, add_sample, clear, move, start_sides, stride_of
from .impurity import GINI, worth, worth2
from .jit import step

LEVELS = 1024


@step
def _fill(rank, rows, a, n, y, w, stride, cells, seen):
    for i in range(n):
        r = rank[U(rows[a + i])]
        seen[r] = 1
        add_sample(cells, r, stride, y[i], w[i])


@step
def _scan_two(words, levels, seen, cells, totals, criterion, best):
    """Try every cut for two classes; returns the best score and the levels on its two sides."""
    low, high, last = -1, -1, -1
    l0, l1, r0, r1 = 0.0, 0.0, totals[0], totals[1]
    for word in range((levels + 7) >> 3):
        if words[word] == 0:
            continue
        for level in range(8 * word, 8 * word + 8):
            if seen[level] == 0:
                continue
            if last >= 0:
                score = worth2(l0, l1, criterion) + worth2(r0, r1, criterion)
                if score > best:
                    best, low, high = score, last, level
            s0, s1 = cells[2 * level], cells[2 * level + 1]
            l0 += s0
            l1 += s1
            r0 -= s0
            r1 -= s1
            cells[2 * level] = 0.0
            cells[2 * level + 1] = 0.0
            last = level
        words[word] = 0
    return best, low, high


@step
def _scan_many(words, levels, seen, cells, totals, criterion, best, side, left, right):
    """The same for any number of classes."""
    K = totals.size
    stride = stride_of(K)
    low, high, last = -1, -1, -1
    start_sides(totals, side)
    total = 0.0
    for k in range(K):
        total += totals[k]
    nl, score = 0.0, 0.0
    for word in range((levels + 7) >> 3):
        if words[word] == 0:
            continue
        for level in range(8 * word, 8 * word + 8):
            if seen[level] == 0:
                continue
            if last >= 0 and score > best:  # the cut between the level before and this one
                best, low, high = score, last, level
            own, sl, sr = move(cells, level, stride, side)
            clear(cells, level, stride)
            nl += own
            nr = total - nl
            score = -np.inf
            if nr > 0.0:
                if criterion == GINI:
                    score = sl / nl + sr / nr
                else:
                    for k in range(K):
                        left[k] = side[LEFT, k]
                        right[k] = totals[k] - left[k]
                    score = worth(left, criterion) + worth(right, criterion)
            last = level
        words[word] = 0
    return best, low, high


@step
def best_level_cut(rank, levels, rows, a, n, y, w, totals, criterion, floor, bench):
    """Best cut of a feature with ranks ``rank`` and ``levels`` distinct values.

    Returns (gain, low, high): the decrease of impurity times the node's weight, the largest
    rank on the left and the smallest on the right. low is -1 where no gain is above ``floor``.
    """
    K = totals.size
    cells, seen, words = bench.cells, bench.seen, bench.words
    _fill(rank, rows, a, n, y, w, stride_of(K), cells, seen)
    parent = worth(totals, criterion)
    best = parent + floor
    if K == 2:
        best, low, high = _scan_two(words, levels, seen, cells, totals, criterion, best)
    else:
        left, right = bench.pair[0, :K], bench.pair[1, :K]
        best, low, high = _scan_many(
            words, levels, seen, cells, totals, criterion, best, bench.side, left, right
        )
    return best - parent, low, high


@step
def row_at_level(rank, rows, a, n, level):
    """One of rows[a:a+n] whose rank is ``level``."""
    for i in range(n):
        if np.int64(rank[rows[a + i]]) == level:
            return rows[a + i]
    return rows[a]
