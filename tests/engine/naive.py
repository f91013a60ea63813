"""Slow, readable twins of the engine's steps: NumPy and plain loops, no cleverness.

Nothing here is taken from the engine; each function says which sentence it follows.
"""

import itertools

import numpy as np
import scipy.linalg
import scipy.optimize

# ---- what a cut is worth


def impurity(counts, criterion):
    """Impurity of a node per unit of weight: Sazonau eq. 2 (gini) and eq. 3 (entropy, nats)."""
    counts = np.asarray(counts, float)
    p = counts / counts.sum()
    if criterion == "gini":
        return 1.0 - (p**2).sum()
    p = p[p > 0]
    return -(p * np.log(p)).sum()


def decrease(left, right, criterion):
    """Decrease of impurity by a split, times the weight of the node."""
    left, right = np.asarray(left, float), np.asarray(right, float)
    both = left + right
    return (
        both.sum() * impurity(both, criterion)
        - left.sum() * impurity(left, criterion)
        - right.sum() * impurity(right, criterion)
    )


def class_sums(y, w, K):
    return np.bincount(y, weights=w, minlength=K)


def cuts(values, y, w, K, criterion):
    """Every cut between two distinct neighbouring values: [(decrease, below, above)], ascending."""
    distinct = np.unique(values)
    out = []
    for below, above in itertools.pairwise(distinct):
        left = values <= below
        gain = decrease(
            class_sums(y[left], w[left], K), class_sums(y[~left], w[~left], K), criterion
        )
        out.append((gain, below, above))
    return out


def best_cut(values, y, w, K, criterion):
    """The cut of the largest decrease, the lowest on ties; None where all values are equal."""
    best = None
    for candidate in cuts(values, y, w, K, criterion):
        if best is None or candidate[0] > best[0]:
            best = candidate
    return best


def gain_ratio(values, y, w, K, below):
    """C4.5: information gain over the entropy of the two sizes."""
    left = values <= below
    gain = decrease(class_sums(y[left], w[left], K), class_sums(y[~left], w[~left], K), "entropy")
    sizes = [w[left].sum(), w[~left].sum()]
    return gain / (sum(sizes) * impurity(sizes, "entropy"))


# ---- linear models at a node


def standardise(X, w):
    """Zero mean and unit variance per feature (Menze s.2, step 3): (Z, mean, deviation)."""
    mean = np.average(X, axis=0, weights=w)
    sd = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=w))
    return (X - mean) / np.where(sd > 0, sd, 1.0), mean, sd


def class_means(Z, y, w):
    return {int(k): np.average(Z[y == k], axis=0, weights=w[y == k]) for k in np.unique(y)}


def farthest_pair(means):
    """The two classes whose means are farthest apart (Ho s.2), the first pair on ties."""
    best, pair = -1.0, None
    for a in sorted(means):
        for b in sorted(means):
            if a < b and ((means[a] - means[b]) ** 2).sum() > best:
                best, pair = ((means[a] - means[b]) ** 2).sum(), (a, b)
    return pair


def two_groups(Z, y, w):
    """-1 or +1 per sample: the classes nearer to the one anchor, and those nearer to the other."""
    means = class_means(Z, y, w)
    first, last = farthest_pair(means)
    group = {}
    for k, mean in means.items():
        near = ((mean - means[first]) ** 2).sum()
        far = ((mean - means[last]) ** 2).sum()
        group[k] = -1.0 if near <= far else 1.0
    group[first], group[last] = -1.0, 1.0
    return np.array([group[int(k)] for k in y])


def principal_groups(Z, y, w):
    """-1 or +1 per sample: the side of its class mean along the direction of most spread.

    The classes weigh as much as their samples; which side is which is not defined.
    """
    means = class_means(Z, y, w)
    sizes = np.array([w[y == k].sum() for k in means])
    table = np.array(list(means.values()))
    away = table - np.average(table, axis=0, weights=sizes)
    direction = np.linalg.svd(np.sqrt(sizes)[:, None] * away)[2][0]
    group = dict(zip(means, np.where(away @ direction <= 0, -1.0, 1.0), strict=True))
    return np.array([group[int(k)] for k in y])


