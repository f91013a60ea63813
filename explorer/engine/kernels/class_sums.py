"""Class sums of buckets and levels, moved from the right of a cut to its left four at a time.

A bucket has a sum per class, and room for a multiple of four of them:

    sums   A B C D  E F . .  |  A B C D  E F . .  |  ...      6 classes, a stride of 8

The sums without a class are zero and stay zero. Written out in fours with unsigned places, which
numba does not test for being negative, these loops compile to vector instructions; that is twice
as fast for 3 classes as for 26. All are whole numbers unless samples have weights, so the order of
addition does not matter.
"""

import numpy as np

from .jit import fast_step, step

U = np.uint64
_ONE, _TWO, _THREE = U(1), U(2), U(3)
HUGE = 1e150  # one over a weight of zero; its square is finite
# rows of Bench.side
LEFT, TOTAL = 0, 1


def stride(n_class: int) -> int:
    """Places per bucket: a multiple of four, but two for two classes, which are not moved here."""
    return 2 if n_class <= 2 else (n_class + 3) // 4 * 4


@step
def stride_of(K):
    return 2 if K <= 2 else (K + 3) >> 2 << 2


@step
def start_sides(totals, side):
    """Nothing is on the left yet; side[TOTAL] := ``totals``, and zeros where there is no class."""
    K = totals.size
    for k in range(stride_of(K)):
        side[LEFT, k] = 0.0
        side[TOTAL, k] = totals[k] if k < K else 0.0


@step
def add_sample(sums, place, stride, y, x):
    """Add a sample of class y and weight x to the sums of a bucket or level."""
    sums[U(place) * U(stride) + U(y)] += x


@fast_step
def move(sums, place, stride, side):
    """Move the sums of a bucket to the left; returns their sum and both sums of squares."""
    left, totals = side[LEFT], side[TOTAL]
    begin = U(place) * U(stride)
    o0, o1, o2, o3 = 0.0, 0.0, 0.0, 0.0
    l0, l1, l2, l3 = 0.0, 0.0, 0.0, 0.0
    r0, r1, r2, r3 = 0.0, 0.0, 0.0, 0.0
    for four in range(U(stride) >> _TWO):
        k = U(four) << _TWO
        at = begin + k
        s0, s1, s2, s3 = sums[at], sums[at + _ONE], sums[at + _TWO], sums[at + _THREE]
        x0, x1 = left[k] + s0, left[k + _ONE] + s1
        x2, x3 = left[k + _TWO] + s2, left[k + _THREE] + s3
        left[k], left[k + _ONE], left[k + _TWO], left[k + _THREE] = x0, x1, x2, x3
        z0, z1 = totals[k] - x0, totals[k + _ONE] - x1
        z2, z3 = totals[k + _TWO] - x2, totals[k + _THREE] - x3
        o0, o1, o2, o3 = o0 + s0, o1 + s1, o2 + s2, o3 + s3
        l0, l1, l2, l3 = l0 + x0 * x0, l1 + x1 * x1, l2 + x2 * x2, l3 + x3 * x3
        r0, r1, r2, r3 = r0 + z0 * z0, r1 + z1 * z1, r2 + z2 * z2, r3 + z3 * z3
    return (o0 + o1) + (o2 + o3), (l0 + l1) + (l2 + l3), (r0 + r1) + (r2 + r3)


@fast_step
def clear(sums, place, stride):
    """The sums of a bucket := 0."""
    begin = U(place) * U(stride)
    for four in range(U(stride) >> _TWO):
        at = begin + (U(four) << _TWO)
        sums[at], sums[at + _ONE], sums[at + _TWO], sums[at + _THREE] = 0.0, 0.0, 0.0, 0.0


@step
def _slopes(c, x, total, il, ir, jl, jr, up, down):
    """(rise, fall, the larger) of one class, times its sum c; see ``most_inside``."""
    z = x + c
    rise = max(0.0, 2.0 * min(1.0, z * il) - 2.0 * (total - z) * jr + up)
    fall = max(0.0, 2.0 * min(1.0, (total - x) * ir) - 2.0 * x * jl + down)
    return c * rise, c * fall, c * max(rise, fall)


@fast_step
def most_inside(sums, place, stride, side, l, r, own, before, after, squares):  # noqa: E741
    """Most that a cut inside a bucket can be worth, for Gini and any number of classes.

    Moves the bucket's sums, which add up to ``own``, to the left. l, r: weights to the left and
    right of the bucket; before, after: worth of the cuts on its two sides; squares: the sums of
    squares on the left and right of the cut before, and of the cut after.

    Moving a little weight of class k to the left changes the worth at the rate

        2 p_k - 2 q_k - sum p^2 + sum q^2,   p = shares on the left, q on the right.

    While the bucket moves, p_k is at most (sum after) / (weight before) and at least (sum before) /
    (weight after), and so on. That gives the most that the worth can rise for class k, and the most
    that it can fall; a cut inside is worth at most the cut before plus all rises, the cut after
    plus all falls, and the mean of both cuts plus half of the larger ones.
    """
    left, totals = side[LEFT], side[TOTAL]
    sl, sr, tl, tr = squares
    il = 1.0 / l if l > 0.0 else HUGE  # one over the weights before ...
    ir = 1.0 / r if r > 0.0 else HUGE
    jl, jr = 1.0 / (l + own), 1.0 / (r + own)  # ... and after
    up = min(1.0, sr * ir * ir) - sl * jl * jl
    down = min(1.0, tl * il * il) - tr * jr * jr
    begin = U(place) * U(stride)
    a0, a1, a2, a3 = 0.0, 0.0, 0.0, 0.0
    b0, b1, b2, b3 = 0.0, 0.0, 0.0, 0.0
    c0, c1, c2, c3 = 0.0, 0.0, 0.0, 0.0
    for four in range(U(stride) >> _TWO):
        k = U(four) << _TWO
        at = begin + k
        s0, s1, s2, s3 = sums[at], sums[at + _ONE], sums[at + _TWO], sums[at + _THREE]
        x0, x1, x2, x3 = left[k], left[k + _ONE], left[k + _TWO], left[k + _THREE]
        t0, t1, t2, t3 = totals[k], totals[k + _ONE], totals[k + _TWO], totals[k + _THREE]
        left[k], left[k + _ONE] = x0 + s0, x1 + s1
        left[k + _TWO], left[k + _THREE] = x2 + s2, x3 + s3
        u0, d0, m0 = _slopes(s0, x0, t0, il, ir, jl, jr, up, down)
        u1, d1, m1 = _slopes(s1, x1, t1, il, ir, jl, jr, up, down)
        u2, d2, m2 = _slopes(s2, x2, t2, il, ir, jl, jr, up, down)
        u3, d3, m3 = _slopes(s3, x3, t3, il, ir, jl, jr, up, down)
        a0, a1, a2, a3 = a0 + u0, a1 + u1, a2 + u2, a3 + u3
        b0, b1, b2, b3 = b0 + d0, b1 + d1, b2 + d2, b3 + d3
        c0, c1, c2, c3 = c0 + m0, c1 + m1, c2 + m2, c3 + m3
    rises, falls, larger = (a0 + a1) + (a2 + a3), (b0 + b1) + (b2 + b3), (c0 + c1) + (c2 + c3)
    return min(before + rises, after + falls, 0.5 * (before + after + larger))
