"""Shapley values of a forest's votes for one sample, correct for oblique splits.

The players are groups of features. A coalition S of players stands for the sample that has the
features of S from x and all others from a background row b; the game's value is the forest's vote
for that sample, averaged over the background rows (interventional Shapley values). A vote is a
sum over trees, so every tree and every background row are a game of their own, and their values
are added up.

At a node the score of such a sample is a sum with one term per player: the part of the player's
features, taken from x or from b. These parts are computed once per tree and row:

    part[node, g] = sum of weight * feature over the features of player g at the node

``exact`` decides players one at a time, and only where the side that a node takes depends on
them. A leaf that is reached by the coalitions with all of A and none of C, |A| = a and |C| = c,
adds (a-1)! c! / (a+c)! times its vote to every player in A, and takes a! (c-1)! / (a+c)! times
its vote from every player in C.

``permuted`` draws a random order of the players for every tree and background row, and walks it
forwards and backwards (antithetic). All coalitions of one order, the first j players for
j = 0 ... M, go down the tree together, as runs of j: at a node one running sum gives the score of
each j, and a run is cut where the side changes. A run j0 ... j1 that ends in a leaf adds the leaf's
vote to the player at j0 and takes it from the one after j1.
"""

import numpy as np

from .jit import kernel, step
from .rng import below, seed_tree
from .walk import MAJORITY

_ROUND = np.uint64(0x9E3779B97F4A7C15)
MANY = -2  # a node that weighs features of several players
LEAF = -1


@step
def _only_player(trees, t, player, only):
    """only[node] := the player whose features the node weighs, MANY, or LEAF."""
    base, weights = trees.node_at[t], trees.weight_at[t]
    for k in range(trees.node_at[t + 1] - base):
        f = trees.feature[base + k]
        if f >= 0:
            only[k] = player[f]
        elif f == -1:
            only[k] = LEAF
        else:
            begin, end = weights + trees.begin[base + k], weights + trees.end[base + k]
            only[k] = player[trees.index[begin]]
            for j in range(begin + 1, end):
                if player[trees.index[j]] != only[k]:
                    only[k] = MANY


@step
def _parts(trees, t, row, player, only, part):
    """part[node, g] := the part of player g in the node's score of ``row`` (see above)."""
    base, weights = trees.node_at[t], trees.weight_at[t]
    for k in range(trees.node_at[t + 1] - base):
        f = trees.feature[base + k]
        if f == -1:
            continue
        if f >= 0:
            part[k, only[k]] = row[f]
            continue
        if only[k] == MANY:
            part[k, :] = 0.0
        else:
            part[k, only[k]] = 0.0
        for j in range(weights + trees.begin[base + k], weights + trees.end[base + k]):
            f = trees.index[j]
            part[k, player[f]] += trees.value[j] * row[f]


@step
def _add_leaf(trees, leaf, vote, amount, out):
    """Add ``amount`` of the vote of a leaf (counted over all trees) to out[K]."""
    if vote == MAJORITY:
        out[trees.winner[leaf]] += amount
        return
    total = 0.0
    for k in range(out.size):
        total += trees.counts[leaf, k]
    for k in range(out.size):
        out[k] += amount * (trees.counts[leaf, k] / total)


@step
def _side(of_x, of_b, state, cut):
    """Where a node of several players sends all coalitions that are still possible.

    0: left, 1: right; else 2 + the undecided player that moves the score most.
    """
    low = high = 0.0
    widest, player = -1.0, 0
    for g in range(state.size):
        a, b = of_x[g], of_b[g]
        if state[g] == 1:
            low += a
            high += a
        elif state[g] == 2:
            low += b
            high += b
        else:
            low += min(a, b)
            high += max(a, b)
            if abs(a - b) > widest:
                widest, player = abs(a - b), g
    if high <= cut:
        return 0
    if low > cut:
        return 1
    return 2 + player