def ridge(Z, target, w, penalty):
    """argmin sum w (t - a - z.beta)^2 + penalty |beta|^2 (Menze eq. 2)."""
    centred = target - np.average(target, weights=w)
    G = Z.T @ (w[:, None] * Z)
    return scipy.linalg.solve(G + penalty * np.eye(len(G)), Z.T @ (w * centred), assume_a="pos")


def left_out_error(Z, target, w, penalty, groups=None):
    """Weight of the rows on the wrong side of zero of a ridge fitted without their group.

    The features stay scaled as they are; the constant is fitted again, not penalised.
    """
    groups = np.arange(len(Z)) if groups is None else np.asarray(groups)
    error = 0.0
    for g in np.unique(groups):
        out, kept = groups == g, groups != g
        mean = np.average(Z[kept], axis=0, weights=w[kept])
        beta = ridge(Z[kept] - mean, target[kept], w[kept], penalty)
        constant = np.average(target[kept], weights=w[kept])
        score = constant + (Z[out] - mean) @ beta
        error += w[out] @ ((score > 0) != (target[out] > 0))
    return error


def least_squares(Z, target, w):
    """The limit of ridge for a penalty that vanishes: the shortest of the least squares fits."""
    root = np.sqrt(w)[:, None]
    centred = target - np.average(target, weights=w)
    return np.linalg.lstsq(root * Z, root[:, 0] * centred, rcond=1e-9)[0]


def logistic(Z, target, w, penalty):
    """argmin penalty/2 |beta|^2 + sum w log(1 + exp(-t (a + z.beta))): beta, then a."""

    def loss(theta):
        f = Z @ theta[:-1] + theta[-1]
        return penalty / 2 * theta[:-1] @ theta[:-1] + w @ np.logaddexp(0, -target * f)

    def slope(theta):
        f = Z @ theta[:-1] + theta[-1]
        pull = -w * target / (1 + np.exp(target * f))
        return np.append(penalty * theta[:-1] + Z.T @ pull, pull.sum())

    def curvature(theta):
        f = Z @ theta[:-1] + theta[-1]
        p = 1 / (1 + np.exp(-f))
        A = np.column_stack([Z, np.ones(len(Z))])
        H = A.T @ ((w * p * (1 - p))[:, None] * A)
        H[np.arange(Z.shape[1]), np.arange(Z.shape[1])] += penalty
        return H

    start = np.zeros(Z.shape[1] + 1)
    found = scipy.optimize.minimize(
        loss, start, jac=slope, hess=curvature, method="trust-exact", options={"gtol": 1e-10}
    )
    return found.x


def psvm(Z, target, w, cost, balance):
    """Do eq. 3, (w, b) = (I/c + E'E)^-1 E'De with E = [A -e], samples weighed."""
    omega = w.copy()
    if balance:  # both groups weigh the same, and together as much as before
        for side in (-1, 1):
            omega[target == side] *= 0.5 * w.sum() / w[target == side].sum()
    E = np.column_stack([Z, -np.ones(len(Z))])
    left = np.eye(E.shape[1]) / cost + E.T @ (omega[:, None] * E)
    return scipy.linalg.solve(left, E.T @ (omega * target), assume_a="pos")


