"""The frame around one picture of a page: a head, the picture, text, its downloads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import panel as pn
from bokeh.models.ui.tooltips import Tooltip

from explorer.app.export.download import save_button
from explorer.app.state.visitor import LETTERS
from explorer.app.widgets import Style, plain, symbols, text


class Picture:
    """A card with a figure, or with HTML of our own where the picture is a table.

    lines: of words under it that room is kept for; label: what its menu of files is called, where
    that is not the title.
    """

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
        label: str = "",
    ) -> None:
        under = ["foot"] if figure is None else ["foot", "under"]
        self.words = text(style, css_classes=under, sizing_mode="stretch_width")
        # on a wall there are no words under pictures, and no room is kept for them
        room = f":host {{ min-height: calc(var(--notes-room, 1) * {17 * lines + 4}px); }}"
        self.words.stylesheets = [style.panes, room]
        self.head = text(style, _head(title), height=36, sizing_mode="stretch_width")
        files: list[Any] = []
        if figure is not None or csv is not None:
            files.append(save_button(style, label or title.lower(), name, figure, csv))
        body: Any = text(style, sizing_mode="stretch_width", css_classes=["table"])
        if figure is not None:
            body = pn.pane.Bokeh(
                figure, sizing_mode="stretch_both", margin=0, stylesheets=[style.panes]
            )
        self.body, self.figure = body, figure
        self._title, self._sentence = title, ""
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

    def title(self, title: str, quiet: str = "", keys: str = "") -> None:
        """The head; keys: HTML of our own that says which mark is what."""
        _set(self.head, _head(title, quiet, keys))
        self._title = f"{title}, {quiet}" if quiet else title
        self._describe()

    def _describe(self) -> None:
        """A canvas says nothing to those who do not see it: title and words stand for it."""
        if self.figure is not None:
            words = {"role": "figure", "aria-label": f"{self._title}. {self._sentence}"}
            if self.figure.html_attributes != words:
                self.figure.html_attributes = words

    def say(self, sentence: str, symbol: str = "", kind: str = "note") -> None:
        """Words under the picture; plain text, the paper's symbol last; kind: their CSS class."""
        end = f" <i>{symbols(symbol)}</i>" if symbol else ""
        self.describe(sentence)
        _set(self.words, f'<p class="{kind}">{plain(sentence)}{end}</p>')

    def fill(self, html: str) -> None:
        """A table of our own as the picture; it scrolls, also by keyboard."""
        region = (
            f'<div class="scrolls" tabindex="0" role="region" aria-label="{plain(self._title)}">'
        )
        _set(self.body, f"{region}{html}</div>")

    def describe(self, sentence: str) -> None:
        """Words for those who do not see the picture, where others are beside it already."""
        self._sentence = sentence
        self._describe()

    def fault(self, sentence: str) -> None:
        self.describe(sentence)
        _set(self.words, f'<p class="note fault">{plain(sentence)}</p>')


def _set(pane: pn.pane.HTML, html: str) -> None:
    if pane.object != html:
        pane.object = html


def _head(title: str, quiet: str = "", keys: str = "") -> str:
    small = f"<small>{plain(quiet)}</small>" if quiet else ""
    return f'<div class="name"><b>{plain(title)}</b>{small}{keys}</div>'


def tip(words: str, position: Literal["bottom", "left"] = "bottom") -> Tooltip:
    """A tooltip of one sentence of our own; at the right edge of the page it opens to the left."""
    return Tooltip(content=plain(words), position=position)


def hint(words: str, position: Literal["bottom", "left"] = "bottom") -> pn.widgets.TooltipIcon:
    """A question mark that says one sentence; for widgets that have no tooltip of their own."""
    return pn.widgets.TooltipIcon(value=tip(words, position), margin=(0, 10, 0, 2), align="center")


def forest_options(models: Any, only_forests: bool = False) -> dict[str, int]:
    """Letters and families for a row of buttons; letters alone where there are many."""
    few = len(models) < 4
    return {
        f"{LETTERS[i]} {m.family}" if few else LETTERS[i]: i
        for i, m in enumerate(models)
        if m.has_trees or not only_forests
    }
