"""The one place where the app asks for numbers; it goes when `explorer.analysis` gives them.

Posterior on a plane with its boundaries, errors with their standard errors, mean Hellinger
distance. Everything here is a pure function of a forest and a data set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import contourpy
import numpy as np
from numpy.typing import NDArray

from explorer.data import Dataset
from explorer.engine import Forest, Plane
from explorer.views.theme import posterior_index

Floats = NDArray[np.float64]
TEST_POINTS = 1000
_LONGEST_LINE = 20_000  # vertices; a boundary that fills the picture is not worth sending


@dataclass(frozen=True)
class Window:
    """The part of a plane that is seen, in data units."""

    x0: float
    x1: float
    y0: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0


@dataclass(frozen=True)
class Test:
    """Fresh rows from the truth: what a forest is judged by."""

    X: Floats
    y: NDArray[np.intp]
    posterior: Floats


@dataclass(frozen=True)
class MapRecord:
    """What a forest says on a plane, and how well it does.

    posterior: float32 [h, w, K], row 0 lowest; index: the same as bytes for a palette.
    boundary: x and y of lines, NaN between them.
    wrong: training rows whose out-of-bag vote is another class. Errors are shares; the arrays
    under them hold one value per sample, so that two forests can be compared sample by sample.
    """

    window: Window
    posterior: NDArray[np.float32]
    index: NDArray[np.uint8]
    boundary: tuple[Floats, Floats]
    trees: int
    n_tree: int
    m_try: int | None
    oob_error: float | None
    nodes: float
    seconds: float
    wrong: NDArray[np.bool_]
    oob_wrong: Floats
    sizes: Floats
    judged: bool = False
    words: str = ""
    test_error: float | None = None
    hellinger: float | None = None
    test_wrong: Floats = field(default_factory=lambda: np.empty(0))
    distances: Floats = field(default_factory=lambda: np.empty(0))

    @property
    def nbytes(self) -> int:
        arrays = (
            self.posterior,
            self.index,
            *self.boundary,
            self.oob_wrong,
            self.test_wrong,
            self.distances,
        )
        return sum(a.nbytes for a in arrays) + self.wrong.nbytes + self.sizes.nbytes + 1000


def sample_test(data: Dataset) -> Test | None:
    """Test rows from the truth, the same for the same data; None where no truth is known."""
    if data.truth is None:
        return None
    X, y = data.truth.sample(TEST_POINTS, np.random.default_rng(77))
    return Test(X, y, data.truth.posterior(X))


def home_window(data: Dataset, across: int, up: int, aspect: float) -> Window:
    """The window that shows the data, the same however they are turned about the origin.

    Equal units, unless the spreads of the two features differ more than thirty times.
    """
    x, y = data.X[:, across], data.X[:, up]
    cx, cy = float(np.median(x)), float(np.median(y))
    distance = np.hypot(x, y)
    r = float(min(1.08 * distance.max(), 1.28 * np.quantile(distance, 0.9)))
    if data.n_features == 2 and np.hypot(cx, cy) < 0.35 * r:
        cx = cy = 0.0
    else:
        distance = np.hypot(x - cx, y - cy)
        r = float(min(1.08 * distance.max(), 1.6 * np.quantile(distance, 0.9)))
    sx, sy = float(np.ptp(x)) or 1.0, float(np.ptp(y)) or 1.0
    if max(sx, sy) / min(sx, sy) > 30 and data.n_features > 2:
        return Window(*_padded(x, sx), *_padded(y, sy))
    r = r or 1.0
    wide, high = (r * aspect, r) if aspect >= 1 else (r, r / aspect)
    return Window(cx - wide, cx + wide, cy - high, cy + high)


def _padded(values: Floats, spread: float) -> tuple[float, float]:
    return float(values.min()) - 0.08 * spread, float(values.max()) + 0.08 * spread


def plane_of(data: Dataset, across: int, up: int, window: Window) -> Plane:
    """The plane of two features, the rest at their medians."""
    at = np.median(data.X, axis=0)
    return Plane.axes(across, up, (window.x0, window.x1), (window.y0, window.y1), at)


def plane_in_words(data: Dataset, across: int, up: int) -> str:
    """The plane, said aloud."""
    names = data.feature_names
    words = f"{names[across]} against {names[up]}"
    rest = data.n_features - 2
    if rest == 0:
        return words
    if rest == 1:
        return f"{words}, the other one at its median"
    return f"{words}, the other {rest} at their medians"


def draw(
    forest: Forest,
    trees: int,
    seconds: float,
    data: Dataset,
    axes: tuple[int, int],
    window: Window,
    pixels: tuple[int, int],
    threads: int | None = None,
) -> MapRecord:
    """The picture of a forest's first trees and its out-of-bag error: all that a slider moves."""
    plane = plane_of(data, *axes, window)
    posterior = forest.posterior_on(plane, *pixels, trees=trees, threads=threads)
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
    return MapRecord(
        window=window,
        posterior=posterior,
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
    )