def central_axis(X, y, w, stops):
    """Ho s.2: (direction, cut, errors of the stops, stop chosen)."""
    means = class_means(X, y, w)
    first, last = farthest_pair(means)
    axis = means[last] - means[first]
    at = X @ axis
    near, far = means[first] @ axis, means[last] @ axis
    errors = []
    for q in range(1, stops + 1):
        plane = near + q * (far - near) / (stops + 1)
        error = 0.0
        for k in np.unique(y):
            mine = y == k
            below = w[mine & (at <= plane)].sum()
            error += min(below, w[mine].sum() - below)
        errors.append(error)
    errors = np.array(errors)
    best = np.flatnonzero(errors <= errors.min() + 1e-12 * w.sum()) + 1
    q = best[np.argmin(np.abs(best - 0.5 * (stops + 1)))]
    return axis, near + q * (far - near) / (stops + 1), errors, q


def perceptron(Z, target, w, epochs, patience):
    """Fixed increments, samples in order, each shown as often as it weighs (a rest moves the
    weights by its fraction); the weights of the smallest error after any pass, until ``patience``
    passes in a row have not improved on it."""
    A = np.column_stack([Z, np.ones(len(Z))])
    v, pocket, least, waited = np.zeros(A.shape[1]), None, np.inf, 0
    for _ in range(epochs):
        moved = False
        waited += 1
        for row, t, weight in zip(A, target, w, strict=True):
            for shown in range(int(np.ceil(weight))):
                if t * (row @ v) <= 0:
                    v, moved = v + min(1.0, weight - shown) * t * row, True
        error = w[target * (A @ v) <= 0].sum()
        if error < least * (1 - 1e-9):
            least, pocket, waited = error, v, 0
        if not moved or least == 0 or waited >= patience:
            break
    return pocket, least


def collapse_at(feature, left, cost):
    """Breiman et al. 1984: make the weakest of all links a leaf, work all links out anew, again."""
    leaf = feature == -1
    out = np.full(feature.size, -np.inf)

    def branch(i):
        if leaf[i]:
            return cost[i], 1
        (a, n), (b, m) = branch(left[i]), branch(left[i] + 1)
        return a + b, n + m

    def below(i):
        return [] if leaf[i] else [i, *below(left[i]), *below(left[i] + 1)]

    leaf, alpha = leaf.copy(), 0.0
    while not leaf[0]:
        links = {}
        for i in below(0):
            error, leaves = branch(i)
            links[i] = (cost[i] - error) / (leaves - 1)
        weakest = min(links, key=links.get)
        alpha = max(alpha, links[weakest])
        for i in below(weakest):
            out[i] = alpha
        leaf[weakest] = True
    return out


# ---- scaling and ranks


def ranks(column):
    """Tomita s.2.5: place among the order statistics, averaged over ties."""
    order = np.sort(column)
    return np.array([np.mean(1 + np.flatnonzero(order == x)) for x in column])


def rank_of_new(x, column):
    """A new value: 0 below all, n + 1 above all, linear between two in-sample points."""
    own = ranks(column)
    if x < column.min():
        return 0.0
    if x > column.max():
        return len(column) + 1.0
    if (column == x).any():
        return own[column == x][0]
    a, b = column[column < x].max(), column[column > x].min()
    ra, rb = own[column == a][0], own[column == b][0]
    return ra + (rb - ra) * (x - a) / (b - a)


def dense_ranks(column):
    distinct = sorted(set(column.tolist()))
    return np.array([distinct.index(x) for x in column.tolist()])


# ---- random numbers of a tree: splitmix64 seeds xoshiro256++

_WORD = (1 << 64) - 1


