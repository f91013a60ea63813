"""Pictures of an image with spectra: one band, three bands as colours, and what a forest says.

Class and vote maps are predicted some lines at a time, from a cube that may lie on disk, with
progress and `cancel`; every pixel's result is that of its spectrum alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.fitted_model import FittedModel
from explorer.analysis.model import Progress, stop_if
from explorer.data.cube import Cube
from explorer.engine import Forest

PIXELS_AT_ONCE = 1 << 15
_ENDS = (2.0, 98.0)  # percentiles that become black and white


@dataclass(frozen=True, eq=False)
class BandPicture:
    """values: float64 [lines, samples], NaN where nothing was measured. low, high: the 2nd and
    98th percentile, for the colour scale. label: what is shown, in words."""

    values: NDArray[np.float64]
    low: float
    high: float
    label: str


@dataclass(frozen=True, eq=False)
class ColourPicture:
    """rgb: uint8 [lines, samples, 3], each band stretched from its 2nd to its 98th percentile.
    bands: the three bands, counted from 0."""

    rgb: NDArray[np.uint8]
    bands: tuple[int, int, int]
    label: str


@dataclass(frozen=True, eq=False)
class ClassMap:
    """codes: int16 [lines, samples], class 0..K-1, -1 where nothing was measured. votes: float32
    [lines, samples, K], the share of votes, NaN there. class_names: K names."""

    codes: NDArray[np.int16]
    votes: NDArray[np.float32]
    class_names: tuple[str, ...]

    @property
    def share(self) -> NDArray[np.float32]:
        """The share of votes for the class that won, [lines, samples]."""
        return self.votes.max(axis=2)

    @property
    def counts(self) -> dict[str, int]:
        """Pixels per class."""
        found = np.bincount(self.codes[self.codes >= 0], minlength=len(self.class_names))
        return dict(zip(self.class_names, map(int, found), strict=True))

    def to_frame(self) -> Any:
        """A table of the measured pixels: line and sample from 1, class, share of votes of each."""
        import pandas

        lines, samples = np.nonzero(self.codes >= 0)
        names = np.array(self.class_names, object)
        columns: dict[str, Any] = {
            "line": lines + 1,
            "sample": samples + 1,
            "class": names[self.codes[lines, samples]],
        }
        for k, name in enumerate(self.class_names):
            columns[f"votes {name}"] = self.votes[lines, samples, k]
        return pandas.DataFrame(columns)


def band_picture(cube: Cube, position: float) -> BandPicture:
    """The band nearest to a position on the axis; without an axis, bands are counted from 1."""
    number = cube.band_at(position)
    values = cube.band(number)
    low, high = _ends(values)
    return BandPicture(values, low, high, _words(cube, number))


def colour_picture(cube: Cube, red: float, green: float, blue: float) -> ColourPicture:
    """Three bands as red, green and blue."""
    numbers = (cube.band_at(red), cube.band_at(green), cube.band_at(blue))
    rgb = np.empty((cube.lines, cube.samples, 3), np.uint8)
    for k, number in enumerate(numbers):
        values = cube.band(number)
        low, high = _ends(values)
        shade = (values - low) / ((high - low) or 1.0)
        rgb[:, :, k] = np.round(255 * np.clip(np.nan_to_num(shade), 0.0, 1.0))
    return ColourPicture(rgb, numbers, ", ".join(_words(cube, number) for number in numbers))


def class_map(
    model: Forest | FittedModel,
    cube: Cube,
    class_names: tuple[str, ...] | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: Any = None,
) -> ClassMap:
    """The class of every pixel and the shares of votes.

    model: a forest grown on spectra of these bands, or a fitted model, whose preparation is applied
    first. A FittedModel's axis must be that of the image. progress: called with (lines done, lines,
    words). cancel: asked between blocks of lines.
    """
    forest = model.forest if isinstance(model, FittedModel) else model
    names = class_names or _names(model)
    _check_bands(model, cube)
    codes = np.full((cube.lines, cube.samples), -1, np.int16)
    votes = np.full((cube.lines, cube.samples, forest.n_classes), np.nan, np.float32)
    for part, spectra in cube.blocks(PIXELS_AT_ONCE):
        stop_if(cancel)
        if progress is not None:
            progress(part.start, cube.lines, "predicting lines")
        with np.errstate(over="ignore", invalid="ignore"):
            known = np.isfinite(spectra.sum(axis=1))  # a finite sum has only finite terms
        if not known.any():
            continue
        rows = spectra if known.all() else spectra[known]
        if isinstance(model, FittedModel):
            rows = model.chain.map(rows)
        posterior = forest.predict_proba(rows, threads=threads)
        shape = (part.stop - part.start, cube.samples)
        winner = np.full(known.size, -1, np.int16)
        winner[known] = posterior.argmax(axis=1)
        codes[part] = winner.reshape(shape)
        shares = np.full((known.size, forest.n_classes), np.nan, np.float32)
        shares[known] = posterior
        votes[part] = shares.reshape(*shape, -1)
    stop_if(cancel)
    if progress is not None:
        progress(cube.lines, cube.lines, "predicting lines")
    for array in (codes, votes):
        array.setflags(write=False)
    return ClassMap(codes, votes, names)


def _names(model: Forest | FittedModel) -> tuple[str, ...]:
    if isinstance(model, FittedModel):
        return tuple(model.training.class_names)
    return tuple(f"class {k}" for k in model.classes)


def _check_bands(model: Forest | FittedModel, cube: Cube) -> None:
    wanted = model.chain.n_features if isinstance(model, FittedModel) else model.n_features
    if wanted != cube.bands:
        raise ValueError(
            f"The model was grown on spectra of {wanted} channels; image '{cube.name}' has "
            f"{cube.bands} bands. Grow it on labelled pixels of this image, or of one with the "
            "same bands."
        )
    if isinstance(model, FittedModel) and model.axis is not None and cube.axis is not None:
        ours, theirs = model.axis, cube.axis
        step = np.abs(np.diff(ours.values)).min() if ours.values.size > 1 else 1.0
        if ours.unit != theirs.unit or np.abs(ours.values - theirs.values).max() > 0.01 * step:
            raise ValueError(
                f"The model was grown on another axis ({_range(ours)}) than that of image "
                f"'{cube.name}' ({_range(theirs)}). Grow it on labelled pixels of this image."
            )


def _range(axis: Any) -> str:
    return f"{axis.values[0]:g} to {axis.values[-1]:g} {axis.unit}".strip()


def _ends(values: NDArray[np.float64]) -> tuple[float, float]:
    known = values[np.isfinite(values)]
    if not known.size:
        return 0.0, 1.0
    low, high = np.percentile(known, _ENDS)
    return float(low), float(high)


def _words(cube: Cube, number: int) -> str:
    if cube.axis is None:
        return f"band {number + 1}"
    return f"{cube.axis.values[number]:g} {cube.axis.unit}".strip()
