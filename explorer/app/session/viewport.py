"""Where all maps of a session look: window, size in pixels, pan and zoom."""

from __future__ import annotations

from typing import Any

from explorer.app.session.events import Events, ViewMoved
from explorer.app.state.plane_choice import Window
from explorer.app.state.visitor import PAINT, State
from explorer.views.map_figure import SharedFrame

FIRST_PIXELS = (406, 364)  # what a map of the first screen measures at 1280 x 720
MOST_PIXELS = 420
NARROW = 200  # pixels: a map this narrow is on a phone, and a tap enlarges it
Size = tuple[int, int]


class Viewport:
    """The shared frame of all maps. ``window`` is None while they show all data."""

    def __init__(self, state: State, events: Events) -> None:
        self.state, self.events = state, events
        self.frame = SharedFrame()
        self.window: Window | None = None
        self.home: Window | None = None
        self.pixels = FIRST_PIXELS
        # page -> the size of its maps, None where it has none; "" for pages without their own
        self.sizes: dict[str, Size | None] = {}
        self._placing = False
        for one in (self.frame.x_range, self.frame.y_range):
            one.on_change("start", self._range_moved)
            one.on_change("end", self._range_moved)

    def place(self, window: Window) -> None:
        """Move all maps to a window; reset comes back to it."""
        self.home = window
        x, y = self.frame.x_range, self.frame.y_range
        here = (x.start, x.end, y.start, y.end)
        if here == (window.x0, window.x1, window.y0, window.y1):
            return
        self._placing = True
        try:
            self.frame.set_window(window)
            x.update(reset_start=window.x0, reset_end=window.x1)
            y.update(reset_start=window.y0, reset_end=window.y1)
        finally:
            self._placing = False

    def _range_moved(self, attr: str, old: Any, new: Any) -> None:
        """Somebody panned or zoomed in the browser: sharpen the picture there."""
        if self._placing:
            return
        x, y = self.frame.x_range, self.frame.y_range
        ends = (x.start, x.end, y.start, y.end)
        numbers = all(isinstance(e, (int, float)) and abs(e) < 1e12 for e in ends)
        if not numbers or not (x.start < x.end and y.start < y.end):
            return
        window: Window | None = Window(*(float(e) for e in ends))
        if window == self.home:
            window = None
        if window != self.window:  # what `place` did is told when the page's hold ends
            self.window = window
            self.events.announce(ViewMoved())

    def look_home(self) -> None:
        """Undo pan and zoom."""
        self.window = None
        if self.home is not None:
            self._placing = True
            self.frame.set_window(self.home)
            self._placing = False
        self.events.announce(ViewMoved())

    # ---- size on the screen

    def size(self) -> Size | None:
        """Width and height in pixels of the maps of the open page, as far as they are known."""
        return self.sizes.get(str(self.state.view.page), self.sizes.get(""))

    def narrow(self) -> bool:
        """Whether the maps are as small as on a phone."""
        size = self.size()
        return size is not None and size[0] < NARROW

    def measured(self, page: str, size: Size | None) -> None:
        """The browser told how large the maps of a page are; "" for pages without their own."""
        self.sizes[page] = size
        self.fit()

    def fit(self) -> None:
        """One picture pixel per screen pixel, within reason."""
        size = self.size()
        if size is None or min(size) < 20 or max(size) > 10_000:
            return
        shrink = min(1.0, MOST_PIXELS / max(size))
        pixels = (max(40, int(size[0] * shrink)), max(40, int(size[1] * shrink)))
        if max(abs(pixels[0] - self.pixels[0]), abs(pixels[1] - self.pixels[1])) > 3:
            self.pixels = pixels
            pinned = self.state.data.shown == PAINT and self.home is not None
            self.window = self._reshaped() if pinned else None
            self.events.announce(ViewMoved())

    def _reshaped(self) -> Window | None:
        """The window that must stay, in equal units on maps of another shape."""
        old = self.window or self.home
        if old is None:
            return None
        across, up = self.pixels
        half = 0.5 * (old.width * old.height / (across * up)) ** 0.5  # of a pixel
        x, y = (old.x0 + old.x1) / 2, (old.y0 + old.y1) / 2
        window = Window(x - half * across, x + half * across, y - half * up, y + half * up)
        self.place(window)
        return window
