"""Maps of baselines: fitted after the forests are drawn, never before.

Tuning takes seconds, so it runs in a thread of its own while the scheduler's workers take turns;
what it made is shared by all sessions.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from dataclasses import dataclass
from typing import Any

from explorer.analysis import model_posterior
from explorer.analysis.planes import LabelledPlane
from explorer.app.state.baselines import LARGEST, BaselineSpec
from explorer.app.work import map_record
from explorer.app.work.cache_key import cache_key
from explorer.app.work.map_job import MapJob
from explorer.app.work.progressive import COARSE, banded, coarse
from explorer.app.work.requests import Pictures
from explorer.engine import Cancelled
from explorer.engine.threads import stand_back
from explorer.sentences import sentence_of

LONGEST = 15.0  # seconds a picture may take; one that would take longer stays coarse
TURN = 0.03  # seconds a worker waits for the fitting thread
Tell = Callable[[int, str], None]
NOT_FITTED = "This model could not be fitted to these data. Try another one."
_threads = ThreadPoolExecutor(2, "baseline", initializer=stand_back)


@dataclass(frozen=True)
class Fitted:
    """A fitted baseline and the seconds it took."""

    model: Any
    seconds: float


def fit_baselines(ask: MapJob, cancel: threading.Event, tell: Tell) -> Iterator[Pictures | None]:
    """Every baseline in turn: a coarse picture, a fine one, then its numbers."""
    for i, spec in enumerate(ask.request.specs):
        if isinstance(spec, BaselineSpec):
            try:
                yield from _one(ask, i, spec, cancel, tell)
            except ValueError as error:  # the other models stay
                ask.failed.add(i)
                tell(i, sentence_of(error, NOT_FITTED))
                yield ask.pictures()  # the others are compared without it


def _one(
    ask: MapJob, i: int, spec: BaselineSpec, cancel: threading.Event, tell: Tell
) -> Iterator[Pictures | None]:
    fit_key = cache_key("baseline", ask.source.digest, spec)
    map_key = cache_key("map", fit_key, *ask.place_key())
    held = ask.cache.get(map_key)
    if held is not None:
        ask.records[i] = held
        yield ask.pictures()
        return
    fitted: Fitted | None = ask.cache.get(fit_key)
    while fitted is None:
        if ask.cache.claim(fit_key):
            try:
                for made in _fit(ask, i, spec, cancel, tell):
                    fitted = made
                    yield None
            finally:
                ask.cache.release(fit_key)
            if fitted is None:
                return
            ask.cache.put(fit_key, fitted, 2 * ask.source.data.X.nbytes + 10_000)
        else:
            ask.cache.wait(fit_key, TURN)
            yield None
            fitted = ask.cache.get(fit_key)
    ask.models[i] = fitted.model
    tell(i, f"Drawing {spec.name}.")
    yield from _draw(ask, i, fitted, map_key)


def _fit(
    ask: MapJob, i: int, spec: BaselineSpec, cancel: threading.Event, tell: Tell
) -> Iterator[Fitted | None]:
    """None while it is fitted, then the model."""
    data = ask.source.data
    if data.n_samples > LARGEST[spec.name]:
        raise ValueError(
            f"{spec.name} would take minutes on {data.n_samples} samples. "
            f"Choose at most {LARGEST[spec.name]}, or a forest."
        )
    words = [f"Fitting {spec.name}."]

    def progress(done: int, wanted: int, what: str) -> None:
        words.append(f"Fitting {spec.name}: {what}, {done} of {wanted}.")

    def work() -> Fitted:
        before = time.perf_counter()
        options: dict[str, Any] = {"threads": 1, "progress": progress, "cancel": cancel}
        model = spec.fit(data.X, data.y, groups=data.groups, **options)
        return Fitted(model, time.perf_counter() - before)

    task = _threads.submit(work)
    said = ""
    try:
        while not task.done():
            wait_for([task], TURN)
            if words[-1] != said and not cancel.is_set():
                said = words[-1]
                tell(i, said)
            yield None
        yield _result(task)
    finally:
        task.cancel()


def _result(task: Future[Fitted]) -> Fitted | None:
    try:
        return task.result()
    except (CancelledError, Cancelled):
        return None


def _draw(ask: MapJob, i: int, fitted: Fitted, key: tuple[Any, ...]) -> Iterator[Pictures | None]:
    data, plane, (width, height) = ask.source.data, ask.plane, ask.request.pixels
    chosen = ", ".join(f"{name} {value:.3g}" for name, value in fitted.model.chosen.items())

    def draw(part: LabelledPlane, w: int, h: int) -> Any:
        return model_posterior(fitted.model, data, part, w, h)

    def keep(posterior: Any) -> None:
        ask.records[i] = map_record.draw_baseline(posterior, fitted.seconds, data, plane, chosen)

    before = time.perf_counter()
    keep(coarse(draw, plane, width, height))
    wanted = COARSE**2 * (time.perf_counter() - before)
    yield ask.pictures()
    if wanted > LONGEST:
        chosen = f"{chosen}; in large pixels" if chosen else "in large pixels"
        keep(ask.records[i].posterior)
    else:
        for found in banded(draw, plane, width, height):
            if found is None:
                yield None
            else:
                keep(found)
    record = ask.judged(i)
    ask.records[i] = record
    ask.cache.put(key, record, record.nbytes)
    yield ask.pictures()
