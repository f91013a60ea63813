"""The map of the true posterior: coarse at once, then fine, cached for all sessions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from explorer.analysis import true_posterior
from explorer.analysis.planes import LabelledPlane
from explorer.app.work.map_job import MapJob
from explorer.app.work.progressive import banded, coarse
from explorer.app.work.requests import Pictures


def true_maps(ask: MapJob) -> Iterator[Pictures | None]:
    """Pictures with the truth on their window; a second session of one recipe pays nothing."""
    width, height = ask.request.pixels

    def draw(plane: LabelledPlane, w: int, h: int) -> Any:
        return true_posterior(ask.source.data, plane, w, h, boundary=False).posterior

    ask.truth = coarse(draw, ask.plane, width, height)
    yield ask.pictures()
    for found in banded(draw, ask.plane, width, height):
        if found is None:
            yield None
        else:
            ask.truth = found
            ask.cache.put(ask.truth_key(), found, found.nbytes)
    yield ask.pictures()
