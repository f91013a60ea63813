"""Two long thin clouds, turned by an angle: the first screen, and Menze Fig. 1's argument."""

from __future__ import annotations

import numpy as np

from explorer.data.dataset import Dataset
from explorer.data.entry import Knob, entry, samples, seed, sigma
from explorer.data.gaussians import GaussianMixture


def clouds(
    n: int = 100,
    length: float = 4.0,
    width: float = 0.18,
    gap: float = 0.7,
    angle: float = 45.0,
    seed: int = 0,
) -> Dataset:
    """Two parallel Gaussians of standard deviations length x width, `gap` apart, turned.

    angle: degrees; at 0 the clouds lie along x1 and one cut on x2 parts them, at 45 every straight
    cut meets both. The same seed gives the same cloud at every angle: turning turns the points.
    Exact: Bayes error Φ(-gap / (2 width)), the boundary is the line through 0 along the clouds.
    """
    if width > length:
        raise ValueError(f"The width ({width}) of a long thin cloud exceeds its length ({length}).")
    turn = np.deg2rad(angle)
    along = np.array([np.cos(turn), np.sin(turn)])
    across = np.array([-np.sin(turn), np.cos(turn)])
    # v I + U Uᵀ with v = width² and U = sqrt(length² - width²) along
    truth = GaussianMixture.equal(
        [-0.5 * gap * across, 0.5 * gap * across],
        [0, 1],
        width**2,
        np.sqrt(length**2 - width**2) * along,
    )
    # drawn in the clouds' own frame, so that the noise turns with the clouds
    level = GaussianMixture.equal(
        [[0.0, -0.5 * gap], [0.0, 0.5 * gap]],
        [0, 1],
        width**2,
        [np.sqrt(length**2 - width**2), 0.0],
    )
    X, y = level.sample(n, np.random.default_rng(seed))
    return Dataset(
        name="clouds",
        title="Two thin clouds",
        X=X @ np.array([along, across]),
        y=y,
        class_names=("lower", "upper"),
        truth=truth,
        citation="after Menze et al. 2011, Fig. 1",
    )


def pair(
    n: int = 200, separation: float = 2.0, sd: float = 0.35, offset: float = 0.0, seed: int = 0
) -> Dataset:
    """The separable pair of Menze Fig. 1 (offset 0, left column) and its correlated twin (right).

    Two round clouds whose centres are `separation` apart along (1, -1), so both marginals part
    them; the twin adds offset * s, s ~ N(0, 1), to both features of a sample: the same points
    (same seed) stretched along (1, 1), the marginals overlap. The Bayes error, Φ(-separation /
    (2 sd)), is the same for every offset. The paper gives no numbers for this figure; ours are
    chosen to look like its caption.
    """
    d = 0.5 * separation * np.array([1.0, -1.0]) / np.sqrt(2.0)
    truth = GaussianMixture.equal([-d, d], [0, 1], sd**2)
    rng = np.random.default_rng(seed)
    X, y = truth.sample(n, rng)
    X = X + offset * rng.standard_normal((n, 1))
    return Dataset(
        name="pair",
        title="Separable pair" if offset == 0 else "Separable pair, artificially correlated",
        X=X,
        y=y,
        class_names=("0", "1"),
        truth=truth.with_offset(offset) if offset else truth,
        citation="Menze et al. 2011, Fig. 1",
    )


ENTRIES = (
    entry(
        clouds,
        "Two thin clouds",
        "2-D",
        "Two long thin clouds, turned: straight cuts make stairs where a slant makes one line.",
        n=samples(),
        length=Knob("Spread along the clouds.", 0.05, 20.0),
        width=Knob("Spread across the clouds; wider ones overlap.", 0.02, 2.0),
        gap=Knob("Distance between the clouds.", 0.0, 10.0),
        angle=Knob("Turn the data, in degrees; at 0 the axes are right.", -180.0, 180.0),
        seed=seed(),
    ),
    entry(
        pair,
        "Separable pair",
        "2-D",
        "Two clouds that any axis parts, and their twin after one scalar is added per sample.",
        n=samples(),
        separation=Knob("Distance between the centres.", 0.0, 10.0),
        sd=sigma(0.02, 3.0),
        offset=Knob("Size of the scalar added to both features of a sample.", 0.0, 100.0),
        seed=seed(),
    ),
)
