"""Actions on the data of a session; each asks for new maps.

Widgets call these methods. The state checks; what it refuses becomes a notice.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from explorer.app.session.events import (
    DataChanged,
    FeaturesChanged,
    LeadChanged,
    TransformChanged,
)
from explorer.app.session.gestures import Gestures
from explorer.app.session.maps import Maps
from explorer.app.session.painting import Painting
from explorer.app.state.chain_choice import Steps
from explorer.app.state.uploads import Upload
from explorer.app.state.visitor import OWN

FEATURES_LATE = 50  # ms after which controls follow another number of features


class DataActions:
    """Other data, other knobs of them, another transform or band."""

    def __init__(self, maps: Maps, gestures: Gestures, painting: Painting) -> None:
        self.state, self.events = maps.state, maps.events
        self.maps, self.gestures, self.painting = maps, gestures, painting

    # ---- which data

    def choose(self, name: str) -> None:
        """Another data set; on Paint its points are put on the paper."""
        if self.state.data.painting and self.painting.put(name):
            return
        self.gestures.guarded(self.state.data.choose, name)
        self._look_at_first()
        self._follow()

    def use_own(self, upload: Upload) -> None:
        """Show a file that was read; it takes the place of an earlier one."""
        self.state.data.upload = upload
        self.maps.worker.keep_apart(False)  # what was made of an earlier file goes
        self.choose(OWN)

    def renew_own(self, upload: Upload) -> None:
        """Other samples of the same kind, such as pixels labelled since: what is done to them
        (preparation, bands) stays."""
        self.state.data.upload = upload
        self.maps.worker.keep_apart(False)
        self._look_at_first()
        self._follow()

    def choose_band(self, keep: bool, low: float, high: float) -> None:
        """Keep only a band of the spectral axis, or leave it out; everything is grown again."""
        self.state.data.add_band(keep, low, high)
        self._look_at_first()
        self._follow()

    def change_chain(self, act: Callable[[Steps], Steps]) -> None:
        """Other preparation steps; everything is grown again."""
        self.state.data.change_chain(act)
        self._look_at_first()
        self._follow()

    def turn_chain(self, act: Callable[[Steps], Steps]) -> None:
        """A knob of a preparation step moved."""
        self.state.data.change_chain(act)
        self._features_may_change()
        self.maps.refresh()

    def undo_band(self) -> None:
        """Undo the last band."""
        self.state.data.bands = self.state.data.bands[:-1]
        self._look_at_first()
        self._follow()

    def choose_transform(self, name: str) -> None:
        def act() -> None:
            self.state.data.param.update(transform=name, transform_knobs={})

        self.gestures.guarded(act)
        self._follow()

    def draw_again(self) -> None:
        """Another sample of the same kind of data."""
        self.gestures.guarded(self.state.data.turn_knob, "seed", random.randrange(1, 10_000))
        self.maps.refresh()
        self.gestures.commit()

    def _look_at_first(self) -> None:
        """The first plane of other data."""
        self.state.view.look_at_first()
        self.state.selection.why = -1
        self.maps.worker.keep_apart(self.state.data.source == OWN)

    def _follow(self) -> None:
        before = self.maps.latest
        self.maps.viewport.window = None
        self.maps.look_up_features()

        def follow() -> None:
            # the sidebar first: the address says that all is done
            self.events.announce(DataChanged())
            self.maps.refresh()
            self.maps.look_old_soon(before)
            self.gestures.commit()

        self.gestures.aside(follow)

    # ---- knobs

    def turn(self, name: str, value: Any) -> None:
        """Turn a knob of the data."""
        self.state.data.turn_knob(name, value)
        if name in ("p", "k"):
            self._features_may_change()
        self.maps.refresh()

    def turn_lead(self, value: float) -> None:
        """The lead slider moved."""
        lead = self.maps.lead_knob()
        if lead == "turn":
            if self.state.data.transform != "turn":
                self.state.data.param.update(transform="turn", transform_knobs={})
                self.gestures.aside(lambda: self.events.announce(TransformChanged()))
            self.turn_transform("angle", value)
        elif lead:
            self.turn(lead, value)

    def turn_transform(self, name: str, value: Any) -> None:
        """Turn a knob of the transform."""
        self.state.data.turn_transform_knob(name, value)
        if self.state.data.transform == "binning":
            self._features_may_change()
        self.maps.refresh()

    def _features_may_change(self) -> None:
        """Another number of features: the plane starts anew, the controls follow."""
        before = self.maps.n_features
        self.maps.look_up_features()
        if before == self.maps.n_features:
            return
        self.state.view.look_at_first()

        def follow() -> None:
            self.gestures.aside(lambda: self.events.announce(FeaturesChanged()))

        self.maps.worker.mailbox.later(follow, FEATURES_LATE)
        self.events.announce(LeadChanged())
