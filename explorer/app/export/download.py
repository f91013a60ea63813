"""Downloads: the small menu of a picture, and how a file reaches the browser.

Pictures are saved by the browser, which has drawn them; numbers are written here when asked for,
on a thread beside the event loop. A file travels as bytes in a source that is emptied on arrival.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource, CustomJS

from explorer.app.widgets import Style, button, icon, in_browser
from explorer.app.work.fair_queue import FairQueue, Stopped, TooMany
from explorer.data.csv_cells import to_csv
from explorer.sentences import sentence_of

log = logging.getLogger("explorer.saving")
LARGEST = 100_000_000  # bytes of one file; a browser must hold it twice
Make = Callable[[], bytes]
# files of different pages take turns
WRITERS = FairQueue("files", workers=1, most_waiting=8)

_MENU = "window.fx_menu(source, figures, name, title, outbox, kinds)"


class Outbox:
    """Files that Python makes when the browser asks: file name -> what gives its bytes.

    The browser asks with a name in ``tags``; anything else it sends is no name and is ignored.
    failed is called with a sentence when a file cannot be made.
    """

    def __init__(
        self, makers: Mapping[str, Make], failed: Callable[[str], None] = log.warning
    ) -> None:
        self.makers, self.failed = dict(makers), failed
        self.source: Any = ColumnDataSource({"content": np.empty(0, np.uint8)})
        self.source.on_change("tags", self._asked)
        self.source.js_on_change("data", CustomJS(code="window.fx_received(cb_obj)"))

    def _asked(self, attr: str, old: Any, new: Any) -> None:
        name = new[0] if isinstance(new, list) and new else None
        if not isinstance(name, str) or name not in self.makers:
            return
        document = self.source.document
        if document is None or document.session_context is None:
            self._deliver(name, self._make(name))
            return
        try:
            WRITERS.submit(
                document,
                lambda stopped: self._make_and_send(name, document, stopped),
                key=(id(self), name),  # asked for twice while it waits, it is made once
            )
        except TooMany as refusal:
            self.failed(sentence_of(refusal))

    def _make_and_send(self, name: str, document: Any, stopped: Stopped) -> None:
        content = self._make(name)
        if not stopped():
            document.add_next_tick_callback(lambda: self._deliver(name, content))

    def _make(self, name: str) -> bytes | str:
        """The bytes of a file, or a sentence that says why there are none."""
        try:
            content = self.makers[name]()
        except Exception as error:
            return sentence_of(error, "This file could not be made. Try another setting.")
        if len(content) > LARGEST:
            return (
                f"The file would have {len(content) / 1e6:.0f} MB, more than a browser should be "
                "sent. Choose fewer trees, or a smaller picture."
            )
        return content

    def _deliver(self, name: str, content: bytes | str) -> None:
        if isinstance(content, str):
            self.failed(content)
            content = b""
        self.source.name = name
        # empty bytes tell the browser that nothing comes
        self.source.data = {"content": np.frombuffer(content, np.uint8)}


def forget(document: Any) -> None:
    """The visitor of a page has gone: make no more files for it."""
    WRITERS.forget(document)


def save_button(
    style: Style,
    title: str,
    name: str,
    figures: Any = None,
    csv: Callable[[], str] | None = None,
    **options: Any,
) -> pn.widgets.Button:
    """The menu of one picture: PNG, SVG and CSV, whatever there is.

    figures: a Bokeh figure, or several that are one picture, the upper one first. csv: gives
    its numbers as text. name: of the files, without an ending; title: what a screen reader says.
    """
    several = list(figures) if isinstance(figures, (list, tuple)) else [figures]
    drawn = [figure for figure in several if figure is not None]
    for figure in drawn:  # a report calls the picture by this name
        figure.name = figure.name or f"picture {title}"
    kinds = ["png", "svg"] if drawn else []
    makers = {}
    if csv is not None:
        kinds.append("csv")
        makers[f"{name}.csv"] = lambda: csv().encode()
    outbox = Outbox(makers)
    classes = ["quiet", "icon", "save", *options.pop("css_classes", ())]
    options.setdefault("align", "center")
    made = button(
        style,
        icon=icon("save", 18),
        icon_size="18px",
        tags=[f"label:Save {title}"],
        css_classes=classes,
        **options,
    )
    in_browser(
        made,
        _MENU,
        figures=drawn,
        name=name,
        title=f"Save {title}",
        outbox=outbox.source,
        kinds=kinds,
    )
    return made


def table(record: Any) -> str:
    """The numbers of a record as CSV text; a sentence where there is none yet."""
    if record is None:
        return "There is no picture yet.\n"
    frame = record if hasattr(record, "to_csv") else record.to_frame()
    return to_csv(frame)
