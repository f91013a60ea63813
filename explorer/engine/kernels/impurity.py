"""What a cut is worth: Gini impurity and entropy, as sums that only grow with purity.

For class weights l (left) and r (right) of a node, with totals L and R, both criteria are
``worth(l) + worth(r) - worth(l + r)``, the decrease of impurity times the node's weight:

    Gini     (Menze s.2, Sazonau eq. 2)   worth(l) = sum l_k^2 / L
    entropy  (Sazonau eq. 3)              worth(l) = sum l_k log l_k - L log L

Both are convex in l: along a run of samples the decrease is largest at one of its ends if
the run holds one class only. The cut search leans on that to skip what cannot win.
"""

import numpy as np

from .jit import step

GINI, ENTROPY, GAIN_RATIO = 0, 1, 2


@step
def xlogx(x):
    if x <= 0.0:
        return 0.0
    return x * np.log(x)


@step
def worth(counts, criterion):
    """Worth of one node with class weights ``counts`` (float64[K])."""
    total = 0.0
    s = 0.0
    if criterion == GINI:
        for k in range(counts.size):
            total += counts[k]
            s += counts[k] * counts[k]
        return s / total if total > 0.0 else 0.0
    for k in range(counts.size):
        total += counts[k]
        s += xlogx(counts[k])
    return s - xlogx(total)


@step
def worth2(a, b, criterion):
    """Worth of a node with two class weights."""
    n = a + b
    if n <= 0.0:
        return 0.0
    if criterion == GINI:
        return (a * a + b * b) / n
    return xlogx(a) + xlogx(b) - xlogx(n)


@step
def perfect_gain(totals, criterion):
    """Decrease of impurity of a cut that leaves one class on either side, less rounding.

    No cut is worth more, so a search that reaches it can stop.
    """
    total = 0.0
    if criterion == GINI:
        for k in range(totals.size):
            total += totals[k]
    return (total - worth(totals, criterion)) * (1.0 - 1e-12)


@step
def split_information(left, right):
    """Entropy of the sizes of two children, times their sum (C4.5's split information)."""
    return xlogx(left + right) - xlogx(left) - xlogx(right)
