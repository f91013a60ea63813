"""Opens pages."""

from __future__ import annotations

from explorer.app.session.events import PageOpened, Restored
from explorer.app.session.gestures import Gestures
from explorer.app.session.maps import Maps


class Navigation:
    """Which tab is open."""

    def __init__(self, maps: Maps, gestures: Gestures) -> None:
        self.state, self.events = maps.state, maps.events
        self.maps, self.gestures = maps, gestures

    def open(self, page: str) -> None:
        """Another tab was chosen."""
        self.gestures.guarded(lambda: self.state.view.param.update(page=page))
        self.enter()
        self.maps.viewport.fit()
        self.maps.look_old()
        self.maps.refresh()
        self.gestures.commit()

    def enter(self) -> None:
        """Bring everything to the page of the state."""
        self.events.announce(PageOpened(str(self.state.view.page)))

    def leave_for(self, page: str) -> None:
        """Open another page from within, so that the tabs follow."""
        self.state.view.page = page
        self.events.announce(Restored())
        self.enter()
