"""The tour on the Boundaries page: its row of controls, and the card that shows its directions."""

from __future__ import annotations

import time
from typing import Any

import panel as pn
from bokeh.events import Pan, PanEnd, PanStart
from bokeh.models import ColumnDataSource, CustomJS, PrintfTickFormatter

from explorer.app.pages.tour_text import directions_html, slice_words
from explorer.app.session.events import (
    DataChanged,
    MapsDrawn,
    PageOpened,
    PlaneChanged,
    Restored,
    Restyled,
    TourMoved,
    WhyAsked,
)
from explorer.app.session.session import Session
from explorer.app.session.tour import STEP, WAYS, is_whole
from explorer.app.widgets import (
    ButtonRow,
    LiveFloatSlider,
    LiveIntSlider,
    button,
    icon,
    in_browser,
    set_class,
    text,
)
from explorer.app.work.requests import Pictures
from explorer.views.wheel_figure import DirectionCurves, WheelFigure

TOLD_SECONDS = 0.3  # between two moves of the slider and the words while a tour plays
SPEEDS = (1, 5, 20)  # slowest, first, fastest, in tenths of a radian per second
DEEPEST = 6.0  # standard deviations; at this end of the slider all samples are alike

# The next frame is asked for once the last one is painted; a page that is not seen asks for none.
_NEXT = """
requestAnimationFrame(() => {
  if (!clock.playing) return
  const now = performance.now(), before = clock.data.get ? clock.data.get("t")[0] : clock.data.t[0]
  const n = (clock.data.get ? clock.data.get("n")[0] : clock.data.n[0]) + 1
  clock.data = {n: [n], t: [now], seconds: [before > 0 ? (now - before) / 1000 : 0]}
})
"""
_PLAY = """
clock.playing = source.active  // known to this page alone
if (source.active) clock.data = {n: [1 + Math.floor(performance.now())], t: [0], seconds: [0]}
"""


