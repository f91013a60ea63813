"""Runs slow changes to a live page in a thread, with its document locked.

Opening a page of the app makes hundreds of Bokeh models: half a second, in which the sliders of
all others would stand still. Its own visitor waits for it anyway.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import panel as pn
from bokeh.document import Document
from panel.io.state import set_curdoc

from explorer.app.gil_yield import giving_way

T = TypeVar("T")
_NAME = "asides"
_thread = ThreadPoolExecutor(1, _NAME)  # Python runs one at a time anyway


def here() -> bool:
    """Whether this is the thread beside the loop."""
    return threading.current_thread().name.startswith(_NAME)


async def beside(document: Document, act: Callable[[], T]) -> T:
    """Await it from a callback of the document: Bokeh keeps the lock until it is done."""
    return await asyncio.get_running_loop().run_in_executor(_thread, _do, document, act)


def _do(document: Document, act: Callable[[], T]) -> T:
    # Panel delays what does not come from the document's own thread: for now that is this one
    usual = pn.state._thread_id_.get(document)
    pn.state._thread_id_[document] = threading.get_ident()
    try:
        with set_curdoc(document), giving_way():
            return act()
    finally:
        if usual is not None:
            pn.state._thread_id_[document] = usual
