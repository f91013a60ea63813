"""Explains one sample by the forests of a comparison: votes first, then what each feature adds."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from explorer.analysis import Attribution, Explanation, attribution, explain
from explorer.app.work.cache import Cache
from explorer.app.work.grow_work import Forests, GrowRequest, forests
from explorer.app.work.requests import Source
from explorer.app.work.scheduler import Rest
from explorer.engine import ForestSpec

Subject = int | tuple[float, ...]


@dataclass(frozen=True)
class WhyRequest:
    """One sample, by its row or by its values, and the models that are to explain it."""

    grow: GrowRequest
    sample: Subject
    target: float


@dataclass(frozen=True)
class Why:
    """What each forest says of a sample, by the places of the models; None where there is none."""

    request: WhyRequest
    source: Source
    explained: tuple[Explanation | None, ...]
    shared: tuple[Attribution | None, ...]


def why(request: WhyRequest, cache: Cache, cancel: threading.Event) -> Iterator[Why | Rest | None]:
    """Votes of all forests, then the attributions one after the other."""
    if not any(isinstance(spec, ForestSpec) for spec in request.grow.specs):
        raise ValueError("No model here has trees that vote. Choose a forest.")
    grown: Forests | None = None
    for made in forests(request.grow, cache, cancel):
        if isinstance(made, Forests):
            grown = made
        yield None if isinstance(made, Forests) else made
    if grown is None or not grown.finished:
        return
    data = grown.source.data
    sample: Any = request.sample if isinstance(request.sample, int) else np.array(request.sample)
    if isinstance(sample, int) and not 0 <= sample < data.n_samples:
        raise ValueError(f"There is no sample {sample + 1}; the data have {data.n_samples}.")
    models = [
        one.forest.take(min(spec.n_tree, one.forest.n_tree))
        if one is not None and isinstance(spec, ForestSpec)
        else None
        for one, spec in zip(grown.grown, request.grow.specs, strict=True)
    ]
    explained = tuple(None if m is None else explain(m, data, sample, threads=1) for m in models)
    shared: list[Attribution | None] = [None] * len(models)
    found = Why(request, grown.source, explained, tuple(shared))
    yield found
    for i, model in enumerate(models):
        if model is not None:
            shared[i] = attribution(
                model, data, sample, target=request.target, threads=1, cancel=cancel
            )
            yield replace(found, shared=tuple(shared))