class TourControls:
    """Chooses, plays, scrubs and slices the tour of a session.

    row: the second row of controls, seen while a tour is on. card: the wheel of axes and, for
    spectra, curves of both directions. toggle: begins and leaves the tour.
    """

    def __init__(self, session: Session) -> None:
        self.session, self.tour, self.style = session, session.tour, session.style
        self._quiet = False
        self._told = 0.0
        self._axis: Any = None  # of the spectra that are seen
        self._make_row()
        self._make_card()
        session.subscribe(MapsDrawn, self._drawn)
        session.subscribe(TourMoved, lambda event: self._arrived())
        session.subscribe(Restyled, lambda event: self._restyle())
        for kind in (PlaneChanged, DataChanged, PageOpened, Restored, WhyAsked):
            session.subscribe(kind, lambda event: self.follow())
        self.follow()

    # ---- the row

    def _make_row(self) -> None:
        view, style = self.session.state.view, self.style
        self.toggle = pn.widgets.Toggle(
            label="Tour",
            tags=["tour", "tip:Travel through all features: a plane that turns smoothly."],
            stylesheets=[style.button],
            margin=(0, 12, 0, 0),
            align="center",
        )
        self.toggle.param.watch(self._toggled, "value")
        self.ways = ButtonRow(
            options=WAYS,
            value="grand",
            tags=[
                "tour ways",
                "tip:Grand: random planes. Classes apart: towards planes that separate the "
                "classes. A against B: towards planes where these two forests disagree most.",
            ],
            stylesheets=[style.button],
            margin=(0, 12, 0, 0),
            align="center",
        )
        self.session.settings.bind("tour", self.ways)
        self.ways.param.watch(self._chosen, "value")
        self.clock: Any = ColumnDataSource(
            {"n": [0], "t": [0.0], "seconds": [0.0]}, name="tour clock"
        )
        self.clock.on_change("data", self._ticked)
        self.play = pn.widgets.Toggle(
            label="",
            icon=icon("play"),
            icon_size="18px",
            tags=["play tour", "label:Play the tour"],
            css_classes=["icon"],
            stylesheets=[style.button],
            margin=(0, 4, 0, 0),
            align="center",
        )
        in_browser(self.play, _PLAY, on="active", clock=self.clock)
        self.clock.js_on_change("tags", CustomJS(args={"clock": self.clock}, code=_NEXT))
        self.play.param.watch(self._played, "value")
        self.back = self._step_button("back", "One step back", -STEP)
        self.step = self._step_button("step", "One step on", STEP)
        self.place: Any = LiveFloatSlider(
            label="Way",
            tags=["tour place", "tip:Scrub back along the way, in radians."],
            start=0,
            end=1,
            step=0.01,
            value=0,
            format=PrintfTickFormatter(format="%.1f"),
            **self._slider(150),
        )
        self.place.param.watch(self._scrubbed, "value")
        self.speed: Any = LiveIntSlider(
            label="Speed",
            tags=["tour speed", "tip:How fast the plane turns, in tenths of a radian per second."],
            start=SPEEDS[0],
            end=SPEEDS[2],
            value=SPEEDS[1],
            **self._slider(90),
        )
        self.session.settings.bind("speed", self.speed)
        self.depth: Any = LiveFloatSlider(
            label="Slice",
            tags=[
                "tour slice",
                "tip:Samples farther from the plane than this, in standard deviations, fade. "
                "At the right end all are alike.",
            ],
            start=0.5,
            end=DEEPEST,
            step=0.1,
            value=view.depth or DEEPEST,
            format=PrintfTickFormatter(format="%.1f sd"),
            **self._slider(130),
        )
        self.depth.param.watch(self._sliced, "value")
        for slider in (self.place, self.depth):
            slider.param.watch(lambda event: self._commit(), "value_throttled")
        self._in_row = [
            self.ways,
            self.play,
            self.back,
            self.step,
            self.place,
            self.speed,
            self.depth,
        ]
        self.row = pn.Row(  # filled when a tour begins
            margin=0,
            css_classes=["controls", "touring"],
            stylesheets=[style.panes],
            sizing_mode="stretch_width",
        )

    def _slider(self, width: int) -> dict[str, Any]:
        return {
            "stylesheets": [self.style.slider],
            "margin": (0, 12, 0, 8),
            "width": width,
            "align": "center",
        }

    def _step_button(self, picture: str, label: str, radians: float) -> Any:
        made = button(
            self.style,
            icon=icon(picture),
            tags=[f"label:{label}"],
            icon_size="18px",
            css_classes=["icon"],
            align="center",
            margin=(0, 4, 0, 0),
        )
        made.on_click(lambda event: self._stepped(radians))
        return made

    # ---- what the widgets do

    def _toggled(self, event: Any) -> None:
        if self._quiet:
            return
        tour = self.tour
        self.session.guarded(tour.begin if event.new else tour.leave)
        if not event.new:
            self.play.value = False
        self.follow()

    def _chosen(self, event: Any) -> None:
        def act() -> None:
            self.tour.choose(event.new)

        self.session.guarded(act)
        if event.new == "hand":
            self.play.value = False
        self.follow()

    def _played(self, event: Any) -> None:
        self.play.icon = icon("pause" if event.new else "play")
        if event.new and self.tour.arrived:
            self.play.value = False
            self._arrived_again()
        elif not event.new:
            self.tour.pause()
            self._follow_place()
            self.session.commit()

    def _arrived_again(self) -> None:
        """Play from where no plane nearby is better: look again, from farther away."""
        self.tour.arrived = False
        self.play.value = True

    def _ticked(self, attr: str, old: Any, new: Any) -> None:
        """The browser asks for the next frame."""
        if not self.tour.on:
            return
        try:
            seconds = float(new["seconds"][0])
        except (KeyError, IndexError, TypeError, ValueError):
            return
        self.session.guarded(self.tour.frame_asked, seconds, self.speed.value / 10)

    def _stepped(self, radians: float) -> None:
        self.play.value = False
        self.session.guarded(self.tour.advance, radians)
        self.session.commit()

    def _scrubbed(self, event: Any) -> None:
        if not self._quiet:
            self.play.value = False
            self.session.guarded(self.tour.seek, event.new)

    def _sliced(self, event: Any) -> None:
        if not self._quiet:
            depth = 0.0 if event.new >= DEEPEST else round(float(event.new), 2)
            self.session.guarded(self.tour.cut, depth)

    def _commit(self) -> None:
        if not self._quiet:
            self.session.commit()

    # ---- the card

    def _make_card(self) -> None:
        view, style = self.session.state.view, self.style
        self.wheel = WheelFigure(view.theme, view.present)
        self.curves = DirectionCurves(view.theme, view.present)
        self.wheel.figure.on_event(PanStart, self._grabbed)
        self.wheel.figure.on_event(Pan, self._dragged)
        self.wheel.figure.on_event(PanEnd, lambda event: self._dropped())
        self.words = text(style, sizing_mode="stretch_width")
        self.chosen = pn.widgets.Select(
            label="Turn",
            tags=["tour axis", "tip:The axis that the slider below turns into the plane or out."],
            options={},
            css_classes=["inline"],
            stylesheets=[style.field],
            margin=(4, 0, 2, 0),
            sizing_mode="stretch_width",
        )
        self.length: Any = LiveFloatSlider(
            label="Length",
            tags=["tour length", "tip:0: the axis does not show. 1: it lies in the plane."],
            start=0,
            end=1,
            step=0.01,
            value=0,
            stylesheets=[style.slider],
            margin=(0, 0, 4, 0),
            sizing_mode="stretch_width",
        )
        self.chosen.param.watch(lambda event: self._follow_length(), "value")
        self.length.param.watch(self._lengthened, "value")
        self.length.param.watch(lambda event: self._commit(), "value_throttled")
        self.circle = self._frame(self.wheel.figure, 160, "wheel")
        self.spectrum = self._frame(self.curves.figure, 140, "curves", "gone")
        self.by_hand = pn.Column(self.chosen, self.length, margin=0, sizing_mode="stretch_width")
        inside = pn.Column(
            text(style, '<div class="name"><b>Directions</b></div>', height=36),
            self.circle,
            self.by_hand,
            self.spectrum,
            self.words,
            margin=0,
            sizing_mode="stretch_width",
        )
        # a row scrolls in the browser alone; a column would tell the server where it is
        self._in_card = [inside]
        self.card = pn.Row(  # filled when a tour begins
            css_classes=["card", "directions", "gone"], stylesheets=[style.panes], margin=0
        )

    def _frame(self, figure: Any, height: int, *classes: str) -> pn.Column:
        figure.update(sizing_mode="stretch_width", height=height)
        pane = pn.pane.Bokeh(figure, margin=0, height=height, sizing_mode="stretch_width")
        return pn.Column(
            pane,
            css_classes=list(classes),
            stylesheets=[self.style.panes],
            margin=0,
            sizing_mode="stretch_width",
        )

    def _grabbed(self, event: Any) -> None:
        self.wheel.held = -1
        if isinstance(event.x, (int, float)) and isinstance(event.y, (int, float)):
            self.wheel.held = self.wheel.grabbed(event.x, event.y)
        if self.wheel.held >= 0:
            self.ways.value = "hand"
            self.play.value = False

    def _dragged(self, event: Any) -> None:
        if self.wheel.held >= 0 and event.x is not None and event.y is not None:
            self.session.guarded(self.tour.turn_axis, self.wheel.held, [event.x, event.y])

    def _dropped(self) -> None:
        if self.wheel.held >= 0:
            self.wheel.held = -1
            self._follow_length()
            self.session.commit()

    def _lengthened(self, event: Any) -> None:
        record = self.wheel.record
        if self._quiet or record is None or self.chosen.value is None:
            return
        axis = int(self.chosen.value)
        if axis >= len(record.frame):
            return
        x, y = (float(v) for v in record.frame[axis])
        size = (x * x + y * y) ** 0.5
        to = [x / size * event.new, y / size * event.new] if size > 1e-6 else [event.new, 0.0]
        self.ways.value = "hand"
        self.session.guarded(self.tour.turn_axis, axis, to)

    # ---- follow the tour

    def _drawn(self, event: MapsDrawn) -> None:
        shown = event.maps
        if shown.axes_of_tour is None or self.session.state.view.page != "Boundaries":
            return
        if is_whole(event) and not self.tour.waits:
            self.clock.tags = list(self.clock.data["n"])
        self.wheel.update(shown.axes_of_tour)
        self._show_curves(shown)
        now = time.monotonic()
        if not self.play.value or now - self._told > TOLD_SECONDS:
            self._told = now
            self._follow_place()
            self._say(shown)
            self._follow_length()

    def _show_curves(self, shown: Pictures) -> None:
        axis = shown.source.data.axis
        assert shown.axes_of_tour is not None
        if axis is not None:
            self.curves.update(shown.axes_of_tour, axis)
        set_class(self.spectrum, "gone", axis is None)

    def _say(self, shown: Pictures) -> None:
        assert shown.axes_of_tour is not None
        html = slice_words(
            shown.near, shown.recipe.depth, self.tour.index, self.tour.way
        ) + directions_html(shown.axes_of_tour)
        if self.words.object != html:
            self.words.object = html

    def _follow_place(self) -> None:
        """Bring the slider to the place on the way."""
        self._quiet = True
        end = max(1.0, self.tour.length, self.tour.at)
        if abs(self.place.end - end) > 1e-9 or abs(self.place.value - self.tour.at) > 0.005:
            self.place.param.update(end=end, value=min(end, self.tour.at))
        self._quiet = False

    def _follow_length(self) -> None:
        record = self.wheel.record
        if record is None or self.ways.value != "hand":
            return
        options = {name: i for i, name in enumerate(_distinct(record.names))}
        self._quiet = True
        if self.chosen.options != options:
            self.chosen.param.update(options=options, value=0)
        axis = int(self.chosen.value or 0)
        if axis < len(record.frame):
            size = round(float((record.frame[axis] ** 2).sum() ** 0.5), 2)
            if abs(self.length.value - size) > 0.006:
                self.length.value = min(1.0, size)
        self._quiet = False

    def _arrived(self) -> None:
        if self.play.value:
            self.play.value = False
        self._follow_place()

    def _restyle(self) -> None:
        view = self.session.state.view
        self.wheel.restyle(view.theme, view.present)
        self.curves.restyle(view.theme, view.present)

    def follow(self) -> None:
        """Show what belongs to the tour while it is on."""
        view = self.session.state.view
        here = view.page == "Boundaries" and not self.session.state.data.painting
        many = (self.session.n_features or 2) > 2
        on = here and self.tour.on
        if self.tour.way != self.ways.value:
            self.session.guarded(self.tour.choose, self.ways.value)
        self._quiet = True
        self.toggle.visible = here and many
        self.toggle.value = self.tour.on
        depth = view.depth or DEEPEST
        if abs(self.depth.value - depth) > 1e-9:
            self.depth.value = min(DEEPEST, max(0.5, depth))
        self._quiet = False
        if on and not len(self.card):
            self.row[:], self.card[:] = self._in_row, self._in_card
        # while a sample is explained, the maps need the room
        set_class(self.card, "gone", not on or self.session.why.subject is not None)
        set_class(self.row, "gone", not on)
        by_hand = self.ways.value == "hand"
        for part in (self.play, self.back, self.step, self.place, self.speed):
            if part.visible == by_hand:
                part.visible = not by_hand
        if self.by_hand.visible != by_hand:
            self.by_hand.visible = by_hand
        if not on and self.play.value:
            self.play.value = False


def _distinct(names: tuple[str, ...]) -> list[str]:
    """Names of which no two are equal."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found
