"""A small generated image with a spectrum in every pixel: fields, a wood and a lake from above.

Materials have reflectance spectra of the usual shapes; light differs from place to place, and
pixels at borders are mixtures. So brightness alone does not tell materials apart.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.data.axis import SpectralAxis
from explorer.data.cube import NO_LABEL, Cube

MATERIALS = ("soil", "crop", "forest", "water")
_NOISE = 0.012


def example_scene(
    lines: int = 90, samples: int = 120, bands: int = 60, seed: int = 0
) -> tuple[Cube, NDArray[np.intp], NDArray[np.intp]]:
    """(the image, some labelled pixels [lines, samples] with -1 for none, the true materials)."""
    rng = np.random.default_rng(seed)
    x = np.linspace(420.0, 980.0, bands)
    truth = _materials(lines, samples)
    shares = _softened(np.eye(len(MATERIALS))[truth])
    light = 0.75 + 0.35 * _smooth(rng, lines, samples)
    values = light[:, :, None] * (shares @ _reflectance(x))
    values += rng.normal(0.0, _NOISE, values.shape)
    labels = np.full((lines, samples), NO_LABEL, np.intp)
    for k in range(len(MATERIALS)):
        for line, sample in _places(truth == k, 3):
            part = np.s_[max(0, line - 2) : line + 3, max(0, sample - 2) : sample + 3]
            labels[part] = np.where(truth[part] == k, k, labels[part])
    axis = SpectralAxis.of_unit(x, "nm")
    return Cube("fields", values.astype(np.float32), axis), labels, truth


def _materials(lines: int, samples: int) -> NDArray[np.intp]:
    """The material of every pixel: two kinds of fields, a wood, a lake."""
    down, across = np.mgrid[0:lines, 0:samples] / np.array([lines, samples])[:, None, None]
    out = np.where((np.floor(4 * across + 1.5 * down) % 2) == 0, 0, 1)
    wood = (across - 0.78) ** 2 + 1.4 * (down - 0.3) ** 2 < 0.045 + 0.012 * np.sin(14 * across)
    lake = (across - 0.32) ** 2 / 2 + (down - 0.7) ** 2 < 0.025 + 0.008 * np.sin(11 * across)
    out[wood], out[lake] = 2, 3
    return out.astype(np.intp)


def _reflectance(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """One spectrum per material, float64 [4, bands]; x in nm."""

    def rise(at: float, width: float) -> NDArray[np.float64]:
        return 1.0 / (1.0 + np.exp(-(x - at) / width))

    def peak(at: float, width: float) -> NDArray[np.float64]:
        return np.exp(-(((x - at) / width) ** 2))

    soil = 0.10 + 0.22 * rise(640.0, 90.0) - 0.03 * peak(870.0, 45.0)
    crop = 0.05 + 0.09 * peak(552.0, 32.0) + 0.42 * rise(716.0, 14.0) - 0.02 * peak(670.0, 20.0)
    forest = 0.04 + 0.05 * peak(550.0, 36.0) + 0.30 * rise(724.0, 15.0) - 0.03 * peak(970.0, 30.0)
    water = 0.09 * (1.0 - rise(610.0, 50.0)) + 0.02
    return np.array([soil, crop, forest, water])


def _softened(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mixtures at borders: the mean of each pixel and its four neighbours."""
    padded = np.pad(shares, ((1, 1), (1, 1), (0, 0)), mode="edge")
    middle = padded[1:-1, 1:-1]
    around = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
    return (2.0 * middle + around) / 6.0


def _smooth(rng: np.random.Generator, lines: int, samples: int) -> NDArray[np.float64]:
    """A slowly varying field, 0 to 1."""
    from scipy.ndimage import gaussian_filter

    field = gaussian_filter(rng.normal(size=(lines, samples)), 14.0, mode="nearest")
    field -= field.min()
    return field / (field.max() or 1.0)


def _places(inside: NDArray[np.bool_], count: int) -> list[tuple[int, int]]:
    """Some pixels of a material, far from its border."""
    from scipy.ndimage import distance_transform_cdt

    depth = distance_transform_cdt(np.pad(inside, 1))[1:-1, 1:-1].astype(np.float64)
    found = []
    for _ in range(count):
        line, sample = np.unravel_index(int(depth.argmax()), depth.shape)
        found.append((int(line), int(sample)))
        depth[max(0, line - 14) : line + 15, max(0, sample - 14) : sample + 15] = 0.0
    return found
