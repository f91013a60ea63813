"""What a session announces, as typed events, and who is told of them.

An event says what has happened. Whoever shows it subscribes; nobody assigns a callback into the
session. Events are announced on the thread that holds the page's document.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from explorer.app.state.bundle import Bundle
from explorer.app.work.folder_work import FolderLook
from explorer.app.work.grow_work import Forests
from explorer.app.work.requests import Pictures

E = TypeVar("E")


@dataclass(frozen=True)
class MapsDrawn:
    """Maps of the state as it is, or of a moment before. moved: other data or another plane."""

    maps: Pictures
    moved: bool


@dataclass(frozen=True)
class ForestsGrown:
    """Forests of the state, on a page without maps, so far. moved: of other data than before."""

    forests: Forests
    moved: bool


@dataclass(frozen=True)
class BayesTraced:
    """A Bayes boundary that takes long, for the maps that are shown: its lines, or None."""

    lines: Any


@dataclass(frozen=True)
class Failed:
    """What was asked for cannot be. nothing_yet: points are still to be painted."""

    sentence: str
    nothing_yet: bool = False


@dataclass(frozen=True)
class ModelWaits:
    """The model at a place is compiled or fitted first; a sentence about it."""

    place: int
    sentence: str


@dataclass(frozen=True)
class MapsOld:
    """Maps of other data are late: those that are still shown are old."""


@dataclass(frozen=True)
class Noted:
    """A sentence for the visitor that goes away by itself."""

    sentence: str


@dataclass(frozen=True)
class ReadOut:
    """A sentence for screen readers."""

    sentence: str


@dataclass(frozen=True)
class LinkChanged:
    """The address of the page should show this query now."""

    query: str


@dataclass(frozen=True)
class GestureEnded:
    """A slider was released, a button pressed: what depends on it may be built again."""


@dataclass(frozen=True)
class DataChanged:
    """Other data, or another transform: everything that names them is built again."""


@dataclass(frozen=True)
class FeaturesChanged:
    """A knob changed how many features there are, perhaps in the middle of a drag."""


@dataclass(frozen=True)
class LeadChanged:
    """Another knob leads, or its value changed elsewhere."""


@dataclass(frozen=True)
class TransformChanged:
    """Another transform of the same data; its controls are built again."""


@dataclass(frozen=True)
class ModelsChanged:
    """A model came, went or took another family."""


@dataclass(frozen=True)
class ModelTurned:
    """A knob of one model, or of all linked with it, was turned."""

    place: int
    knob: str


@dataclass(frozen=True)
class PlaneChanged:
    """Another plane was chosen elsewhere than in its own list."""


@dataclass(frozen=True)
class TourMoved:
    """A tour arrived or can go no further."""


@dataclass(frozen=True)
class WhyAsked:
    """Another sample is to be explained, or none any more."""


@dataclass(frozen=True)
class UnknownAsked:
    """The sample of a row of the Unknowns page is to be explained."""

    row: int


@dataclass(frozen=True)
class ViewMoved:
    """Window or size of the maps changed: they are to be drawn again."""


@dataclass(frozen=True)
class MapEnlarged:
    """On a phone one map takes the whole width, or none does."""


@dataclass(frozen=True)
class PageOpened:
    """Another tab."""

    page: str


@dataclass(frozen=True)
class Restored:
    """The whole state was replaced: every widget is brought to it."""


@dataclass(frozen=True)
class Restyled:
    """Theme, softness, layers or present mode changed."""


@dataclass(frozen=True)
class Covered:
    """Cards whose result is to be predicted before it is shown."""

    cards: frozenset[int]


@dataclass(frozen=True)
class SamplesSelected:
    """Other samples are selected, or the same ones moved: their rows, ascending."""

    rows: NDArray[np.intp]


@dataclass(frozen=True)
class PaintingChanged:
    """Points were painted, moved or erased, or can be undone no further."""


@dataclass(frozen=True)
class FolderRead:
    """A folder of spectra was read, or its preview is wanted again."""

    look: FolderLook


@dataclass(frozen=True)
class FilesArrived:
    """Files for the open page: what they are called together, and their bytes by name.

    hold: to be called with the bytes of what was read of them; ValueError if there is no room.
    """

    name: str
    bundle: Bundle
    hold: Callable[[int], None] = lambda nbytes: None


class Events:
    """Tells subscribers of events, in the order in which they subscribed."""

    def __init__(self) -> None:
        self._listeners: dict[type, list[Callable[[Any], None]]] = {}

    def subscribe(self, kind: type[E], listen: Callable[[E], None]) -> None:
        """Have ``listen`` called with every event of a kind from now on."""
        self._listeners.setdefault(kind, []).append(listen)

    def announce(self, event: object) -> None:
        """Tell all who subscribed to events of this kind."""
        for listen in tuple(self._listeners.get(type(event), ())):
            listen(event)
