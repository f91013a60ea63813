"""Lines along which a picture changes its sign (marching squares), as few vertices as they need.

A cell has four corners; where the sign differs between two of them the line crosses that edge, at
the place where a straight ramp would be zero. Edges are numbered by the pixel they start from:

    2 (r w + c)      from (r, c) to the right
    2 (r w + c) + 1  from (r, c) upwards
"""

import numpy as np

from .jit import kernel, maker, step


@step
def _crossing(level, edge, w):
    """Place (x, y) in pixels where the line meets an edge."""
    at = edge >> 1
    r, c = at // w, at % w
    a = np.float64(level[r, c])
    if edge & 1:
        return float(c), r + a / (a - np.float64(level[r + 1, c]))
    return c + a / (a - np.float64(level[r, c + 1])), float(r)


@step
def _join(links, place, a, b):
    """Edges a and b are neighbours on a line."""
    i, j = place[a], place[b]
    links[i, 1 if links[i, 0] >= 0 else 0] = j
    links[j, 1 if links[j, 0] >= 0 else 0] = i


@maker
def _edges(level, masked):
    """All edges that a line crosses, in order, and for each of them its place among them."""
    h, w = level.shape
    place = np.full(2 * h * w, -1, np.int32)
    count = 0
    for r in range(h):
        for c in range(w):
            above = level[r, c] > 0
            for way in range(2):
                r2, c2 = r + way, c + 1 - way
                if r2 == h or c2 == w or masked[r, c] or masked[r2, c2]:
                    continue
                if (level[r2, c2] > 0) != above:
                    place[2 * (r * w + c) + way] = count
                    count += 1
    return place, count


@maker
def _links(level, masked, place, count):
    """The one or two neighbours of each crossed edge, -1 for none."""
    h, w = level.shape
    links = np.full((count, 2), -1, np.int32)
    for r in range(h - 1):
        for c in range(w - 1):
            low = 2 * (r * w + c)
            right, top, left = low + 3, low + 2 * w, low + 1
            here = (place[low] >= 0, place[right] >= 0, place[top] >= 0, place[left] >= 0)
            met = here[0] + here[1] + here[2] + here[3]
            if met < 2 or masked[r, c] or masked[r + 1, c + 1] or masked[r, c + 1]:
                continue
            if masked[r + 1, c]:
                continue
            if met == 4:  # a saddle: the middle decides which corners hang together
                z = level[r, c] + level[r, c + 1] + level[r + 1, c] + level[r + 1, c + 1]
                if (z > 0) == (level[r, c] > 0):
                    _join(links, place, low, right)
                    _join(links, place, top, left)
                else:
                    _join(links, place, low, left)
                    _join(links, place, right, top)
                continue
            first = low if here[0] else right if here[1] else top
            last = left if here[3] else top if here[2] else right
            _join(links, place, first, last)
    return links


@step
def _straight(out, n, x, y):
    """Whether the last vertex lies on the straight line from the one before it to (x, y)."""
    if n < 2 or np.isnan(out[n - 2, 0]) or np.isnan(out[n - 1, 0]):
        return False
    ax, ay = out[n - 1, 0] - out[n - 2, 0], out[n - 1, 1] - out[n - 2, 1]
    bx, by = x - out[n - 1, 0], y - out[n - 1, 1]
    return abs(ax * by - ay * bx) < 1e-9 and ax * bx + ay * by >= 0


@step
def _add(out, n, x, y):
    """Put a vertex at the end of a line; one in the middle of a straight run is replaced."""
    if n > 0 and out[n - 1, 0] == x and out[n - 1, 1] == y:
        return n
    if _straight(out, n, x, y):
        n -= 1
    out[n, 0], out[n, 1] = x, y
    return n + 1


@kernel
def zero_lines(level, masked):
    """Vertices (x, y) in pixels, float64[m, 2], NaN rows between lines; closed ones repeat their
    start.

    level: float32[h, w]; masked: bool[h, w], corners whose cells have no line.
    """
    w = level.shape[1]
    place, count = _edges(level, masked)
    links = _links(level, masked, place, count)
    edge = np.empty(count, np.int64)
    for e in range(place.size):
        if place[e] >= 0:
            edge[place[e]] = e
    out = np.empty((3 * count + 1, 2))
    done = np.zeros(count, np.bool_)
    n = 0
    for loops in range(2):  # first the lines with two ends, then those that close
        for i in range(count):
            if done[i] or links[i, 0] < 0 or (loops == 0 and links[i, 1] >= 0):
                continue
            begin = n
            at = i
            while at >= 0:  # Bounded: every round marks one more edge as done
                done[at] = True
                x, y = _crossing(level, edge[at], w)
                n = _add(out, n, x, y)
                a, b = links[at, 0], links[at, 1]
                at = a if a >= 0 and not done[a] else b if b >= 0 and not done[b] else -1
            if loops == 1:
                x, y = out[begin, 0], out[begin, 1]
                n = _add(out, n, x, y)
            out[n, 0] = out[n, 1] = np.nan
            n += 1
    return out[: max(0, n - 1)].copy()
