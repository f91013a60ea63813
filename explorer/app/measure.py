"""Owns the numbers of a card: what a model says on a plane, and how well it does.

A map's posterior, image and boundary are made for a moving slider: the boundary is the contour of
the raster, which takes a millisecond where `explorer.analysis` seeks every crossing. What no
slider waits for (truth, Bayes boundary, cells, Hellinger distance) comes from there. Everything
here is a pure function of a model and a data set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analysis import hellinger, partition, true_posterior
from explorer.analysis.model import class_columns, spread
from explorer.analysis.planes import LabelledPlane
from explorer.app.plane import Window
from explorer.data import Dataset
from explorer.engine import Forest
from explorer.engine.flat import zero_lines
from explorer.views.theme import posterior_index

Floats = NDArray[np.float64]
Line = tuple[Floats, Floats]
TEST_POINTS = 1000
TEST_SEED = 77
FEW_ROWS = 6  # of a marginal map, in its first picture
MOST_CELLS = 4000  # nodes of a tree whose cells are still drawn
_LONGEST_LINE = 20_000  # vertices; a boundary that fills the picture is not worth sending
_NONE = np.empty(0)


@dataclass(frozen=True)
class Test:
    """Fresh rows from the truth: what a forest is judged by."""

    X: Floats
    y: NDArray[np.intp]
    posterior: Floats


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
    cells: Line = (_NONE, _NONE)
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


def sample_test(data: Dataset) -> Test | None:
    """Test rows from the truth, the same for the same data; None where no truth is known."""
    if data.truth is None:
        return None
    X, y = data.truth.sample(TEST_POINTS, np.random.default_rng(TEST_SEED))
    return Test(X, y, data.truth.posterior(X))


def window_of(plane: LabelledPlane) -> Window:
    return Window(*plane.x_range, *plane.y_range)


def posterior_on(
    model: Any, data: Dataset, plane: LabelledPlane, pixels: tuple[int, int], **options: Any
) -> NDArray[np.float32]:
    """Posterior by the data set's classes, float32 [h, w, K]; a class without rows has none."""
    columns = class_columns(model, data)
    if plane.rows is None:
        found = model.posterior_on(plane.plane, *pixels, **options)
    else:
        total: Any = 0.0
        for row in plane.rows:
            total = total + model.posterior_on(plane.plane_through(data.X[row]), *pixels, **options)
        found = (total / plane.rows.size).astype(np.float32)
    return spread(found, columns, data.n_classes)


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
    posterior = posterior_on(forest, data, first, pixels, trees=trees, threads=threads)
    shown = forest if trees == forest.n_tree else forest.take(trees)
    oob_wrong = np.empty(0)
    oob_error = None
    wrong = np.zeros(data.n_samples, bool)
    if shown.has_oob:
        proba = shown.oob_proba
        in_every_bag = np.isnan(proba[:, 0])
        wrong = ~in_every_bag & (proba.argmax(axis=1) != shown.training.codes)
        oob_wrong = np.where(in_every_bag, np.nan, wrong)
        if not in_every_bag.all():
            oob_error = float(shown.oob_error[-1])
    m_try = forest.spec.m_try
    sizes = np.diff(forest.node_at[: trees + 1]).astype(float)
    cells, no_cells = ((_NONE, _NONE), "") if tree < 0 else cell_lines(forest, data, plane, tree)
    window = window_of(plane)
    return MapRecord(
        window=window,
        shares=_all_but_last(posterior),
        index=posterior_index(posterior),
        boundary=boundary_lines(posterior, window),
        trees=trees,
        n_tree=forest.n_tree,
        m_try=None if m_try is None else forest.spec.features_per_split(data.n_features),
        oob_error=oob_error,
        nodes=float(sizes.mean()),
        seconds=seconds,
        wrong=wrong,
        oob_wrong=oob_wrong,
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
        boundary=boundary_lines(posterior, window),
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


def _all_but_last(posterior: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.ascontiguousarray(posterior[..., :-1])


def cell_lines(forest: Forest, data: Dataset, plane: LabelledPlane, tree: int) -> tuple[Line, str]:
    """Split lines of one tree, NaN between them; or none, and why."""
    if tree >= forest.n_tree:
        return (_NONE, _NONE), f"there is no tree {tree + 1}"
    if forest.node_at[tree + 1] - forest.node_at[tree] > MOST_CELLS:
        return (_NONE, _NONE), f"tree {tree + 1} has too many cells to draw"
    try:
        found = partition(forest, data, tree, plane)
    except ValueError as error:
        return (_NONE, _NONE), str(error)
    return joined(found.lines), ""


def joined(lines: Sequence[Floats]) -> Line:
    """Polylines [m, 2] as x and y, NaN between them."""
    if not lines:
        return _NONE, _NONE
    gap = np.full((1, 2), np.nan)
    points = np.concatenate([piece for line in lines for piece in (line, gap)][:-1])
    return points[:, 0].copy(), points[:, 1].copy()


def judge(
    record: MapRecord,
    model: Any,
    data: Dataset,
    plane: LabelledPlane,
    test: Test | None,
    threads: int | None = None,
) -> MapRecord:
    """The record with what takes longer: error and distance on fresh rows, the shape in words."""
    options: dict[str, Any] = {"threads": threads}
    if isinstance(model, Forest):
        options["trees"] = record.trees
    if record.rough:
        h, w, _ = record.shares.shape
        posterior = posterior_on(model, data, plane, (w, h), **options)
        record = replace(
            record,
            shares=_all_but_last(posterior),
            index=posterior_index(posterior),
            boundary=boundary_lines(posterior, record.window),
            rough=False,
        )
    words = boundary_in_words(record)
    if test is None:
        return replace(record, judged=True, words=words)
    estimate = spread(
        model.predict_proba(test.X, **options), class_columns(model, data), data.n_classes
    )
    wrong = (estimate.argmax(axis=1) != test.y).astype(float)
    distances = hellinger(estimate, test.posterior)
    return replace(
        record,
        judged=True,
        words=words,
        test_error=float(wrong.mean()),
        hellinger=float(distances.mean()),
        test_wrong=wrong,
        distances=distances,
    )


def boundary_lines(posterior: NDArray[np.float32], window: Window) -> tuple[Floats, Floats]:
    """Where the winner changes: x and y, NaN between lines."""
    h, w, K = posterior.shape
    pieces = []
    levels: list[tuple[Any, Any]]
    if K == 2:
        levels = [(posterior[..., 1] - posterior[..., 0], None)]
    else:
        # a border is drawn once, by the lower of its two classes
        winner = posterior.argmax(axis=-1)
        present = np.unique(winner)
        levels = [(_lead(posterior, k), winner < k) for k in present[:-1]]
    for level, masked in levels:
        points = zero_lines(level, masked)
        if 0 < len(points) <= _LONGEST_LINE:
            pieces += [points, np.full((1, 2), np.nan)]
    if not pieces:
        return np.empty(0), np.empty(0)
    line = np.concatenate(pieces[:-1])
    x = window.x0 + (line[:, 0] + 0.5) / w * window.width  # lines come in pixels
    y = window.y0 + (line[:, 1] + 0.5) / h * window.height
    return x, y


def _lead(posterior: NDArray[np.float32], k: int) -> NDArray[np.float32]:
    """How far class k is ahead of the best other one."""
    others = np.delete(posterior, k, axis=-1).max(axis=-1)
    lead: NDArray[np.float32] = posterior[..., k] - others
    return lead


def bayes_lines(data: Dataset, plane: LabelledPlane) -> Line | None:
    """The Bayes boundary in a window: x and y, NaN between lines; None where it is not known."""
    if data.truth is None:
        return None
    if data.n_features == 2 and plane.kind == "features":
        (x0, x1), (y0, y1) = plane.x_range, plane.y_range
        lines = data.truth.boundary((x0, y0), (x1, y1))
        if lines is not None:
            return joined(lines)
    found = true_posterior(data, plane, 120, 90, boundary=plane.rows is None)
    if plane.rows is None:
        return joined(found.boundary)
    return boundary_lines(found.posterior, window_of(plane))


def best(samples: list[Floats]) -> int | None:
    """Which column of per-sample values is lowest by more than one standard error, or None.

    Compared sample by sample with the second lowest; NaN where either was not judged.
    """
    if len(samples) < 2 or any(s.size == 0 for s in samples):
        return None
    if len({s.size for s in samples}) > 1:
        return None
    means = [float(np.nanmean(s)) if not np.isnan(s).all() else np.inf for s in samples]
    order = np.argsort(means, kind="stable")
    first, second = int(order[0]), int(order[1])
    gap = samples[second] - samples[first]
    gap = gap[~np.isnan(gap)]
    if gap.size < 2:
        return None
    error = float(gap.std(ddof=1)) / np.sqrt(gap.size)
    return first if means[second] - means[first] > 1.0001 * error + 1e-12 else None


def leaders(records: Sequence[MapRecord | None]) -> dict[str, int | None]:
    """Which model leads in each number by more than one standard error; None is a tie."""
    here = [(i, r) for i, r in enumerate(records) if r is not None]
    forests = [(i, r) for i, r in here if r.n_tree]
    found: dict[str, int | None] = {}
    for name, field_name, judged in (
        ("oob", "oob_wrong", forests),
        ("test", "test_wrong", here),
        ("hellinger", "distances", here),
        ("nodes", "sizes", forests),
    ):
        samples = [getattr(r, field_name) for _, r in judged]
        if len(samples) < 2 or not all(s.size for s in samples):
            continue
        if name == "nodes" and len({s.size for s in samples}) > 1:
            continue  # forests of unlike many trees are not compared tree by tree
        first = best(samples)
        found[name] = None if first is None else judged[first][0]
    return found


def _paced(line: Floats) -> Floats:
    """The line with a point after every pixel of its way."""
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    at = np.arange(0.0, way[-1])
    return np.column_stack([np.interp(at, way, line[:, 0]), np.interp(at, way, line[:, 1])])


def boundary_in_words(record: MapRecord) -> str:
    """The learned boundary as a person would say it: straight, stairs, curved, in pieces."""
    x, y = record.boundary
    if x.size < 2:
        winner = record.posterior.argmax(axis=-1)
        return "one class wins everywhere" if np.ptp(winner) == 0 else "a scattered boundary"
    h, w = record.shares.shape[:2]
    px = (x - record.window.x0) / record.window.width * w
    py = (y - record.window.y0) / record.window.height * h
    cuts = np.flatnonzero(np.isnan(px))
    lines = [np.column_stack(p) for p in zip(np.split(px, cuts), np.split(py, cuts), strict=True)]
    lines = [_paced(line[~np.isnan(line[:, 0])]) for line in lines]
    lines = [line for line in lines if len(line) > 8]
    if not lines:
        return "a scattered boundary"
    longest = max(lines, key=len)
    centred = longest - longest.mean(axis=0)
    off = np.linalg.svd(centred, full_matrices=False)[1][1] / np.sqrt(len(longest))
    apart = max(2, round(w / 65))  # pixels: about the width of a stair on the first screen
    chords = np.concatenate([line[apart:] - line[:-apart] for line in lines])
    level = np.abs(chords).min(axis=1) < 0.12 * np.abs(chords).max(axis=1)
    steps = float(level.mean()) > 0.62
    if len(lines) == 1 and off < 2.5:
        return "one straight boundary"
    pieces = "one boundary" if len(lines) == 1 else f"a boundary in {len(lines)} pieces"
    return f"{pieces}, in stairs" if steps else f"{pieces}, curved or slanted"


def difference(estimate: NDArray[np.float32], truth: NDArray[np.float32]) -> NDArray[np.float32]:
    """Estimate minus truth, [h, w], of P(second class) for two classes, else of the true winner."""
    if truth.shape[-1] == 2:
        gap: NDArray[np.float32] = estimate[..., 1] - truth[..., 1]
        return gap
    winner = truth.argmax(axis=-1)[..., None]
    both = (np.take_along_axis(a, winner, axis=-1)[..., 0] for a in (estimate, truth))
    e, t = both
    lead: NDArray[np.float32] = e - t
    return lead
