"""Importance of bands and of groups of features, and what the error was before bands were hidden.

Like `insight_work`: generators that yield progress while a thread looks. The drops with their
intervals come first; the null distribution, which grows forests on permuted labels, follows.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from explorer.analysis.band_importance import (
    BANDS,
    NULLS,
    BandImportance,
    band_importance,
    correlated_groups,
    equal_bands,
    single_features,
)
from explorer.analysis.class_spectra import ClassSpectra, class_spectra
from explorer.app.state.visitor import DataRecipe
from explorer.app.work.cache import Cache
from explorer.app.work.insight_work import ForestQuestion, ProgressText, Tell, forest_of, kept
from explorer.app.work.requests import load_source
from explorer.data import Dataset

FEATURES, GROUPS = "features", "groups"
MOST_PARTS = 400  # bands, features or groups that are permuted one after another
REPEATS = 10
LARGEST = 4e9  # trees x samples x parts x repeats: refused beyond
TOO_LONG = (
    "Permuting every part of these data in so many trees would take too long. Choose fewer trees, "
    "or groups of features."
)


@dataclass(frozen=True)
class Bands:
    """Which parts are permuted: band is one chosen by hand, beside those of equal width; by:
    FEATURES or GROUPS, for data without an axis."""

    band: tuple[float, float] | None = None
    by: str = FEATURES


@dataclass(frozen=True)
class BandRecords:
    """One record per model, None for one without out-of-bag samples. sure: with a null."""

    models: tuple[BandImportance | None, ...]
    spectra: ClassSpectra | None
    sure: bool

    @property
    def nbytes(self) -> int:
        records = [r for r in (*self.models, self.spectra) if r is not None]
        return sum(r.nbytes for r in records) + 1000


@dataclass(frozen=True)
class WholeErrors:
    """Out-of-bag errors of the forests on the data before bands were hidden; None where unknown."""

    errors: tuple[float | None, ...]
    nbytes: int = 200


def band_records(
    look: ForestQuestion, bands: Bands, cache: Cache, cancel: threading.Event
) -> Iterator[Any]:
    """Steps, then `BandRecords` without a null, then with it."""
    parts = parts_of(look.source.data, bands)
    for sure in (False, True):

        def make(
            look: ForestQuestion,
            cache: Cache,
            cancel: threading.Event,
            tell: Tell,
            sure: bool = sure,
        ) -> BandRecords:
            return _records(look, parts, sure, cache, cancel, tell)

        yield from kept(("bands", bands, sure), look, cache, cancel, make)


def parts_of(data: Dataset, bands: Bands) -> tuple[tuple[str, Any], ...]:
    """The parts that are permuted, each with its name and columns."""
    if data.axis is None:
        parts = correlated_groups(data) if bands.by == GROUPS else single_features(data)
        if len(parts) > MOST_PARTS:
            raise ValueError(
                f"There are {len(parts)} parts to permute; {MOST_PARTS} are the most. Choose "
                "groups of features, or data with fewer."
            )
        return parts
    values = data.axis.values
    parts = tuple(
        (_ends(data, float(values[f].min()), float(values[f].max())), f)
        for _, f in equal_bands(data, min(BANDS, data.n_features))
    )
    if bands.band is not None:
        low, high = bands.band
        inside = np.flatnonzero((values >= low) & (values <= high))
        if inside.size:
            parts = (*parts, (f"{_ends(data, low, high)}, chosen", inside))
    return parts


def _ends(data: Dataset, low: float, high: float) -> str:
    """The ends of a band with the decimals that tell bands apart, and their unit."""
    assert data.axis is not None
    width = (float(data.axis.values.max()) - float(data.axis.values.min())) / BANDS
    decimals = max(0, math.ceil(0.5 - math.log10(width))) if width > 0 else 0
    unit = f" {data.axis.unit}" if data.axis.unit else ""
    return f"{low:.{decimals}f} to {high:.{decimals}f}{unit}"


def _records(
    look: ForestQuestion, parts: Any, sure: bool, cache: Cache, cancel: threading.Event, tell: Tell
) -> BandRecords:
    data = look.source.data
    made: list[BandImportance | None] = []
    for i, spec in enumerate(look.specs):
        if spec.n_tree * data.n_samples * len(parts) * REPEATS > LARGEST:
            raise ValueError(TOO_LONG)
        forest = forest_of(look, i, cache, cancel)
        if not forest.has_oob:
            made.append(None)
            continue
        what = "By chance" if sure else "Permuting"

        def told(done: int, of: int, words: str, i: int = i, what: str = what) -> None:
            tell(f"{what}, forest {i + 1} of {len(look.specs)}: {done} of {of}")

        made.append(
            band_importance(
                forest,
                data,
                parts,
                repeats=REPEATS,
                nulls=NULLS if sure else 0,
                threads=1,
                progress=told,
                cancel=cancel,
            )
        )
    spectra = None if data.axis is None else class_spectra(data)
    return BandRecords(tuple(made), spectra, sure)


def whole_errors(
    recipe: DataRecipe, look: ForestQuestion, cache: Cache, cancel: threading.Event
) -> Iterator[Any]:
    """`WholeErrors` of the same forests with no band hidden."""
    before = replace(recipe, bands=())

    def make(
        look: ForestQuestion, cache: Cache, cancel: threading.Event, tell: Tell
    ) -> WholeErrors:
        whole = replace(look, source=load_source(before, cache))
        forests = [forest_of(whole, i, cache, cancel) for i in range(len(whole.specs))]
        return WholeErrors(tuple(float(f.oob_error[-1]) if f.has_oob else None for f in forests))

    for value in kept(("whole errors", before), look, cache, cancel, make):
        if not isinstance(value, ProgressText):
            yield value