@step
def _exact_tree(trees, t, amount, vote, only, of_x, of_b, share, state, decided, branches, out):
    """Add one tree's Shapley values for one background row to out[M, K]."""
    base, leaves = trees.node_at[t], trees.leaf_at[t]
    n_decided = n_branches = n_in = 0
    at = 0
    while True:  # Bounded: every branch decides a player, and each is decided in and out once
        while only[at] != LEAF:  # Bounded: it goes down, or decides one of M players
            cut = trees.cut[base + at]
            g = only[at]
            if g == MANY:
                side = _side(of_x[at], of_b[at], state, cut)
            else:
                x_right, b_right = of_x[at, g] > cut, of_b[at, g] > cut
                if x_right == b_right or state[g] == 1:
                    side = 1 if x_right else 0
                elif state[g] == 2:
                    side = 1 if b_right else 0
                else:
                    side = 2 + g
            if side < 2:
                at = trees.left[base + at] + side
                continue
            g = side - 2
            branches[n_branches, 0], branches[n_branches, 1] = at, n_decided
            n_branches += 1
            state[g] = 1
            decided[n_decided] = g
            n_decided += 1
            n_in += 1
        leaf = leaves + trees.left[base + at]
        n_out = n_decided - n_in
        for i in range(n_decided):
            g = decided[i]
            if state[g] == 1:
                _add_leaf(trees, leaf, vote, amount * share[n_in - 1, n_out], out[g])
            else:
                _add_leaf(trees, leaf, vote, -amount * share[n_out - 1, n_in], out[g])
        if n_branches == 0:
            break
        n_branches -= 1  # the last player that was let in stays out now
        at, kept = branches[n_branches, 0], branches[n_branches, 1]
        for i in range(kept, n_decided):
            if state[decided[i]] == 1:
                n_in -= 1
            if i > kept:
                state[decided[i]] = 0
        state[decided[kept]] = 2
        n_decided = kept + 1
    for i in range(n_decided):
        state[decided[i]] = 0


@kernel
def exact(trees, x, background, player, first, last, vote, weights, share, out):
    """Add the Shapley values of trees first ... last-1 to out[M, K], summed over the background.

    x: float64[P] and background: float64[B, P], scaled. player: int32[P], the group of each
    feature. share[i, j] = i! j! / (i+j+1)!.
    """
    M = out.shape[0]
    nodes = 0
    for t in range(first, last):
        nodes = max(nodes, trees.node_at[t + 1] - trees.node_at[t])
    only = np.empty(nodes, np.int32)
    of_x, of_b = np.zeros((nodes, M)), np.zeros((nodes, M))
    state, decided = np.zeros(M, np.int8), np.empty(M, np.int32)
    branches = np.empty((M, 2), np.int64)
    for t in range(first, last):
        _only_player(trees, t, player, only)
        _parts(trees, t, x, player, only, of_x)
        for b in range(background.shape[0]):
            _parts(trees, t, background[b], player, only, of_b)
            _exact_tree(
                trees, t, weights[t], vote, only, of_x, of_b, share, state, decided, branches, out
            )


@step
def _settle(trees, t, only, of_x, of_b, start, side):
    """What all orders of one tree and background row share.

    side[node] := 0 or 1 where every coalition goes left or right, else 2. start[node] := the score
    of the background row, at nodes of several players.
    """
    base = trees.node_at[t]
    for k in range(trees.node_at[t + 1] - base):
        g = only[k]
        if g == LEAF:
            continue
        cut = trees.cut[base + k]
        if g != MANY:
            x_right, b_right = of_x[k, g] > cut, of_b[k, g] > cut
            side[k] = 2 if x_right != b_right else 1 if x_right else 0
            continue
        score = low = high = 0.0
        for h in range(of_x.shape[1]):
            a, b = of_x[k, h], of_b[k, h]
            score += b
            low += min(a, b)
            high += max(a, b)
        start[k] = score
        side[k] = 0 if high <= cut else 1 if low > cut else 2


