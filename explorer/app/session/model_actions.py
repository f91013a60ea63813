"""Actions on the models of a session; each asks for new maps."""

from __future__ import annotations

from typing import Any

from explorer.app.session.events import ModelsChanged, ModelTurned
from explorer.app.session.gestures import Gestures
from explorer.app.session.maps import Maps

OFFERED_NEXT = ("F-RC", "oRF-rnd", "RF-ODT", "oRF-lda", "RR-RF")  # the first that is not there yet


class ModelActions:
    """Other models, other knobs of them, more or fewer trees shown."""

    def __init__(self, maps: Maps, gestures: Gestures) -> None:
        self.state, self.events = maps.state, maps.events
        self.maps, self.gestures = maps, gestures

    def turn(self, place: int, name: str, value: Any) -> None:
        """Turn a knob of one model, and of all that are linked with it."""
        self.state.models.turn_knob(place, name, value)
        self.events.announce(ModelTurned(place, name))
        self.maps.refresh()

    def choose_family(self, place: int, family: str) -> None:
        self.gestures.guarded(lambda: self.state.models.models[place].choose(family))
        self._changed()

    def link(self, linked: bool) -> None:
        """Turn knobs of all models together, or each by itself."""
        self.gestures.guarded(lambda: self.state.models.param.update(linked=bool(linked)))
        self.gestures.commit()

    def add(self) -> None:
        """One more forest, of a family that is not there yet."""
        used = {m.family for m in self.state.models.models}
        fresh = [family for family in OFFERED_NEXT if family not in used]
        self.gestures.guarded(self.state.models.add, fresh[0] if fresh else OFFERED_NEXT[0])
        self._changed()

    def duplicate(self, place: int) -> None:
        model = self.state.models.models[place]
        self.gestures.guarded(self.state.models.add, model.family, model.knobs)
        self._changed()

    def remove(self, place: int) -> None:
        self.gestures.guarded(self.state.models.remove, place)
        self._changed()

    def _changed(self) -> None:
        self.events.announce(ModelsChanged())
        self.maps.refresh()
        self.gestures.commit()

    def show_trees(self, trees: int) -> None:
        """Show the first trees, up to a number; all of them at the slider's end."""
        self.state.view.trees = 0 if trees >= self.state.models.most_trees() else max(1, trees)
        self.maps.refresh()
