"""Owns the sidebar: which data and what is done to them; below them the models."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

import panel as pn

from explorer.app.box import Box, more_knobs
from explorer.app.model_box import ModelBox
from explorer.app.own_box import OwnBox
from explorer.app.plane_box import PlaneBox
from explorer.app.state import (
    OWN,
    PAINT,
)
from explorer.app.transform_box import TransformBox
from explorer.app.widgets import Style, button, icon, plain, text
from explorer.data import catalogue, load
from explorer.data.entry import SIGMA
from explorer.views.theme import class_colour
from explorer.views.thumbnail import thumbnail

if TYPE_CHECKING:
    from explorer.app.session import Session

FIRST_KNOBS = ("n", "p", "k", "noise", "separation", "effect", "offset", "gap", "width", "cells")
SHORT = {"clouds": "Clouds", "pair": "Pair", "mixture": "Mixture", "checkerboard": "Checks"}
WORDS = {
    "n": "Samples, n",
    "p": "Features, p",
    "k": "Classes, K",
    "n_centres": "Centres per class",
    "p_star": "Features that count, p*",
    "sd": f"Spread, {SIGMA}",
}


@cache
def thumbnails() -> dict[str, str]:
    """Pictures of the 2-D data sets, drawn once per process."""
    flat = [name for name, entry in catalogue().items() if entry.group == "2-D"]
    out = {}
    for name in flat:
        data = load(name, n=90)
        out[name] = thumbnail(data.X, data.y)
    return out


class Sidebar(Box):
    """Widgets for data and models; it changes the state and asks the session to follow."""

    def __init__(self, session: Session, style: Style) -> None:
        super().__init__(session, style)
        self.more_data = False
        self._tiles: dict[str, Any] = {}
        self.own = OwnBox(session, style)
        self._source = ""
        self.data_box = self._column()
        self.knob_box = self._column()
        self.legend = text(style, sizing_mode="stretch_width", margin=(2, 0, 8, 0))
        self.plane = PlaneBox(session, style)
        self.transforms = TransformBox(session, style)
        self.models = ModelBox(session, style)
        self.view = pn.Column(
            self.data_box,
            self.own.view,
            self.knob_box,
            self.plane.view,
            self.legend,
            self.transforms.view,
            self.models.view,
            margin=0,
            sizing_mode="stretch_width",
        )
        self._build_data()
        self.rebuild()

    # ---- data

    def _build_data(self) -> None:
        tiles = []
        for name, picture in thumbnails().items():
            label = SHORT.get(name, catalogue()[name].title)
            tile = button(
                self.style,
                label,
                icon=picture,
                icon_size="43px",
                css_classes=["tile"],
                sizing_mode="stretch_width",
                margin=(0, 2, 4, 2),
                height=64,
            )
            tile.on_click(partial(self._tile_clicked, name))
            self._tiles[name] = tile
            tiles.append(tile)
        rows = [
            pn.Row(*tiles[i : i + 4], margin=(0, -2), sizing_mode="stretch_width")
            for i in range(0, len(tiles), 4)
        ]
        groups: dict[str, dict[str, str]] = {"choose": {"More data sets": ""}}
        for name, entry in catalogue().items():
            if entry.group != "2-D":
                groups.setdefault(entry.group, {})[entry.title] = name
        self.others = pn.widgets.Select(
            tags=["label:More data sets"],
            groups=groups,
            value="",
            stylesheets=[self.style.field],
            margin=(4, 0, 8, 0),
            sizing_mode="stretch_width",
        )
        self.others.param.watch(self._other_chosen, "value")
        self.own_file = pn.widgets.Toggle(
            label="Own file",
            value=False,
            tags=["tip:Data of your own, from a file."],
            stylesheets=[self.style.button],
            margin=(4, 0, 8, 6),
            width=84,
        )
        self.own_file.param.watch(lambda event: self._own_clicked(event.new), "value")
        self.data_box[:] = [
            self._heading("Data"),
            *rows,
            self._row(self.others, self.own_file),
        ]

    def show_own(self, seen: bool) -> None:
        """Open or fold the part for one's own file."""
        if self.own_file.value != seen:
            self.own_file.value = seen
        self.own.show(seen)

    def _own_clicked(self, seen: bool) -> None:
        self.own.show(seen)
        data = self.state.data
        if seen and data.upload is not None and data.source != OWN:
            self.session.choose_data(OWN)

    def _tile_clicked(self, name: str, event: Any) -> None:
        self.session.choose_data(name)

    def _other_chosen(self, event: Any) -> None:
        if event.new and event.new != self.state.data.source:
            self.session.choose_data(event.new)

    def rebuild(self) -> None:
        """Follow the state: another data set, transform or set of models."""
        source = self.state.data.source
        for name, tile in self._tiles.items():
            wanted = ["tile", "on"] if name == source else ["tile"]
            if tile.css_classes != wanted:
                tile.css_classes = wanted
        listed = source not in (PAINT, OWN) and source not in self._tiles
        if source != self._source:  # other data: the part for files opens or folds with them
            self._source = source
            self.show_own(source == OWN)
        self.others.value = source if listed else ""
        self._build_knobs()
        self.plane.build()
        self.transforms.build()
        self.build_models()

    def _build_knobs(self) -> None:
        data = self.state.data
        if data.source == PAINT:
            hint = text(self.style, '<p class="hint">Painted points, up to 500.</p>')
            self.knob_box[:] = [hint]
            return
        if data.source == OWN:
            self.knob_box[:] = []
            return
        entry = catalogue()[data.source]
        lead = self.session.lead_knob()
        names = [k for k in entry.knobs if k not in (lead, "seed")]
        first = [k for k in FIRST_KNOBS if k in names][:2] or names[:2]
        rest = [k for k in names if k not in first]
        shown = first + (rest if self.more_data else [])
        children: list[Any] = []
        for name in shown:
            knob = entry.knobs[name]
            children.append(
                self._knob(
                    WORDS.get(name, name.replace("_", " ").capitalize()),
                    knob,
                    data.knob(name),
                    partial(self.session.turn_data, name),
                )
            )
        row: list[Any] = []
        if "seed" in entry.knobs:
            again = button(self.style, "Draw again", icon=icon("dice", 16), icon_size="16px")
            again.on_click(lambda event: self.session.draw_again())
            row.append(again)
        if rest:
            label = "Fewer knobs" if self.more_data else more_knobs(len(rest))
            more = button(self.style, label, css_classes=["quiet"])
            more.on_click(self._toggle_more)
            row.append(more)
        children.append(self._row(*row, margin=(0, 0, 6, 0)))
        self.knob_box[:] = children

    def _toggle_more(self, event: Any) -> None:
        self.more_data = not self.more_data
        self._build_knobs()

    def build_models(self) -> None:
        """Follow the models of the state."""
        self.models.build()

    def show_legend(self, names: tuple[str, ...], counts: Any) -> None:
        """Which colour and marker is which class."""
        parts = []
        for k, name in enumerate(names[:12]):
            if counts[k]:
                parts.append(f"<span>{marker_svg(k)}{plain(name[:24])}</span>")
        more = f"<span>and {len(names) - 12} more</span>" if len(names) > 12 else ""
        html = f'<div class="legend">{"".join(parts)}{more}</div>'
        if self.legend.object != html:
            self.legend.object = html