def _splitmix(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
    return z ^ (z >> 31)


class TreeRandom:
    """The random numbers that tree t of a forest with this seed draws."""

    def __init__(self, seed, t):
        golden = 0x9E3779B97F4A7C15
        x = _splitmix((seed + golden) & _WORD)
        x ^= _splitmix(((t + 1) * 0xD1342543DE82EF95) & _WORD)
        self.s = []
        for _ in range(4):
            x = (x + golden) & _WORD
            self.s.append(_splitmix(x))

    def draw(self):
        def turn(x, k):
            return ((x << k) | (x >> (64 - k))) & _WORD

        a, b, c, d = self.s
        out = (turn((a + d) & _WORD, 23) + a) & _WORD
        shifted = (b << 17) & _WORD
        c, d = c ^ a, d ^ b
        b, a = b ^ c, a ^ d
        self.s = [a, b, c ^ shifted, turn(d, 45)]
        return out

    def below(self, n):
        return ((self.draw() >> 32) * n) >> 32


def bag_of_groups(seed, t, weight, groups, how):
    """How often each row is in the bag of tree t, which draws whole groups.

    A row of no weight is in no bag; it has -1 where its group is.
    """
    weight, groups = np.asarray(weight), np.asarray(groups)
    drawn = [g for g in dict.fromkeys(groups) if weight[groups == g].any()]
    often = bag(seed, t, np.arange(len(drawn)), len(drawn), how)
    times = np.zeros(len(groups), int)
    for g, k in zip(drawn, often, strict=True):
        times[groups == g] = k
    return np.where((weight <= 0) & (times > 0), -1, times)


def bag(seed, t, usable, n, how):
    """How often each of n rows is in the bag of tree t."""
    rng, times = TreeRandom(seed, t), np.zeros(n, int)
    u = len(usable)
    if how == "none":
        times[usable] = 1
    elif how == "with":
        for _ in range(u):
            times[usable[rng.below(u)]] += 1
    else:
        wanted = max(1, round((1 - np.exp(-1)) * u))
        for i in range(u):
            if rng.below(u - i) < wanted:
                times[usable[i]] = 1
                wanted -= 1
    return times


# ---- trees


def goes_left(node, x):
    """Whether sample x goes left at an inner node; a missing value has a side or is filled."""
    if node.missing is not None and np.isnan(x[node.features[0]]):
        return node.missing == -1
    score = 0.0
    for k, (f, c) in enumerate(zip(node.features, node.weights, strict=True)):
        score += c * (node.fills[k] if np.isnan(x[f]) else x[f])
    return score <= node.cut


def walk(tree, x):
    """The leaf node that sample x reaches, by the readable nodes of a tree."""
    node = tree.nodes[0]
    while not node.is_leaf:
        node = tree.nodes[node.left if goes_left(node, x) else node.right]
    return node


def rows_at_nodes(tree, X):
    """Rows of X that pass through each node."""
    out = {0: np.arange(len(X))}
    for node in tree.nodes:
        if not node.is_leaf:
            rows = out[node.number]
            left = np.array([goes_left(node, X[row]) for row in rows], bool)
            out[node.left], out[node.right] = rows[left], rows[~left]
    return out


def cuts_with_missing(values, y, w, K, criterion):
    """Every way to cut a column with NaN: [(decrease, goes left as bool[n])].

    Between two neighbouring known values, with the missing ones right and left, and the known
    values against the missing ones.
    """
    nan = np.isnan(values)
    known = np.unique(values[~nan])
    ways = []
    for below in known[:-1]:
        ways += [values <= below, (values <= below) | nan]
    if nan.any() and known.size:
        ways.append(~nan)
    return [
        (decrease(class_sums(y[go], w[go], K), class_sums(y[~go], w[~go], K), criterion), go)
        for go in ways
    ]


def optimal_pruning(nodes, alpha):
    """The smallest subtree of least error + alpha x leaves: numbers of the nodes that are leaves.

    Breiman et al. 1984, ch. 3, by trying both choices at every node from the leaves up.
    """
    total = nodes[0].counts.sum()
    best = {}
    for node in reversed(nodes):
        as_leaf = (node.counts.sum() - node.counts.max()) / total + alpha
        if node.is_leaf:
            best[node.number] = (as_leaf, {node.number})
            continue
        (lc, ll), (rc, rl) = best[node.left], best[node.right]
        if as_leaf <= lc + rc + 1e-12:
            best[node.number] = (as_leaf, {node.number})
        else:
            best[node.number] = (lc + rc, ll | rl)
    return best[0][1]
