"""The engine as scikit-learn estimators.

ForestClassifier is a forest, TreeClassifier one of its trees. Only here are scikit-learn's words
spoken (n_estimators, max_features, random_state, n_jobs); see ``settings.py`` for how they become
a ``explorer.engine.ForestSpec``.
"""

from .classifier import ForestClassifier
from .export_text import export_text
from .to_onnx import to_onnx
from .tree import TreeClassifier
from .units import UnitsWarning

__all__ = ["ForestClassifier", "TreeClassifier", "UnitsWarning", "export_text", "to_onnx"]
