"""The record of a card: what a model predicts on a plane, and how well it does.

Everything is computed in `explorer.analysis`: the map by `posterior_map`, as in a script or a
study, the error on fresh rows by `score_fresh`, the boundary in words by `boundary_words`. Here the
parts are put together, in the order in which a card shows them: `draw` first, then `judge`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analysis import (
    FreshRows,
    PosteriorMap,
    best_or_tied,
    oob_wrong,
    partition,
    posterior_map,
    score_fresh,
)
from explorer.analysis.boundary_words import boundary_words
from explorer.analysis.contours import NO_LINE, Line, joined, winner_lines
from explorer.analysis.planes import LabelledPlane
from explorer.analysis.posterior_index import posterior_index
from explorer.app.state.plane_choice import Window
from explorer.data import Dataset
from explorer.engine import Forest
from explorer.sentences import sentence_of

Floats = NDArray[np.float64]
TEST_POINTS = 1000
TEST_SEED = 77
FEW_ROWS = 6  # of a marginal map, in its first picture
MOST_CELLS = 4000  # nodes of a tree whose cells are still drawn
_NONE = np.empty(0)


@dataclass(frozen=True)
class MapRecord:
    """What a model says on a plane, and how well it does.

    shares: the posterior of all classes but the last, float32 [h, w, K - 1], row 0 lowest: what
    is kept of thousands of maps. index: the same as bytes for a palette.
    boundary: x and y of lines, NaN between them; cells: the same of one tree's split lines.
    rough: a first picture, of fewer pixels or samples than the one that follows.
    trees, n_tree: 0 for a baseline, which has no trees; then nodes and oob_error are None too.
    wrong: training rows whose out-of-bag vote is another class. Errors are shares; the arrays
    under them hold one value per sample, so that two models can be compared sample by sample.
    """

    window: Window
    shares: NDArray[np.float32]
    index: NDArray[np.uint8]
    boundary: Line
    trees: int
    n_tree: int
    m_try: int | None
    oob_error: float | None
    nodes: float | None
    seconds: float
    wrong: NDArray[np.bool_]
    oob_wrong: Floats
    sizes: Floats
    rough: bool = False
    cells: Line = NO_LINE
    no_cells: str = ""
    chosen: str = ""
    counts_votes: bool = False
    judged: bool = False
    words: str = ""
    test_error: float | None = None
    hellinger: float | None = None
    test_wrong: Floats = field(default_factory=lambda: np.empty(0))
    distances: Floats = field(default_factory=lambda: np.empty(0))

    @property
    def n_classes(self) -> int:
        return self.shares.shape[2] + 1

    @property
    def posterior(self) -> NDArray[np.float32]:
        """The posterior of all classes, float32 [h, w, K]."""
        last = np.maximum(np.float32(1) - self.shares.sum(axis=-1, keepdims=True), 0)
        return np.concatenate([self.shares, last], axis=-1)

    def at(self, row: int, column: int) -> list[float]:
        """The posterior of one pixel."""
        shares: list[float] = self.shares[row, column].tolist()
        return [*shares, max(0.0, 1.0 - sum(shares))]

    @property
    def counted(self) -> int:
        """Trees whose votes the posterior counts; 0 where it is not made of single votes."""
        return self.trees if self.counts_votes else 0

    @property
    def nbytes(self) -> int:
        arrays = (
            self.shares,
            self.index,
            *self.boundary,
            *self.cells,
            self.oob_wrong,
            self.test_wrong,
            self.distances,
        )
        return sum(a.nbytes for a in arrays) + self.wrong.nbytes + self.sizes.nbytes + 1000


def window_of(plane: LabelledPlane) -> Window:
    return Window(*plane.x_range, *plane.y_range)


def draw(
    forest: Forest,
    trees: int,
    seconds: float,
    data: Dataset,
    plane: LabelledPlane,
    pixels: tuple[int, int],
    tree: int = -1,
    threads: int | None = None,
) -> MapRecord:
    """The picture of a forest's first trees and its out-of-bag error: all that a slider moves.

    tree: the one whose cells are drawn too, if it is not negative. Of a marginal plane the first
    picture averages over few samples; `judge` draws it again over all.
    """
    rough = plane.rows is not None and plane.rows.size > FEW_ROWS
    first = plane if plane.rows is None else replace(plane, rows=plane.rows[:FEW_ROWS])
    found = _map(forest, data, first, *pixels, trees=trees, threads=threads)
    shown = forest if trees == forest.n_tree else forest.take(trees)
    missed = oob_wrong(shown) if shown.has_oob else _NONE
    wrong = missed == 1 if missed.size else np.zeros(data.n_samples, bool)
    oob_error = None if np.isnan(missed).all() else float(shown.oob_error[-1])
    m_try = forest.spec.m_try
    sizes = np.diff(forest.node_at[: trees + 1]).astype(float)
    cells, no_cells = (NO_LINE, "") if tree < 0 else cell_lines(forest, data, plane, tree)
    window = window_of(plane)
    return MapRecord(
        window=window,
        shares=_all_but_last(found.posterior),
        index=found.index,
        boundary=found.contour,
        trees=trees,
        n_tree=forest.n_tree,
        m_try=None if m_try is None else forest.spec.features_per_split(data.n_features),
        oob_error=oob_error,
        nodes=float(sizes.mean()),
        seconds=seconds,
        wrong=wrong,
        oob_wrong=missed,
        sizes=sizes,
        rough=rough,
        cells=cells,
        no_cells=no_cells,
        counts_votes=forest.spec.vote == "majority" and plane.rows is None,
    )


def draw_baseline(
    posterior: NDArray[np.float32],
    seconds: float,
    data: Dataset,
    plane: LabelledPlane,
    chosen: str,
) -> MapRecord:
    """The record of a model without trees."""
    window = window_of(plane)
    return MapRecord(
        window=window,
        shares=_all_but_last(posterior),
        index=posterior_index(posterior),
        boundary=winner_lines(posterior, plane.x_range, plane.y_range),
        trees=0,
        n_tree=0,
        m_try=None,
        oob_error=None,
        nodes=None,
        seconds=seconds,
        wrong=np.zeros(data.n_samples, bool),
        oob_wrong=_NONE,
        sizes=_NONE,
        no_cells="no trees",
        chosen=chosen,
    )


def _map(
    model: Any, data: Dataset, plane: LabelledPlane, *size: int, **options: Any
) -> PosteriorMap:
    """The map without its exact boundary and without the truth, which no slider waits for."""
    return posterior_map(model, data, plane, *size, truth=False, boundary="none", **options)


def _all_but_last(posterior: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.ascontiguousarray(posterior[..., :-1])


def cell_lines(forest: Forest, data: Dataset, plane: LabelledPlane, tree: int) -> tuple[Line, str]:
    """Split lines of one tree, NaN between them; or none, and why."""
    if tree >= forest.n_tree:
        return NO_LINE, f"there is no tree {tree + 1}"
    if forest.node_at[tree + 1] - forest.node_at[tree] > MOST_CELLS:
        return NO_LINE, f"tree {tree + 1} has too many cells to draw"
    try:
        found = partition(forest, data, tree, plane)
    except ValueError as error:
        return NO_LINE, sentence_of(error)
    return joined(found.lines), ""


def judge(
    record: MapRecord,
    model: Any,
    data: Dataset,
    plane: LabelledPlane,
    test: FreshRows | None,
    region: Window | None = None,
    threads: int | None = None,
) -> MapRecord:
    """The record with what takes longer: error and distance on fresh rows, the shape in words.

    region: the part of the plane whose boundary is put into words; None for what is seen.
    """
    options: dict[str, Any] = {"threads": threads}
    if isinstance(model, Forest):
        options["trees"] = record.trees
    if record.rough:
        h, w, _ = record.shares.shape
        found = _map(model, data, plane, w, h, **options)
        record = replace(
            record,
            shares=_all_but_last(found.posterior),
            index=found.index,
            boundary=found.contour,
            rough=False,
        )
    part = None if region is None else ((region.x0, region.x1), (region.y0, region.y1))
    words = boundary_words(model, data, plane, record.posterior, record.boundary, part, **options)
    if test is None:
        return replace(record, judged=True, words=words)
    score = score_fresh(model, data, test, **options)
    return replace(
        record,
        judged=True,
        words=words,
        test_error=score.error,
        hellinger=score.hellinger,
        test_wrong=score.wrong,
        distances=score.distances,
    )


def leaders(
    records: Sequence[MapRecord | None],
    wanted: Sequence[int | None],
    groups: NDArray[np.intp] | None = None,
) -> dict[str, frozenset[int]]:
    """For each number the models within one standard error of the best; one alone is the winner.

    wanted: trees of each finished forest, 0 for a baseline, None for a model that failed. Nothing
    is said of a number before all models that have it are finished: a lead may still change sides.
    groups: replicates among the training samples, which out-of-bag errors are counted on.
    """
    here = [
        (i, r, n) for i, (r, n) in enumerate(zip(records, wanted, strict=True)) if n is not None
    ]
    forests = [(i, r, n) for i, r, n in here if n]
    found: dict[str, frozenset[int]] = {}
    for name, field_name, judged in (
        ("oob", "oob_wrong", forests),
        ("test", "test_wrong", here),
        ("hellinger", "distances", here),
        ("nodes", "sizes", forests),
    ):
        if len(judged) < 2 or not all(_finished(r, n) for _, r, n in judged):
            continue
        samples = [getattr(r, field_name) for _, r, _ in judged]
        if all(s.size for s in samples):
            near = best_or_tied(samples, groups if name == "oob" else None)
            if near:
                found[name] = frozenset(judged[i][0] for i in near)
    return found


def _finished(record: MapRecord | None, trees: int) -> bool:
    return record is not None and record.n_tree >= trees and (trees > 0 or record.judged)
