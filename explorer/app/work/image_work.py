"""Reading an image, and predicting all its pixels by a forest of the page: progress and Stop."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.class_spectra import ClassSpectra, class_spectra
from explorer.analysis.fitted_model import FittedModel
from explorer.analysis.image_maps import ClassMap, class_map
from explorer.app.state.bundle import Bundle
from explorer.app.state.visitor import DataRecipe
from explorer.app.work.cache import Cache
from explorer.app.work.fair_queue import Stopped
from explorer.app.work.folder_work import LOOKS, in_queue, reading_spectra
from explorer.app.work.insight_work import ForestQuestion, ProgressText, forest_of
from explorer.app.work.requests import load_source
from explorer.data.chain import FittedChain
from explorer.data.cube import Cube
from explorer.data.measured import MeasuredSpectra
from explorer.data.measured.image_files import image_in, is_labels, labels_in
from explorer.data.measured.images import cube_of
from explorer.data.readers.refused import FileRefused
from explorer.data.transforms.base import Compose

MOST_PIXELS = 1_000_000  # of an image: pictures of it are drawn while others wait
OTHER_BANDS = "These forests were grown on other data than pixels of this image."


@dataclass(frozen=True, eq=False)
class ImageFound:
    """What files gave: an image, or None for labels of the one that is open. labels, names: of
    labelled pixels among the files; None without any."""

    cube: Cube | None
    labels: NDArray[np.intp] | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class ImageMapped:
    """Every pixel, predicted. spectra: of the labelled pixels, as the forest saw them; None where
    the bands have no axis."""

    classes: ClassMap
    model: int
    spectra: ClassSpectra | None
    fitted: FittedModel


def reading_image(
    owner: Hashable, bundle: Bundle, name: str, known: Cube | None, cancel: threading.Event
) -> Iterator[Any]:
    """Progress, then `ImageFound`. known: the image that is open, for which labels may come."""
    labels = {n: c for n, c in bundle.files.items() if is_labels(n, c)}
    others = {n: c for n, c in bundle.files.items() if n not in labels}

    def of_envi(stopped: Stopped) -> ImageFound | None:
        cube = image_in(others)
        if cube is None and labels and known is not None and _only_labels(others, labels):
            return _with_labels(None, known, bundle)
        return None if cube is None else _with_labels(cube, cube, bundle)

    for now in in_queue(LOOKS, owner, of_envi, []):
        if now is not None:
            yield now
        if isinstance(now, ImageFound):
            return
    if not others:
        raise FileRefused(
            "These are labelled pixels, and no image is open. Choose the image first, or both "
            "together."
        )

    def of_spectra(found: MeasuredSpectra) -> ImageFound:
        cube = cube_of(found)
        return _with_labels(cube, cube, bundle)

    yield from reading_spectra(owner, others, name, bundle.unopened, cancel, of_spectra)


def _only_labels(others: dict[str, bytes], labels: dict[str, bytes]) -> bool:
    """Whether what is left are the numbers of a classification."""
    return not others or (len(others) == 1 and any(c[:4] == b"ENVI" for c in labels.values()))


def _with_labels(cube: Cube | None, of: Cube, bundle: Bundle) -> ImageFound:
    if of.n_pixels > MOST_PIXELS:
        raise FileRefused(
            f"This image has {of.lines} lines of {of.samples} samples; up to {MOST_PIXELS} pixels "
            "can be shown. Cut a part out of it, or use forest-explorer image."
        )
    found = labels_in(bundle.files, of)
    return ImageFound(cube) if found is None else ImageFound(cube, *found)


def mapping(
    owner: Hashable,
    cube: Cube,
    recipe: DataRecipe,
    look: ForestQuestion,
    model: int,
    cache: Cache,
    cancel: threading.Event,
) -> Iterator[Any]:
    """Steps of progress, then `ImageMapped`; ValueError says what cannot be.

    owner: who asks; others take turns with him.
    """
    told: list[Any] = [ProgressText("Predicting pixels")]

    def tell(done: int, wanted: int, what: str) -> None:
        told.append(ProgressText(f"{done} of {wanted} lines predicted"))

    def make(stopped: Stopped) -> ImageMapped:
        fitted = fitted_for(recipe, look, model, cache, cancel)
        found = class_map(fitted, cube, threads=1, progress=tell, cancel=cancel)
        data = look.source.data
        spectra = None if data.axis is None else class_spectra(data)
        return ImageMapped(found, model, spectra, fitted)

    return in_queue(LOOKS, owner, make, told)


def fitted_for(
    recipe: DataRecipe, look: ForestQuestion, model: int, cache: Cache, cancel: Any = None
) -> FittedModel:
    """A forest of the page with the preparation of its data, to be used on other pixels."""
    plain = load_source(recipe.plain(), cache).data
    steps = Compose(recipe.steps()).fitted(plain).steps
    forest = forest_of(look, model, cache, cancel)
    return FittedModel(forest, look.source.data, FittedChain(steps, plain.n_features), plain.axis)


def suits(data: Any, cube: Cube) -> bool:
    """Whether pixels of an image can be judged by forests grown on these plain data."""
    if data.n_features != cube.bands or (data.axis is None) != (cube.axis is None):
        return False
    if cube.axis is None:
        return True
    return bool(
        data.axis.unit == cube.axis.unit and np.allclose(data.axis.values, cube.axis.values)
    )
