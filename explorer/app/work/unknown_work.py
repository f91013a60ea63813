"""Judging spectra measured later by a forest of the page: axis and preparation as in training."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.class_spectra import ClassSpectra, class_spectra
from explorer.analysis.fitted_model import FittedModel
from explorer.analysis.unknown_map import UnknownMap, unknown_map
from explorer.analysis.unknowns import Unknowns
from explorer.app.state.visitor import DataRecipe
from explorer.app.work.cache import Cache
from explorer.app.work.folder_work import LOOKS, in_queue
from explorer.app.work.insight_work import ForestQuestion, forest_of
from explorer.app.work.requests import load_source
from explorer.data.chain import FittedChain
from explorer.data.measured import Grid, MeasuredSpectra, NotRead
from explorer.data.transforms.base import Compose

NEEDS_AXIS = (
    "Unknown samples are spectra here, and these data have no axis. Choose spectra under Data, or "
    "drop a folder of your own on another page."
)


@dataclass(frozen=True, eq=False)
class Judged:
    """What was found of the spectra of some files.

    rows: float64[N, p], the spectra prepared as in training; spectra: those of the training
    samples; places: both in the map of proximities; left_out: files that were not read, spectra
    that do not reach over the axis.
    """

    unknowns: Unknowns
    rows: NDArray[np.float64]
    spectra: ClassSpectra
    places: UnknownMap
    left_out: tuple[NotRead, ...]
    notes: tuple[str, ...]


def judging(
    owner: Hashable,
    measured: MeasuredSpectra,
    recipe: DataRecipe,
    look: ForestQuestion,
    model: int,
    confidence: float,
    cache: Cache,
    cancel: threading.Event,
) -> Iterator[Any]:
    """Rests while it is judged, then `Judged`; ValueError says what cannot be.

    owner: who asks; others take turns with him.
    """
    return in_queue(
        LOOKS,
        owner,
        lambda stopped: judge(measured, recipe, look, model, confidence, cache, cancel),
        [],
    )


def judge(
    measured: MeasuredSpectra,
    recipe: DataRecipe,
    look: ForestQuestion,
    model: int,
    confidence: float,
    cache: Cache,
    cancel: Any = None,
) -> Judged:
    """The spectra, judged by forest ``model`` of the look; recipe: of the training data."""
    plain = load_source(recipe.plain(), cache).data
    training = look.source.data
    if plain.axis is None or training.axis is None:
        raise ValueError(NEEDS_AXIS)
    steps = Compose(recipe.steps()).fitted(plain).steps
    forest = forest_of(look, model, cache, cancel)
    fitted = FittedModel(forest, training, FittedChain(steps, plain.n_features), plain.axis)
    found, left_out, notes = fitted.judge_spectra(
        measured, confidence=confidence, threads=1, cancel=cancel
    )
    values = plain.axis.values
    falls = values.size > 1 and values[0] > values[-1]
    aligned = measured.align(Grid(values[::-1] if falls else values, plain.axis.unit))
    rows = fitted.chain.map(aligned.X[:, ::-1] if falls else aligned.X)
    places = unknown_map(forest, training, rows, threads=1, cancel=cancel)
    return Judged(found, rows, class_spectra(training), places, left_out, notes)