@step
def _order_tree(
    trees, t, amount, vote, only, of_x, of_b, start, side, first, order, place, runs, out
):
    """Add the differences along one order of the players to out[M, K].

    order[i]: the player that joins as number i + 1; place: its inverse. first: the node that all
    coalitions reach. runs: int64[M + 1, 3], room for runs of coalitions that wait at a node.
    """
    M = order.size
    base, leaves = trees.node_at[t], trees.leaf_at[t]
    runs[0, 0], runs[0, 1], runs[0, 2] = first, 0, M
    waiting = 1
    while waiting > 0:  # Bounded: the runs that wait are disjoint parts of 0 ... M
        waiting -= 1
        at, a, b = runs[waiting, 0], runs[waiting, 1], runs[waiting, 2]
        while only[at] != LEAF and side[at] < 2:  # Bounded: children follow their parents
            at = trees.left[base + at] + side[at]
        g = only[at]
        if g == LEAF:
            leaf = leaves + trees.left[base + at]
            if a > 0:
                _add_leaf(trees, leaf, vote, amount, out[order[a - 1]])
            if b < M:
                _add_leaf(trees, leaf, vote, -amount, out[order[b]])
            continue
        cut, left = trees.cut[base + at], trees.left[base + at]
        begin = a
        if g != MANY:
            # coalitions of up to place[g] players have its features from the background
            right = (of_x[at, g] if place[g] < a else of_b[at, g]) > cut
            if a <= place[g] < b:
                runs[waiting, 0] = left + (1 if right else 0)
                runs[waiting, 1], runs[waiting, 2] = a, place[g]
                waiting += 1
                begin, right = place[g] + 1, not right
        else:
            score = start[at]
            for j in range(a):
                h = order[j]
                score += of_x[at, h] - of_b[at, h]
            right = score > cut
            for j in range(a, b):
                h = order[j]
                score += of_x[at, h] - of_b[at, h]
                if (score > cut) != right:
                    runs[waiting, 0] = left + (1 if right else 0)
                    runs[waiting, 1], runs[waiting, 2] = begin, j
                    waiting += 1
                    begin, right = j + 1, not right
        runs[waiting, 0] = left + (1 if right else 0)
        runs[waiting, 1], runs[waiting, 2] = begin, b
        waiting += 1


@kernel
def permuted(trees, x, background, player, first, last, vote, weights, seed, start, out):
    """Add estimates of the Shapley values of trees first ... last-1 to out[R, M, K].

    out[r] is round start + r: an order of the players and its reverse for every tree and
    background row, so the rounds are independent and each is unbiased. Summed over the background
    and over the two directions. Orders depend on (seed, round, tree, row) alone.
    """
    rounds, M = out.shape[0], out.shape[1]
    nodes = 0
    for t in range(first, last):
        nodes = max(nodes, trees.node_at[t + 1] - trees.node_at[t])
    only, side = np.empty(nodes, np.int32), np.empty(nodes, np.int8)
    of_x, of_b, score = np.zeros((nodes, M)), np.zeros((nodes, M)), np.empty(nodes)
    order, reverse = np.empty(M, np.int32), np.empty(M, np.int32)
    place, reverse_place = np.empty(M, np.int32), np.empty(M, np.int32)
    runs, state = np.empty((M + 1, 3), np.int64), np.empty(4, np.uint64)
    n = background.shape[0]
    for t in range(first, last):
        _only_player(trees, t, player, only)
        _parts(trees, t, x, player, only, of_x)
        for b in range(n):
            _parts(trees, t, background[b], player, only, of_b)
            _settle(trees, t, only, of_x, of_b, score, side)
            at = 0
            while only[at] != LEAF and side[at] < 2:  # Bounded: children follow their parents
                at = trees.left[trees.node_at[t] + at] + side[at]
            if only[at] == LEAF:  # no player makes a difference
                continue
            for r in range(rounds):
                seed_tree(state, seed + np.uint64(start + r) * _ROUND, t * n + b)
                for i in range(M):
                    j = below(state, i + 1)
                    order[i] = order[j]
                    order[j] = i
                for i in range(M):
                    place[order[i]] = i
                    reverse[i] = order[M - 1 - i]
                    reverse_place[order[i]] = M - 1 - i
                front = (trees, t, weights[t], vote, only, of_x, of_b, score, side, at)
                _order_tree(*front, order, place, runs, out[r])
                _order_tree(*front, reverse, reverse_place, runs, out[r])
