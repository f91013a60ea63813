"""The rules of one tree as indented text, as scikit-learn's ``export_text`` writes them."""

from collections.abc import Sequence
from typing import Any

from ..engine import Forest, TreeNode
from ..engine.kernels.missing import TOP
from .classifier import ForestClassifier
from .tree import TreeClassifier

TERMS = 6  # of an oblique split, the largest ones


def export_text(
    model: ForestClassifier | TreeClassifier | Forest,
    tree: int = 0,
    *,
    feature_names: Sequence[str] | None = None,
    max_depth: int = 10,
    decimals: int = 2,
) -> str:
    """The rules of a tree as text.

    Parameters
    ----------
    model : ForestClassifier, TreeClassifier or explorer.engine.Forest
        A fitted forest, or one of its trees.
    tree : int, default=0
        Number of the tree.
    feature_names : sequence of str, default=None
        One name per feature; None is the model's ``feature_names_in_``, or feature_0, ...
    max_depth : int, default=10
        Deepest level that is written.
    decimals : int, default=2
        Digits after the point.

    Returns
    -------
    str
        One line per branch and leaf. An oblique split is written with its largest weights. Features
        are scaled as the forest's spec says.

    Examples
    --------
    >>> from explorer import ForestClassifier
    >>> from explorer.estimators import export_text
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    >>> forest = ForestClassifier("RF", n_estimators=1, bootstrap=False, random_state=0).fit(X, y)
    >>> print(export_text(forest, feature_names=["length"]))
    |--- length <= 1.50
    |   |--- class: 0 (100 % of 2)
    |--- length >  1.50
    |   |--- class: 1 (100 % of 2)
    """
    forest = model if isinstance(model, Forest) else model.forest_
    names = _names(model, forest, feature_names)
    shown = forest.tree(tree)
    lines: list[str] = []
    # (node, the line that leads to it)
    stack: list[tuple[TreeNode, str]] = [(shown.nodes[0], "")]
    while stack:
        node, branch = stack.pop()
        if branch:
            lines.append(branch)
        indent = "|   " * node.depth
        if node.is_leaf:
            share, size = node.counts.max() / node.counts.sum(), node.counts.sum()
            label = shown.classes[int(node.counts.argmax())]
            lines.append(
                f"{indent}|--- class: {label} ({share:.0%} of {size:g})".replace("%", " %")
            )
        elif node.depth >= max_depth:
            lines.append(f"{indent}|--- (deeper splits are not shown)")
        else:
            yes, no = _rule(node, names, decimals)
            stack.append((shown.nodes[node.right], f"{indent}|--- {no}"))
            stack.append((shown.nodes[node.left], f"{indent}|--- {yes}"))
    return "\n".join(lines)


def _names(model: Any, forest: Forest, chosen: Sequence[str] | None) -> list[str]:
    own = chosen
    if own is None:
        own = getattr(model, "feature_names_in_", None)
        if own is not None and getattr(model, "_coder", None) is not None:
            own = own[model._coder.source]
    if own is None:
        return [f"feature_{f}" for f in range(forest.n_features)]
    if len(own) != forest.n_features:
        raise ValueError(
            f"feature_names has {len(own)} names, but the forest was grown on {forest.n_features} "
            "features; give one name per feature."
        )
    return [str(name) for name in own]


def _rule(node: TreeNode, names: list[str], decimals: int) -> tuple[str, str]:
    """What is true of the samples that go left, and of those that go right."""
    if node.features.size == 1 and node.weights[0] == 1.0:
        text = names[node.features[0]]
    else:
        terms = sorted(
            zip(node.features, node.weights, strict=True), key=lambda term: -abs(term[1])
        )
        shown = [f"{w:+.{decimals}f} {names[f]}" for f, w in terms[:TERMS]]
        more = f" + {len(terms) - TERMS} more" if len(terms) > TERMS else ""
        text = " ".join(shown) + more
    if node.cut == TOP:
        return f"{text} is known", f"{text} is missing"
    yes, no = f"{text} <= {node.cut:.{decimals}f}", f"{text} >  {node.cut:.{decimals}f}"
    if node.missing is None:
        return yes, no
    return (f"{yes} or missing", no) if node.missing < 0 else (yes, f"{no} or missing")
