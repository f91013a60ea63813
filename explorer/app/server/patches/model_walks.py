"""Lets Bokeh collect the models of a page once after many changes, and only if needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bokeh.document import Document


@contextmanager
def one_walk(document: Document | None) -> Iterator[None]:
    """Let Bokeh look for a page's models once after many changes, and only if it must.

    Any change of a property that may hold models has it walk through all of them, some 20 ms, and
    a picture is dozens of such changes. Models that are taken out and put back meanwhile stay the
    same to both sides. (Bokeh's own freeze walks at its end even if nothing asked for it.)
    """
    if document is None or "invalidate" in vars(document.models):
        yield
        return
    models: Any = document.models
    asked: list[bool] = []
    models.invalidate = lambda: asked.append(True)
    try:
        yield
    finally:
        del models.invalidate
        if asked:
            models.invalidate()