_SHAPES = {
    "circle": '<circle cx="7" cy="7" r="4.5"/>',
    "triangle": '<path d="M7 2 12 11.5H2z"/>',
    "square": '<path d="M3 3h8v8H3z"/>',
    "diamond": '<path d="M7 1.5 11.5 7 7 12.5 2.5 7z"/>',
    "inverted_triangle": '<path d="M7 12 2 2.5h10z"/>',
    "hex": '<path d="M7 2l4.5 2.5v5L7 12l-4.5-2.5v-5z"/>',
    "star": '<path d="M7 1.5l1.6 3.7 4 .3-3 2.7.9 4L7 10l-3.5 2.2.9-4-3-2.7 4-.3z"/>',
    "plus": '<path d="M5.2 2h3.6v3.2H12v3.6H8.8v3.2H5.2V8.8H2V5.2h3.2z"/>',
    "square_pin": '<path d="M1.5 1.5Q7 5 12.5 1.5 9 7 12.5 12.5 7 9 1.5 12.5 5 7 1.5 1.5z"/>',
    "triangle_pin": '<path d="M7 1.5Q8 7.5 12.5 11.5 7 9.5 1.5 11.5 6 7.5 7 1.5z"/>',
}


def marker_svg(k: int) -> str:
    """A class's marker in its colour."""
    look = class_colour(k)
    return (
        '<svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true" '
        f'fill="{look.base}" stroke="var(--ink)" stroke-width="1">{_SHAPES[look.marker]}</svg>'
    )
