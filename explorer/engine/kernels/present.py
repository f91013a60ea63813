"""The classes that are present at a node, numbered 0, 1, 2, ... without gaps.

Cut searches keep a sum per class and bucket. Deep in a tree few of the classes are left, and
the sums of the others are zeros that cost as much as numbers.
"""

import numpy as np

from .cut import LABEL
from .jit import step
from .scratch import Node


@step
def with_present_classes(node, bench):
    """The node with its classes renumbered, in the same order; everything else is shared."""
    K = node.totals.size
    totals, code = bench.pair[2], bench.pair[3]
    present = 0
    for k in range(K):
        if node.totals[k] > 0.0:
            totals[present] = node.totals[k]
            code[k] = present
            present += 1
    if present == K:
        return node
    y = bench.ints[LABEL]
    for i in range(node.b - node.a):
        y[i] = np.int32(code[node.y[i]])
    return Node(
        node.rows,
        node.a,
        node.b,
        node.oob,
        node.c,
        node.d,
        y,
        node.w,
        totals[:present],
        node.pool,
    )
