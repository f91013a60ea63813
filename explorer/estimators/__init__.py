"""The engine as scikit-learn estimators.

ForestClassifier is a forest, TreeClassifier one of its trees. Only here are scikit-learn's words
spoken (n_estimators, max_features, random_state, n_jobs); see ``settings.py`` for how they become
a ``explorer.engine.ForestSpec``.
"""

from .classifier import ForestClassifier
from .tree import TreeClassifier
from .units import UnitsWarning

__all__ = ["ForestClassifier", "TreeClassifier", "UnitsWarning"]
