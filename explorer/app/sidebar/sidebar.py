"""The sidebar: data and transforms; below them the models."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import panel as pn

from explorer.app.session.events import (
    DataChanged,
    Failed,
    FeaturesChanged,
    ForestsGrown,
    GestureEnded,
    MapsDrawn,
)
from explorer.app.session.session import Session
from explorer.app.sidebar.chain_section import ChainBox
from explorer.app.sidebar.models_section import ModelBox
from explorer.app.sidebar.plane_section import PlaneBox
from explorer.app.sidebar.section import Box, more_knobs
from explorer.app.sidebar.transform_section import TransformBox
from explorer.app.sidebar.upload_section import OwnBox
from explorer.app.state.visitor import (
    OWN,
    PAINT,
)
from explorer.app.widgets import Choice, Style, button, icon, plain, text
from explorer.data import Dataset, catalogue, load
from explorer.data.entry import SIGMA
from explorer.views.marker_svg import marker_svg
from explorer.views.thumbnail import thumbnail

FIRST_KNOBS = ("n", "p", "k", "noise", "separation", "effect", "offset", "gap", "width", "cells")
MOST_TILES, LONGEST_LABEL = 8, 9  # two rows of four
SHORT = {"clouds": "Clouds", "pair": "Pair", "mixture": "Mixture", "checkerboard": "Checks"}
WORDS = {
    "n": "Samples, n",
    "p": "Features, p",
    "k": "Classes, K",
    "n_centres": "Centres per class",
    "p_star": "Informative features, p*",
    "sd": f"Spread, {SIGMA}",
}


def _label(name: str) -> str:
    return SHORT.get(name, catalogue()[name].title)


@cache
def thumbnails() -> dict[str, str]:
    """Pictures of 2-D data sets, drawn once per process; those that have no room are listed.

    A title of several words needs a short name in SHORT to be read on a tile.
    """
    flat = [name for name, entry in catalogue().items() if entry.group == "2-D"]
    fits = [name for name in flat if len(_label(name)) <= LONGEST_LABEL]
    out = {}
    for name in fits[:MOST_TILES]:
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
        self._lead = ""  # the knob of these data that the lead slider has
        self._knobs_due = False
        self.data_box = self._column()
        self.knob_box = self._column()
        self.legend = text(style, sizing_mode="stretch_width", margin=(2, 0, 8, 0))
        self.plane = PlaneBox(session, style)
        self.transforms = TransformBox(session, style)
        self.chain = ChainBox(session, style)
        self.models = ModelBox(session, style)
        self.view = pn.Column(
            self.data_box,
            self.own.view,
            self.knob_box,
            self.plane.view,
            self.legend,
            self.chain.view,
            self.transforms.view,
            self.models.view,
            margin=0,
            sizing_mode="stretch_width",
        )
        self._build_data()
        self.rebuild()
        session.subscribe(DataChanged, lambda event: self.rebuild())
        session.subscribe(FeaturesChanged, lambda event: self.follow_features())
        session.subscribe(GestureEnded, lambda event: self._gesture_ended())
        session.subscribe(Failed, lambda event: self._failed())
        session.subscribe(MapsDrawn, lambda e: self._data_came(e.maps.source.data, e.moved))
        session.subscribe(ForestsGrown, lambda e: self._data_came(e.forests.source.data, e.moved))

    # ---- data

    def _build_data(self) -> None:
        tiles = []
        for name, picture in thumbnails().items():
            tile = button(
                self.style,
                _label(name),
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
            if name not in self._tiles:
                groups.setdefault(entry.group, {})[entry.title] = name
        self.others = Choice(
            tags=["label:More data sets"],
            groups=groups,
            value="",
            stylesheets=[self.style.field],
            margin=(4, 0, 8, 0),
            sizing_mode="stretch_width",
        )
        self.others.param.watch(self._other_chosen, "value")
        self.data_box[:] = [
            self._heading("Data"),
            *rows,
            self._row(self.others, self.own.toggle),
        ]

    def _tile_clicked(self, name: str, event: Any) -> None:
        self.session.data.choose(name)

    def _other_chosen(self, event: Any) -> None:
        if event.new and event.new != self.state.data.shown:
            self.session.data.choose(event.new)

    def rebuild(self) -> None:
        """Follow the state: another data set, transform or set of models."""
        source = self.state.data.shown
        for name, tile in self._tiles.items():
            wanted = ["tile", "on"] if name == source else ["tile"]
            if tile.css_classes != wanted:
                tile.css_classes = wanted
        listed = source not in (PAINT, OWN) and source not in self._tiles
        if source != self._source:  # other data: the part for files opens or folds with them
            self._source = source
            self.own.unfold(source == OWN)
        self.others.value = source if listed else ""
        self._build_knobs()
        self.plane.build()
        self.chain.build()
        self.transforms.build()
        self.models.build()

    def _build_knobs(self) -> None:
        self._knobs_due = False
        data = self.state.data
        if data.shown == PAINT:
            words = "Painted points, up to 500."
            if data.painting:
                words += " Data chosen above are copied onto the canvas."
            hint = text(self.style, f'<p class="hint">{words}</p>')
            self.knob_box[:] = [hint]
            return
        if data.source == OWN:
            self.knob_box[:] = []
            return
        entry = catalogue()[data.source]
        lead = self._lead = self.session.maps.lead_knob()
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
                    partial(self.session.data.turn, name),
                )
            )
        row: list[Any] = []
        if "seed" in entry.knobs:
            again = button(self.style, "Draw again", icon=icon("dice", 16), icon_size="16px")
            again.on_click(lambda event: self.session.data.draw_again())
            row.append(again)
        if rest:
            label = "Fewer knobs" if self.more_data else more_knobs(len(rest))
            more = button(self.style, label, css_classes=["quiet"])
            more.on_click(self._toggle_more)
            row.append(more)
        children.append(self._row(*row, margin=(0, 0, 6, 0)))
        self.knob_box[:] = children

    def follow_features(self) -> None:
        """Another number of features: what depends on it is built again.

        The knobs of the data stay: one of them may be under the pointer, and the end of its drag
        must come. They are built again then, if the lead slider has taken one of them.
        """
        self.plane.build()
        self.models.build()
        self._knobs_due = self._lead != self.session.maps.lead_knob()

    def _gesture_ended(self) -> None:
        if self._knobs_due:
            self._build_knobs()

    def _toggle_more(self, event: Any) -> None:
        self.more_data = not self.more_data
        self._build_knobs()

    def _failed(self) -> None:
        """A painting without a forest has no classes to name yet."""
        if self.state.data.shown == PAINT:
            self.show_legend((), ())

    def _data_came(self, data: Dataset, moved: bool) -> None:
        if moved:
            self.show_legend(data.class_names, data.class_counts)

    def close(self) -> None:
        """The session ends, and what it held of a file with it."""
        self.own.close()

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
