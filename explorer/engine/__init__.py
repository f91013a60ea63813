"""The forest engine: arrays in, arrays out. Needs numpy, numba and scipy only.

from explorer.engine import FAMILIES, grow
forest = grow(FAMILIES["oRF-ridge"].replace(n_tree=100), X, y)
forest.predict_proba(X_new)
"""

from .families import FAMILIES
from .forest import Forest, grow
from .growing import Cancelled
from .plane import Plane
from .scaling import Scaling
from .spec import ForestSpec
from .tree import Tree, TreeNode
from .warm import warm

__all__ = [
    "FAMILIES",
    "Cancelled",
    "Forest",
    "ForestSpec",
    "Plane",
    "Scaling",
    "Tree",
    "TreeNode",
    "grow",
    "warm",
]
