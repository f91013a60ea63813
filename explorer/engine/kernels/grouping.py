"""Two groups of classes at a node, for splits that tell two groups apart.

With two classes each is a group. With more, there are several ways, and which one is taken
decides how well a forest of many classes does (docs/many-classes.md):

    HO         the two classes whose means are farthest apart anchor the groups, every other class
               joins the nearer one (Ho s.2)
    ANCHORS    the same with two anchors drawn at random
    HALVES     half of the classes, drawn at random, against the others
    PRINCIPAL  the class means on both sides of their centre along their principal direction
    REST       one class, drawn at random, against the others

Means are those of the columns of Z as they are, every class weighing as much as its samples.
"""

import numpy as np

from .jit import step
from .linear import class_means, two_groups
from .rng import below

HO, ANCHORS, HALVES, PRINCIPAL, REST = 0, 1, 2, 3, 4
GROUPINGS = {"ho": HO, "anchors": ANCHORS, "halves": HALVES, "principal": PRINCIPAL, "rest": REST}
TURNS = 20  # of the power iteration: a direction, not an eigenvalue, is what is needed


@step
def _nth_present(totals, place):
    """Code of the class number ``place`` among those that are present."""
    for k in range(totals.size):
        if totals[k] > 0.0:
            if place == 0:
                return k
            place -= 1
    return -1


@step
def _around_anchors(means, totals, m, first, last, side):
    """Every class joins the nearer of two; ties go to the first."""
    for k in range(totals.size):
        if totals[k] > 0.0:
            near, far = 0.0, 0.0
            for j in range(m):
                near += (means[k, j] - means[first, j]) ** 2
                far += (means[k, j] - means[last, j]) ** 2
            side[k] = -1.0 if near <= far else 1.0
    side[first] = -1.0
    side[last] = 1.0


@step
def _random_half(state, totals, present, side):
    """Half of the classes (rounded down), each subset equally likely, go to the right."""
    want, left = present // 2, present
    for k in range(totals.size):
        if totals[k] > 0.0:
            if below(state, left) < want:
                side[k] = 1.0
                want -= 1
            else:
                side[k] = -1.0
            left -= 1


@step
def _along_principal(means, totals, m, side, v, u):
    """Sign of the centred class means along the direction in which they spread most.

    False if they do not spread at all.
    """
    K = totals.size
    whole = 0.0
    for j in range(m):
        v[j] = 0.0
    for k in range(K):
        if totals[k] > 0.0:
            whole += totals[k]
            for j in range(m):
                v[j] += totals[k] * means[k, j]
    for k in range(K):
        if totals[k] > 0.0:
            for j in range(m):
                means[k, j] -= v[j] / whole
    # begin with the mean that lies farthest out
    far, start = 0.0, -1
    for k in range(K):
        if totals[k] > 0.0:
            d = 0.0
            for j in range(m):
                d += means[k, j] ** 2
            if d > far:
                far, start = d, k
    if start < 0:
        return False
    for j in range(m):
        v[j] = means[start, j]
    for _ in range(TURNS):
        for j in range(m):
            u[j] = 0.0
        for k in range(K):
            if totals[k] > 0.0:
                s = 0.0
                for j in range(m):
                    s += means[k, j] * v[j]
                for j in range(m):
                    u[j] += totals[k] * s * means[k, j]
        size = 0.0
        for j in range(m):
            size += u[j] * u[j]
        if not size > 0.0 or not np.isfinite(size):
            break
        for j in range(m):
            v[j] = u[j] / np.sqrt(size)
    minus, plus = 0, 0
    for k in range(K):
        if totals[k] > 0.0:
            s = 0.0
            for j in range(m):
                s += means[k, j] * v[j]
            side[k] = -1.0 if s <= 0.0 else 1.0
            minus += s <= 0.0
            plus += s > 0.0
    return minus > 0 and plus > 0


@step
def group_classes(kind, state, y, w, n, totals, Z, m, model):
    """Fill model.side with the group (-1, +1; 0 if absent) per class, model.target per sample."""
    side, target = model.side, model.target
    K = totals.size
    present = 0
    for k in range(K):
        if totals[k] > 0.0:
            present += 1
    if kind == HO or present <= 2:
        two_groups(y, w, n, totals, Z, m, side, model.means, target)
        return
    for k in range(K):
        side[k] = 0.0
    if kind == HALVES:
        _random_half(state, totals, present, side)
    elif kind == REST:
        for k in range(K):
            if totals[k] > 0.0:
                side[k] = -1.0
        side[_nth_present(totals, below(state, present))] = 1.0
    else:
        class_means(y, w, n, totals, Z, m, model.means)
        if kind == ANCHORS:
            p = below(state, present)
            q = below(state, present - 1)
            if q >= p:
                q += 1
            first = _nth_present(totals, min(p, q))
            last = _nth_present(totals, max(p, q))
            _around_anchors(model.means, totals, m, first, last, side)
        elif not _along_principal(model.means, totals, m, side, model.vec[0], model.vec[1]):
            two_groups(y, w, n, totals, Z, m, side, model.means, target)
            return
    for i in range(n):
        target[i] = side[y[i]]
