"""The classes that are present at a node, numbered 0, 1, 2, ... without gaps.

Cut searches keep a sum per class and bucket. Deep in a tree few of the classes are left, and
the sums of the others are zeros that cost as much as numbers.
"""

import numpy as np

from .jit import step, template
from .scratch import Node
from .sorting import LABEL


@step
def _renumber(y, n, totals, label, packed, code):
    """label[:n], packed := the classes and sums without gaps; returns how many are present."""
    present = 0
    for k in range(totals.size):
        if totals[k] > 0.0:
            packed[present] = totals[k]
            code[k] = present
            present += 1
    if present < totals.size:
        for i in range(n):
            label[i] = np.int32(code[y[i]])
    return present


@template
def with_present_classes(node, bench):
    """The node with its classes renumbered, in the same order; everything else is shared."""
    label, packed = bench.ints[LABEL], bench.pair[2]
    K = node.totals.size
    # a node of one class is not divided, so of two classes both are present
    present = 2
    if K > 2:
        present = _renumber(node.y, node.b - node.a, node.totals, label, packed, bench.pair[3])
    y, totals = node.y, node.totals
    if present < K:
        y, totals = label, packed[:present]
    return Node(node.rows, node.a, node.b, node.oob, node.c, node.d, y, node.w, totals, node.pool)
