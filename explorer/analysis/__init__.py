"""Analysis: functions from a model and a data set to frozen records. No drawing here.

    from explorer import analysis, data
    from explorer.engine import FAMILIES, grow
    d = data.load("mixture")
    forest = grow(FAMILIES["oRF-ridge"], d.X, d.y)
    analysis.posterior_map(forest, d).mean_hellinger

Records are frozen, their arrays read-only; ``to_frame()`` gives pandas, ``to_json()`` JSON.
Functions that take long take ``progress(done, wanted, what)``, ``cancel`` and ``threads``.
"""

from explorer.analysis.bias_variance import BiasVariance, bias_variance
from explorer.analysis.calibration import Calibration, calibration
from explorer.analysis.comparison import Comparison, compare, compare_values
from explorer.analysis.directions import Directions, directions
from explorer.analysis.evaluation import Evaluation, evaluate, evaluation_steps, out_of_bag
from explorer.analysis.importance import Importance, importance
from explorer.analysis.model import Model
from explorer.analysis.partition import Partition, partition
from explorer.analysis.planes import (
    LabelledPlane,
    component_plane,
    feature_plane,
    marginal_plane,
)
from explorer.analysis.posterior_map import (
    PosteriorMap,
    TruePosterior,
    hellinger,
    posterior_map,
    true_posterior,
)
from explorer.analysis.precision_recall import PrecisionRecall, precision_recall
from explorer.analysis.projection import Projection, first_split, projection
from explorer.analysis.protocols import TEN_BY_TEN, TWO_FOLD, Protocol
from explorer.analysis.proximity import Proximity, classical_mds, proximity
from explorer.analysis.record import Record
from explorer.analysis.roc import AveragedRoc, average_curves, averaged_roc
from explorer.analysis.scores import error_by_trees, tree_depths
from explorer.analysis.sweep import Sweep, sweep, sweep_steps
from explorer.analysis.tree_drawing import TreeDrawing, tree_drawing
from explorer.analysis.verdict import Verdict, judge, verdict
from explorer.engine import Cancelled

__all__ = [
    "TEN_BY_TEN",
    "TWO_FOLD",
    "AveragedRoc",
    "BiasVariance",
    "Calibration",
    "Cancelled",
    "Comparison",
    "Directions",
    "Evaluation",
    "Importance",
    "LabelledPlane",
    "Model",
    "Partition",
    "PosteriorMap",
    "PrecisionRecall",
    "Projection",
    "Protocol",
    "Proximity",
    "Record",
    "Sweep",
    "TreeDrawing",
    "TruePosterior",
    "Verdict",
    "average_curves",
    "averaged_roc",
    "bias_variance",
    "calibration",
    "classical_mds",
    "compare",
    "compare_values",
    "component_plane",
    "directions",
    "error_by_trees",
    "evaluate",
    "evaluation_steps",
    "feature_plane",
    "first_split",
    "hellinger",
    "importance",
    "judge",
    "marginal_plane",
    "out_of_bag",
    "partition",
    "posterior_map",
    "precision_recall",
    "projection",
    "proximity",
    "sweep",
    "sweep_steps",
    "tree_depths",
    "tree_drawing",
    "true_posterior",
    "verdict",
]
