"""Owns the frame around one picture of a page: a head, the picture, words beside it, its files."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import panel as pn
from bokeh.models import Tooltip

from explorer.app.state import LETTERS
from explorer.app.widgets import Style, button, plain, text

_SAVE = """
const view = Bokeh.index.find_one(figure)
if (view == null) return
view.export("png", true).to_blob().then((blob) => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name + ".png"
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
})
"""


class Picture:
    """A card with a figure, or with HTML of our own where the picture is a table."""

    def __init__(
        self,
        style: Style,
        title: str,
        name: str,
        figure: Any = None,
        csv: Callable[[], str] | None = None,
        extra: tuple[Any, ...] = (),
        classes: tuple[str, ...] = (),
        buttons: tuple[Any, ...] = (),
        top: tuple[Any, ...] = (),
        lines: int = 2,
        png: bool = True,
    ) -> None:
        self.words = text(
            style, css_classes=["foot"], sizing_mode="stretch_width", min_height=17 * lines + 4
        )
        self.head = text(style, _head(title), height=36, sizing_mode="stretch_width")
        files: list[Any] = []
        if figure is not None and png:
            save = button(style, "PNG", css_classes=["quiet"], align="center")
            save.js_on_click(args={"figure": figure, "name": name}, code=_SAVE)
            files.append(save)
        if csv is not None:
            files.append(_download(style, name, csv))
        body: Any = text(style, sizing_mode="stretch_width")
        if figure is not None:
            body = pn.pane.Bokeh(
                figure, sizing_mode="stretch_both", margin=0, stylesheets=[style.panes]
            )
        self.body = body
        self.view = pn.Column(
            pn.Row(
                self.head,
                *buttons,
                *files,
                css_classes=["head"],
                stylesheets=[style.panes],
                margin=0,
                sizing_mode="stretch_width",
                height=36,
            ),
            *top,
            body,
            *extra,
            self.words,
            css_classes=["card", "picture", *classes],
            stylesheets=[style.panes],
            margin=0,
            sizing_mode="stretch_both",
        )

    def title(self, title: str, quiet: str = "") -> None:
        _set(self.head, _head(title, quiet))

    def say(self, sentence: str, symbol: str = "") -> None:
        """Words under the picture; plain text, the paper's symbol last."""
        end = f" <i>{plain(symbol)}</i>" if symbol else ""
        _set(self.words, f'<p class="note">{plain(sentence)}{end}</p>')

    def fault(self, sentence: str) -> None:
        _set(self.words, f'<p class="note fault">{plain(sentence)}</p>')


def _set(pane: pn.pane.HTML, html: str) -> None:
    if pane.object != html:
        pane.object = html


def _head(title: str, quiet: str = "") -> str:
    small = f"<small>{plain(quiet)}</small>" if quiet else ""
    return f'<div class="name"><b>{plain(title)}</b>{small}</div>'


def _download(style: Style, name: str, csv: Callable[[], str]) -> pn.widgets.FileDownload:
    def make() -> io.BytesIO:
        return io.BytesIO(csv().encode())

    return pn.widgets.FileDownload(
        callback=make,
        filename=f"{name}.csv",
        label="CSV",
        icon=None,
        css_classes=["quiet"],
        stylesheets=[style.button],
        margin=0,
        align="center",
        width=46,
        height=30,
    )


def table(record: Any) -> str:
    """The numbers of a record as CSV text; a sentence where there is none yet."""
    if record is None:
        return "There is no picture yet.\n"
    frame = record if hasattr(record, "to_csv") else record.to_frame()
    return str(frame.to_csv(index=False))


def tip(words: str, position: str = "bottom") -> Tooltip:
    """A tooltip of one sentence of our own; at the right edge of the page it opens to the left."""
    return Tooltip(content=plain(words), position=position)


def hint(words: str, position: str = "bottom") -> pn.widgets.TooltipIcon:
    """A question mark that says one sentence; for widgets that have no tooltip of their own."""
    return pn.widgets.TooltipIcon(value=tip(words, position), margin=(0, 10, 0, 2), align="center")


def forest_options(models: Any) -> dict[str, int]:
    """Letters and families for a row of buttons; letters alone where there are many."""
    few = len(models) < 4
    return {f"{LETTERS[i]} {m.family}" if few else LETTERS[i]: i for i, m in enumerate(models)}


def sentence_of(error: BaseException) -> str:
    """What to say about work that failed."""
    if isinstance(error, ValueError):
        return str(error)
    return "This could not be computed; the last picture is kept. Try another setting."
