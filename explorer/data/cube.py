"""`Cube`: an image with a spectrum in every pixel, and the labelled pixels of it as a data set.

    values [line, sample, band]     line counts downwards, sample to the right, band along the axis

The values may lie on disk (a memory map): a picture reads one band, a prediction some lines at a
time, so an image need not fit into memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data.axis import SpectralAxis
from explorer.data.dataset import Dataset

NO_LABEL = -1


@dataclass(frozen=True, eq=False)
class Cube:
    """name: of the file. values: real numbers [lines, samples, bands], NaN (or `ignore`) where
    nothing was measured. axis: of the bands, None if the file gives none. ignore: the value that
    means "no data". notes: sentences for people."""

    name: str
    values: NDArray[Any]
    axis: SpectralAxis | None = None
    ignore: float | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.values.ndim != 3 or self.values.dtype.kind not in "fiub" or not self.values.size:
            raise ValueError(
                f"Image '{self.name}' must be numbers of shape (lines, samples, bands); it has "
                f"shape {self.values.shape} and type {self.values.dtype}."
            )
        if self.axis is not None and self.axis.values.size != self.bands:
            raise ValueError(
                f"Image '{self.name}' has {self.bands} bands and {self.axis.values.size} positions."
            )

    @property
    def lines(self) -> int:
        return int(self.values.shape[0])

    @property
    def samples(self) -> int:
        return int(self.values.shape[1])

    @property
    def bands(self) -> int:
        return int(self.values.shape[2])

    @property
    def n_pixels(self) -> int:
        return self.lines * self.samples

    def __repr__(self) -> str:
        return f"Cube({self.name!r}, {self.lines} x {self.samples} pixels, {self.bands} bands)"

    def band_at(self, position: float) -> int:
        """The band nearest to a position on the axis; without an axis, bands are counted from 1."""
        where = np.arange(1.0, self.bands + 1) if self.axis is None else self.axis.values
        if not where.min() <= position <= where.max():
            raise ValueError(
                f"There is no band at {position:g}; the bands of image '{self.name}' run from "
                f"{where.min():g} to {where.max():g}."
            )
        return int(np.abs(where - position).argmin())

    def band(self, number: int) -> NDArray[np.float64]:
        """One band, float64 [lines, samples], NaN where nothing was measured."""
        if not 0 <= number < self.bands:
            raise ValueError(f"Image '{self.name}' has {self.bands} bands; there is no {number}.")
        return self._cleaned(self.values[:, :, number])

    def blocks(self, pixels: int = 1 << 15) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """(lines, spectra float64 [n, bands]) from top to bottom, about `pixels` at a time."""
        step = max(1, pixels // self.samples)
        for begin in range(0, self.lines, step):
            part = slice(begin, min(begin + step, self.lines))
            yield part, self._cleaned(self.values[part]).reshape(-1, self.bands)

    def spectra(self, pixels: ArrayLike) -> NDArray[np.float64]:
        """Spectra float64 [n, bands] of pixels, counted line by line."""
        lines, samples = np.divmod(np.asarray(pixels, np.intp), self.samples)
        return self._cleaned(self.values[lines, samples])

    def labelled(
        self,
        labels: ArrayLike,
        class_names: Sequence[str],
        groups: ArrayLike | None = None,
        most: int | None = None,
    ) -> Dataset:
        """The labelled pixels as a data set.

        labels: whole numbers [lines, samples], 0..K-1 where a pixel is labelled, below 0 where it
        is not. groups: [lines, samples], equal for pixels of one region. Neighbouring pixels are
        alike: unless regions are given as groups, errors from left-out pixels are too small.
        most: of more labelled pixels so many are taken, evenly spread over the image, as many of
        each class as its share. Pixels with a missing band are left out.
        """
        codes = np.asarray(labels)
        if codes.shape != (self.lines, self.samples) or codes.dtype.kind not in "iu":
            raise ValueError(
                f"Labels of image '{self.name}' must be whole numbers of shape "
                f"({self.lines}, {self.samples}); they have shape {codes.shape} and type "
                f"{codes.dtype}."
            )
        if codes.max() >= len(class_names):
            raise ValueError(
                f"A label is {codes.max()}, and there are {len(class_names)} classes, counted "
                "from 0."
            )
        chosen = np.flatnonzero(codes.ravel() >= 0)
        if not chosen.size:
            raise ValueError(f"No pixel of image '{self.name}' is labelled. Paint some pixels.")
        found = chosen.size
        if most is not None and found > most:
            chosen = _spread(codes.ravel(), chosen, most)
        X = self.spectra(chosen)
        whole = np.isfinite(X).all(axis=1)
        chosen, X = chosen[whole], np.ascontiguousarray(X[whole])
        present, y = np.unique(codes.ravel()[chosen], return_inverse=True)
        if present.size < 2:
            raise ValueError(
                "Labelled pixels of one class were found; a forest needs two. Label pixels of "
                "another class, where values were measured."
            )
        names = [f"{v:.10g}" for v in self.axis.values] if self.axis is not None else []
        notes = list(self.notes)
        if whole.size < found:
            notes.append(f"{whole.size} of {found} labelled pixels are used.")
        if not whole.all():
            notes.append(f"{int((~whole).sum())} labelled pixels without a value were left out.")
        lines, samples = np.divmod(chosen, self.samples)
        return Dataset(
            name=self.name,
            X=X,
            y=y.reshape(-1).astype(np.intp),
            class_names=tuple(class_names[k] for k in present),
            feature_names=tuple(names) if len(set(names)) == len(names) else (),
            axis=self.axis,
            groups=None if groups is None else np.asarray(groups).ravel()[chosen],
            sample_names=tuple(f"{r + 1}, {c + 1}" for r, c in zip(lines, samples, strict=True)),
            notes=tuple(notes),
        )

    def _cleaned(self, part: NDArray[Any]) -> NDArray[np.float64]:
        out = np.array(part, np.float64, order="C")
        if self.ignore is not None:
            out[out == self.ignore] = np.nan
        return out


def regions(labels: ArrayLike) -> NDArray[np.intp]:
    """A number for every patch of touching pixels of one class, 0 where there is no label.

    labels: whole numbers [lines, samples], below 0 without a label. Pixels of one patch are alike:
    as groups of `Cube.labelled` they are kept together in bags and folds.
    """
    from scipy.ndimage import label

    codes = np.asarray(labels)
    out = np.zeros(codes.shape, np.intp)
    for k in np.unique(codes[codes >= 0]):
        patches, _ = label(codes == k, np.ones((3, 3)))
        out += np.where(patches > 0, patches + out.max(), 0)
    return out


def _spread(codes: NDArray[Any], chosen: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """Of the chosen pixels so many, at equal distances within each class; at least one of each."""
    kept = []
    for k in np.unique(codes[chosen]):
        own = chosen[codes[chosen] == k]
        count = max(1, int(most * own.size / chosen.size))
        kept.append(own[np.linspace(0, own.size - 1, count).round().astype(np.intp)])
    return np.unique(np.concatenate(kept))
