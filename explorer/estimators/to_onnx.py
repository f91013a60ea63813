"""A forest as an ONNX model, for programs without Python.

All splits are compared in double precision, as the forest compares them. A forest of axis splits
is one TreeEnsembleRegressor. A tree with oblique splits gets a matrix product of its own, which
projects the samples on its directions, and its nodes cut these projections:

    X --scale--> Z --MatMul--> projections --Concat with Z--> tree 0 --+
                 |--MatMul--> ...                             tree 1 --+--Sum--> probabilities

Tree by tree, a batch needs room for the directions of one tree only.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine import Forest
from ..engine.kernels.walk import MAJORITY
from ..engine.scaling import FAR
from .classifier import ForestClassifier

if TYPE_CHECKING:
    import onnx

OPSET, TREE_OPSET, IR_VERSION = 18, 3, 9
_LEAF = -1


def to_onnx(model: ForestClassifier | Forest) -> "onnx.ModelProto":
    """The forest as an ONNX model.

    Its input ``X`` is double[n, features], its outputs are ``label`` (int64 or string, [n]) and
    ``probabilities`` (double[n, classes], as ``predict_proba`` within 1e-6). Missing values take
    the sides that axis splits send them to; oblique splits need complete samples here.

    Parameters
    ----------
    model : ForestClassifier or explorer.engine.Forest
        A fitted classifier with one output and without coded columns of words, or a forest. Any
        family, with any scaling but ranks.

    Returns
    -------
    onnx.ModelProto
        Write it with ``onnx.save(model, "forest.onnx")``. Needs ``pip install onnx``.

    Examples
    --------
    >>> from explorer import ForestClassifier
    >>> from explorer.estimators import to_onnx
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = ForestClassifier("oRF-ridge", n_estimators=10, random_state=0).fit(X, y)
    >>> [output.name for output in to_onnx(forest).graph.output]
    ['label', 'probabilities']
    """
    from onnx import checker, helper

    forest = _forest_of(model)
    graph = _Graph(forest)
    made = helper.make_model(
        graph.finished(),
        opset_imports=[
            helper.make_opsetid("", OPSET),
            helper.make_opsetid("ai.onnx.ml", TREE_OPSET),
        ],
        producer_name="forest-explorer",
        ir_version=IR_VERSION,
    )
    checker.check_model(made)
    return made


def _forest_of(model: ForestClassifier | Forest) -> Forest:
    """The forest behind a model; a ValueError says what ONNX cannot hold."""
    if isinstance(model, ForestClassifier):
        return _without_ranks(_of_one_output(model))
    return _without_ranks(model)


def _of_one_output(model: ForestClassifier) -> Forest:
    forest = model._grown()
    if model.n_outputs_ > 1:
        raise ValueError(
            f"This forest has {model.n_outputs_} outputs; to_onnx writes one. Fit a forest "
            "per column of y."
        )
    if model._coder is not None:
        raise ValueError(
            "This forest codes columns of words itself (categories=...), which is not written "
            "to ONNX; code them before fit, for example with OneHotEncoder."
        )
    return forest


def _without_ranks(forest: Forest) -> Forest:
    if not forest.scaling.affine:
        raise ValueError(
            "This forest scales features by ranks, which is not written to ONNX; grow it with "
            'scaling="zscore", "percentile" or "none".'
        )
    return forest


class _Graph:
    """Nodes and constants of the model, as they are added."""

    def __init__(self, forest: Forest) -> None:
        self.forest = forest
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def finished(self) -> Any:
        from onnx import TensorProto, helper

        forest = self.forest
        scaled = self._scaled()
        if forest.begin.size:
            parts = [self._slanted_tree(scaled, t) for t in range(forest.n_tree)]
        else:
            parts = [self._trees(scaled, range(forest.n_tree), forest.feature)]
        double = [self._add("Cast", part, to=TensorProto.DOUBLE) for part in parts]
        total = double[0] if len(double) == 1 else self._add("Sum", *double)
        none, one = self._constant(np.array(0.0)), self._constant(np.array(1.0))
        self._add("Clip", total, none, one, to_name="probabilities")
        best = self._add("ArgMax", "probabilities", axis=1, keepdims=0)
        labels = forest.classes
        whole = labels.dtype.kind in "iub"
        kind = TensorProto.INT64 if whole else TensorProto.STRING
        named = labels.astype(np.int64) if whole else labels.astype(str).astype(object)
        self._add("Gather", self._constant(named), best, to_name="label", axis=0)
        value = helper.make_tensor_value_info
        return helper.make_graph(
            self.nodes,
            "forest",
            [value("X", TensorProto.DOUBLE, [None, forest.n_features])],
            [
                value("label", kind, [None]),
                value("probabilities", TensorProto.DOUBLE, [None, forest.n_classes]),
            ],
            self.constants,
        )

    def _add(self, operator: str, *inputs: str, to_name: str = "", **attributes: Any) -> str:
        from onnx import helper

        name = to_name or f"{operator}{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def _constant(self, values: np.ndarray) -> str:
        from onnx import numpy_helper

        name = f"constant{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(values, name))
        return name

    def _scaled(self) -> str:
        scaling = self.forest.scaling
        if scaling.kind == "none":
            return "X"
        away = self._add("Sub", "X", self._constant(np.array(scaling.shift)))
        scaled = self._add("Div", away, self._constant(np.array(scaling.scale)))
        ends = (self._constant(np.array(-FAR)), self._constant(np.array(FAR)))
        return self._add("Clip", scaled, *ends)

    def _slanted_tree(self, scaled: str, t: int) -> str:
        """A tree whose nodes may cut projections: features P, P + 1, ... are its directions."""
        forest, P = self.forest, self.forest.n_features
        nodes = slice(forest.node_at[t], forest.node_at[t + 1])
        feature = forest.feature[nodes].copy()
        slanted = np.flatnonzero(feature < _LEAF)
        if slanted.size == 0:
            return self._trees(scaled, range(t, t + 1), feature)
        spans = np.stack([forest.begin[nodes][slanted], forest.end[nodes][slanted]], axis=1)
        # nodes of a rotated tree share directions
        spans, direction = np.unique(spans, axis=0, return_inverse=True)
        feature[slanted] = P + direction.ravel()
        weights = np.zeros((P, len(spans)))
        for j, (begin, end) in enumerate(spans + forest.weight_at[t]):
            weights[forest.index[begin:end], j] = forest.value[begin:end]
        projected = self._add("MatMul", scaled, self._constant(weights))
        both = self._add("Concat", scaled, projected, axis=1)
        return self._trees(both, range(t, t + 1), feature)

    def _trees(self, samples: str, trees: range, feature: np.ndarray) -> str:
        """Trees that follow each other; ``feature`` is what each of their nodes cuts."""
        from onnx import numpy_helper

        forest = self.forest
        begin, end = forest.node_at[trees.start], forest.node_at[trees.stop]
        sizes = np.diff(forest.node_at[trees.start : trees.stop + 1])
        tree = np.repeat(np.arange(len(trees)), sizes)
        number = np.concatenate([np.arange(size) for size in sizes])
        left = forest.left[begin:end]
        leaf = feature == _LEAF
        sides = forest.side[begin:end] if forest.side.size else np.zeros(leaf.size)
        votes = self._votes()[forest.leaf_at[trees.start] : forest.leaf_at[trees.stop]]
        place = forest.leaf_at[trees.start : trees.stop] - forest.leaf_at[trees.start]
        row, target = np.nonzero(votes[place[tree[leaf]] + left[leaf]])
        weight = votes[place[tree[leaf]] + left[leaf]][row, target]
        at_leaf = np.flatnonzero(leaf)[row]

        def tensor(values: np.ndarray) -> Any:
            return numpy_helper.from_array(np.ascontiguousarray(values, np.float64), "")

        return self._add(
            "TreeEnsembleRegressor",
            samples,
            domain="ai.onnx.ml",
            n_targets=forest.n_classes,
            nodes_treeids=tree.tolist(),
            nodes_nodeids=number.tolist(),
            nodes_featureids=np.where(leaf, 0, feature).tolist(),
            nodes_modes=np.where(leaf, "LEAF", "BRANCH_LEQ").tolist(),
            nodes_values_as_tensor=tensor(forest.cut[begin:end]),
            nodes_truenodeids=np.where(leaf, 0, left).tolist(),
            nodes_falsenodeids=np.where(leaf, 0, left + 1).tolist(),
            nodes_missing_value_tracks_true=sides.astype(int).tolist(),
            target_treeids=tree[at_leaf].tolist(),
            target_nodeids=number[at_leaf].tolist(),
            target_ids=target.tolist(),
            target_weights_as_tensor=tensor(weight),
        )

    def _votes(self) -> np.ndarray:
        """What each leaf of the forest adds to the posterior, float64[leaves, K]."""
        forest = self.forest
        kind, weights = forest._vote(forest.n_tree)
        shares = forest.counts / forest.counts.sum(axis=1, keepdims=True)
        if kind == MAJORITY:
            shares = np.eye(forest.n_classes)[forest.winner]
        per_leaf = np.repeat(weights / weights.sum(), np.diff(forest.leaf_at))
        return shares * per_leaf[:, None]
