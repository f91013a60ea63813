"""Class sums of every node of a forest, from those of its leaves."""

from .jit import kernel


@kernel
def node_sums(trees, out):
    """out[i] := weight of each class among the in-bag rows at node i (float64[N, K])."""
    K = out.shape[1]
    for t in range(trees.node_at.size - 1):
        base, leaf_base = trees.node_at[t], trees.leaf_at[t]
        for at in range(trees.node_at[t + 1] - 1, base - 1, -1):  # children come later
            left = trees.left[at]
            for k in range(K):
                if trees.feature[at] == -1:
                    out[at, k] = trees.counts[leaf_base + left, k]
                else:
                    out[at, k] = out[base + left, k] + out[base + left + 1, k]
