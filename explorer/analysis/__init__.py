"""Analysis: functions from a model and a data set to frozen records. No drawing here.

    from explorer import analysis, data
    from explorer.engine import FAMILIES, grow
    d = data.load("mixture")
    forest = grow(FAMILIES["oRF-ridge"], d.X, d.y)
    analysis.posterior_map(forest, d).mean_hellinger

Records are frozen, their arrays read-only; ``to_frame()`` gives pandas, ``to_json()`` JSON.
Functions that take long take ``progress(done, wanted, what)``, ``cancel`` and ``threads``.
"""

from explorer.analysis.attribution import Attribution, attribution
from explorer.analysis.band_importance import BandImportance, band_importance
from explorer.analysis.bias_variance import BiasVariance, bias_variance
from explorer.analysis.boundary_shape import BoundaryShape, boundary_shape, cuts_along_axes
from explorer.analysis.calibration import Calibration, calibration
from explorer.analysis.class_spectra import ClassSpectra, class_spectra
from explorer.analysis.comparison import Comparison, compare, compare_values
from explorer.analysis.directions import Directions, directions
from explorer.analysis.evaluation import Evaluation, evaluate, evaluation_steps, out_of_bag
from explorer.analysis.explanation import Explanation, explain
from explorer.analysis.first_plane import FirstPlane, best_pair, class_separation, first_plane
from explorer.analysis.fitted_model import FittedModel
from explorer.analysis.fresh_rows import FreshRows, FreshScore, fresh_rows, score_fresh
from explorer.analysis.image_maps import (
    BandPicture,
    ClassMap,
    ColourPicture,
    band_picture,
    class_map,
    colour_picture,
)
from explorer.analysis.importance import Importance, importance
from explorer.analysis.model import Model
from explorer.analysis.partition import Partition, partition
from explorer.analysis.planes import (
    LabelledPlane,
    component_plane,
    discriminant_plane,
    feature_plane,
    marginal_plane,
)
from explorer.analysis.posterior_map import (
    PosteriorMap,
    TruePosterior,
    hellinger,
    model_posterior,
    posterior_map,
    signed_difference,
    true_posterior,
)
from explorer.analysis.precision_recall import PrecisionRecall, precision_recall
from explorer.analysis.projection import Projection, first_split, projection
from explorer.analysis.protocols import TEN_BY_TEN, TWO_FOLD, Protocol
from explorer.analysis.proximity import Proximity, classical_mds, distance_pca, proximity
from explorer.analysis.record import Record
from explorer.analysis.roc import AveragedRoc, average_curves, averaged_roc
from explorer.analysis.scores import error_by_trees, oob_wrong, tree_depths
from explorer.analysis.strength import Strength, strength
from explorer.analysis.sweep import Sweep, sweep, sweep_steps
from explorer.analysis.ties import best_or_tied
from explorer.analysis.tree_drawing import TreeDrawing, tree_drawing
from explorer.analysis.unknown_map import UnknownMap, unknown_map
from explorer.analysis.unknowns import Unknowns, judge_unknowns
from explorer.analysis.verdict import Verdict, judge, verdict
from explorer.engine import Cancelled

__all__ = [
    "TEN_BY_TEN",
    "TWO_FOLD",
    "Attribution",
    "AveragedRoc",
    "BandImportance",
    "BandPicture",
    "BiasVariance",
    "BoundaryShape",
    "Calibration",
    "Cancelled",
    "ClassMap",
    "ClassSpectra",
    "ColourPicture",
    "Comparison",
    "Directions",
    "Evaluation",
    "Explanation",
    "FirstPlane",
    "FittedModel",
    "FreshRows",
    "FreshScore",
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
    "Strength",
    "Sweep",
    "TreeDrawing",
    "TruePosterior",
    "UnknownMap",
    "Unknowns",
    "Verdict",
    "attribution",
    "average_curves",
    "averaged_roc",
    "band_importance",
    "band_picture",
    "best_or_tied",
    "best_pair",
    "bias_variance",
    "boundary_shape",
    "calibration",
    "class_map",
    "class_separation",
    "class_spectra",
    "classical_mds",
    "colour_picture",
    "compare",
    "compare_values",
    "component_plane",
    "cuts_along_axes",
    "directions",
    "discriminant_plane",
    "distance_pca",
    "error_by_trees",
    "evaluate",
    "evaluation_steps",
    "explain",
    "feature_plane",
    "first_plane",
    "first_split",
    "fresh_rows",
    "hellinger",
    "importance",
    "judge",
    "judge_unknowns",
    "marginal_plane",
    "model_posterior",
    "oob_wrong",
    "out_of_bag",
    "partition",
    "posterior_map",
    "precision_recall",
    "projection",
    "proximity",
    "score_fresh",
    "signed_difference",
    "strength",
    "sweep",
    "sweep_steps",
    "tree_depths",
    "tree_drawing",
    "true_posterior",
    "unknown_map",
    "verdict",
]