def judge(
    record: MapRecord,
    forest: Forest,
    data: Dataset,
    test: Test | None,
    threads: int | None = None,
) -> MapRecord:
    """The record with what takes longer: error and distance on fresh rows, the shape in words."""
    words = boundary_in_words(record)
    if test is None:
        return replace(record, judged=True, words=words)
    estimate = _all_classes(forest, test.X, record.trees, data.n_classes, threads)
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


def _all_classes(
    forest: Forest, X: Floats, trees: int, n_classes: int, threads: int | None
) -> Floats:
    """Posteriors by class code; a class without training rows has none."""
    proba = forest.predict_proba(X, trees=trees, threads=threads)
    if forest.n_classes == n_classes:
        return proba
    full = np.zeros((len(X), n_classes))
    full[:, forest.classes] = proba
    return full


def hellinger(p: NDArray[Any], q: NDArray[Any]) -> Floats:
    """Hellinger distance of posteriors, row by row; 0 is equal, 1 apart (Tomita s.2.7)."""
    return np.sqrt(np.clip(0.5 * ((np.sqrt(p) - np.sqrt(q)) ** 2).sum(axis=-1), 0.0, 1.0))


def boundary_lines(posterior: NDArray[np.float32], window: Window) -> tuple[Floats, Floats]:
    """Where the winner changes: x and y, NaN between lines."""
    h, w, K = posterior.shape
    pieces = []
    levels: list[Any]
    if K == 2:
        levels = [posterior[..., 1] - posterior[..., 0]]
    else:
        # a border is drawn once, by the lower of its two classes
        winner = posterior.argmax(axis=-1)
        present = np.unique(winner)
        levels = [np.ma.array(_lead(posterior, k), mask=winner < k) for k in present[:-1]]
    for level in levels:
        generator = contourpy.contour_generator(z=level, line_type="ChunkCombinedNan")
        points = generator.lines(0.0)[0][0]
        if points is not None and len(points) <= _LONGEST_LINE:
            pieces += [points, np.full((1, 2), np.nan)]
    if not pieces:
        return np.empty(0), np.empty(0)
    line = _corners(np.concatenate(pieces[:-1]))
    x = window.x0 + (line[:, 0] + 0.5) / w * window.width  # lines come in pixels
    y = window.y0 + (line[:, 1] + 0.5) / h * window.height
    return x, y


def _corners(line: Floats) -> Floats:
    """The line without the points between which it runs straight on; NaN rows stay."""
    # a point that stands twice would hide the corner it is
    line = line[np.concatenate([[True], ~(np.diff(line, axis=0) == 0).all(axis=1)])]
    step = np.diff(line, axis=0)
    turn = step[:-1, 0] * step[1:, 1] - step[:-1, 1] * step[1:, 0]
    keep = np.ones(len(line), bool)
    keep[1:-1] = ~(np.abs(turn) < 1e-9)  # NaN is kept: a line begins or ends there
    return line[keep]


def _lead(posterior: NDArray[np.float32], k: int) -> NDArray[np.float32]:
    """How far class k is ahead of the best other one."""
    others = np.delete(posterior, k, axis=-1).max(axis=-1)
    lead: NDArray[np.float32] = posterior[..., k] - others
    return lead


def bayes_lines(
    data: Dataset, axes: tuple[int, int], window: Window
) -> tuple[Floats, Floats] | None:
    """The Bayes boundary in a window: x and y, NaN between lines; None where it is not known."""
    if data.truth is None:
        return None
    if data.n_features == 2 and axes == (0, 1):
        lines = data.truth.boundary((window.x0, window.y0), (window.x1, window.y1))
        if lines is not None:
            gap = np.full((1, 2), np.nan)
            joined = [piece for line in lines for piece in (line, gap)]
            if not joined:
                return np.empty(0), np.empty(0)
            points = np.concatenate(joined[:-1])
            return points[:, 0].copy(), points[:, 1].copy()
    return boundary_lines(true_posterior(data, axes, window, (120, 90)), window)


def true_posterior(
    data: Dataset, axes: tuple[int, int], window: Window, pixels: tuple[int, int]
) -> NDArray[np.float32]:
    """P(class | x) on a plane, float32 [h, w, K]."""
    if data.truth is None:
        raise ValueError("The truth behind these data is not known.")
    points = plane_of(data, *axes, window).points(*pixels)
    flat = data.truth.posterior(points.reshape(-1, data.n_features))
    return flat.reshape(*points.shape[:2], -1).astype(np.float32)


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


def leaders(records: Sequence[MapRecord]) -> dict[str, int | None]:
    """Which model leads in each number by more than one standard error; None is a tie."""
    if len(records) < 2:
        return {}
    found: dict[str, int | None] = {}
    for name, samples in (
        ("oob", [r.oob_wrong for r in records]),
        ("test", [r.test_wrong for r in records]),
        ("hellinger", [r.distances for r in records]),
    ):
        if all(s.size for s in samples):
            found[name] = best(samples)
    if len({r.sizes.size for r in records}) == 1:
        found["nodes"] = best([r.sizes for r in records])
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
    h, w = record.posterior.shape[:2]
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
