"""Owns what can be done to the data and the models of a session; each deed asks for pictures.

Widgets call these methods. The state checks; what it refuses becomes a notice.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from explorer.app.cache import Cache
from explorer.app.cards import Card
from explorer.app.looking import Looking
from explorer.app.mailbox import Mailbox
from explorer.app.own import CACHE_BYTES, Upload
from explorer.app.request import Pictures, load_source
from explorer.app.sidebar import Sidebar
from explorer.app.state import OWN, PAINT
from explorer.data import catalogue

LATE = 500  # ms after which pictures of other data look old


class Deeds(Looking):
    """Other data, other knobs, other models."""

    sidebar: Sidebar
    mailbox: Mailbox
    cards: list[Card]
    lead_changed: Callable[[], None]
    trees_changed: Callable[[], None]
    _common: Cache

    @abstractmethod
    def note(self, sentence: str) -> None:
        """A notice over the page."""

    @abstractmethod
    def _make_cards(self) -> None:
        """As many cards as models."""

    @abstractmethod
    def _write_headline(self) -> None:
        """Say what is looked at."""

    def guarded(self, act: Callable[..., Any], *args: Any) -> None:
        """Do what a client asks; what the state refuses becomes a notice."""
        try:
            act(*args)
        except (ValueError, TypeError, KeyError, IndexError) as error:
            words = (
                str(error) if isinstance(error, ValueError) else "That value cannot be used here."
            )
            self.note(words)

    def lead_knob(self) -> str:
        """The one knob under the lead slider: it turns 2-D data, or stirs what matters most."""
        source = self.state.data.source
        if source == PAINT:
            return ""
        knobs = catalogue()[source].knobs if source != OWN else {}
        if "angle" in knobs:
            return "angle"
        for name in ("offset", "effect", "separation", "noise"):
            if name in knobs and (self.n_features or 2) > 2:
                return name
        if (self.n_features or 2) > 2 and (source == OWN or self.has_axis()):
            return ""
        return "turn" if self.state.data.transform in ("none", "turn") else ""

    # ---- data

    def use_own(self, upload: Upload) -> None:
        """Show a file that was read; it takes the place of an earlier one."""
        self.state.data.upload = upload
        self.cache = self._common  # what was made of an earlier file goes
        self.choose_data(OWN)

    def _choose_cache(self) -> None:
        """What is made of an own file is kept apart, and goes with the session."""
        own = self.state.data.source == OWN
        if own and self.cache is self._common:
            self.cache = Cache(CACHE_BYTES)
        elif not own:
            self.cache = self._common

    def has_axis(self) -> bool:
        """Whether the features are channels of a spectrum before anything is done to them."""
        try:
            return load_source(self.state.data.recipe().plain(), self.cache).data.axis is not None
        except ValueError:
            return False

    def _look_up_features(self) -> None:
        self._choose_cache()
        try:
            source = load_source(self.state.data.recipe(), self.cache)
            self.n_features = source.data.n_features
        except ValueError:
            self.n_features = 2 if self.state.data.source == PAINT else None

    def choose_data(self, name: str) -> None:
        self.guarded(self.state.data.choose, name)
        self._look_at_first()
        self._new_data()

    def choose_band(self, keep: bool, low: float, high: float) -> None:
        """Keep only a band of the spectral axis, or leave it out; everything is grown again."""
        self.state.data.add_band(keep, low, high)
        self._look_at_first()
        self._new_data()

    def undo_band(self) -> None:
        """Take back the last band."""
        self.state.data.bands = self.state.data.bands[:-1]
        self._look_at_first()
        self._new_data()

    def _look_at_first(self) -> None:
        """The first plane of other data: of spectra two principal components, as two channels of
        hundreds tell next to nothing."""
        self.state.view.look_at_first()
        self._choose_cache()
        if self.has_axis():
            self.state.view.plane = "components"

    def data_painted(self) -> None:
        """The data are painted points from now on; what is seen stays where it is."""
        self.window = self.window or self.home
        self.n_features = 2
        self.state.view.look_at_first()
        self.aside(self._follow_data)

    def _new_data(self) -> None:
        before = self.latest
        self.window = None
        self._look_up_features()

        def follow() -> None:
            self._follow_data()
            self.mailbox.later(lambda: self._fade(before), LATE)
            self.commit()

        self.aside(follow)

    def _follow_data(self) -> None:
        """Bring the page to other data; the sidebar first: the address says that all is done."""
        self.sidebar.rebuild()
        self.lead_changed()
        self._write_headline()
        self.refresh()

    def _fade(self, before: Pictures | None) -> None:
        """Pictures of other data are late: what is still seen is old, and looks it."""
        if before is not None and self.latest is before:
            for card in self.cards:
                card.wait()

    def turn_data(self, name: str, value: Any) -> None:
        self.state.data.turn_knob(name, value)
        if name in ("p", "k"):
            self._features_may_change()
        self.refresh()

    def turn_lead(self, value: float) -> None:
        """The lead slider moved."""
        lead = self.lead_knob()
        if lead == "turn":
            if self.state.data.transform != "turn":
                self.state.data.param.update(transform="turn", transform_knobs={})
                self.aside(self.sidebar.transforms.build)
            self.turn_transform("angle", value)
        elif lead:
            self.turn_data(lead, value)

    def draw_again(self) -> None:
        self.guarded(self.state.data.turn_knob, "seed", random.randrange(1, 10_000))
        self.refresh()
        self.commit()

    def choose_transform(self, name: str) -> None:
        def act() -> None:
            self.state.data.param.update(transform=name, transform_knobs={})

        self.guarded(act)
        self._new_data()

    def turn_transform(self, name: str, value: Any) -> None:
        self.state.data.turn_transform_knob(name, value)
        if self.state.data.transform == "binning":
            self._features_may_change()
        self.refresh()

    def _features_may_change(self) -> None:
        """Another number of features: the plane starts anew, the sidebar follows."""
        before = self.n_features
        self._look_up_features()
        if before != self.n_features:
            self.state.view.look_at_first()
            self.mailbox.later(lambda: self.aside(self.sidebar.rebuild), 50)
            self.lead_changed()

    # ---- models

    def turn_model(self, index: int, name: str, value: Any) -> None:
        self.state.models.turn_knob(index, name, value)
        if self.state.models.linked:
            self.sidebar.build_models()
        self._models_turned()

    def _models_turned(self) -> None:
        self.trees_changed()
        for card in self.cards:
            card.name(self.state.models.models[card.index], self.n_features)
        self.refresh()

    def choose_family(self, index: int, family: str) -> None:
        self.guarded(lambda: self.state.models.models[index].choose(family))
        self._models_changed()

    def link_models(self, linked: bool) -> None:
        self.guarded(lambda: self.state.models.param.update(linked=bool(linked)))
        self.commit()

    def add_model(self) -> None:
        used = {m.family for m in self.state.models.models}
        fresh = [f for f in ("F-RC", "oRF-rnd", "RF-ODT", "oRF-lda", "RR-RF") if f not in used]
        self.guarded(self.state.models.add, fresh[0] if fresh else "F-RC")
        self._models_changed()

    def duplicate_model(self, index: int) -> None:
        model = self.state.models.models[index]
        self.guarded(self.state.models.add, model.family, model.knobs)
        self._models_changed()

    def remove_model(self, index: int) -> None:
        self.guarded(self.state.models.remove, index)
        self._models_changed()

    def _models_changed(self) -> None:
        self.sidebar.build_models()
        self._make_cards()
        self.trees_changed()
        self.refresh()
        self.commit()

    def show_trees(self, trees: int) -> None:
        """Show the first so many trees; all of them at the slider's end."""
        self.state.view.trees = 0 if trees >= self.state.models.most_trees() else max(1, trees)
        self.refresh()
