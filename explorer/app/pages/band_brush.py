"""The band brushed over spectra: dragged or typed, then kept or left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import panel as pn
from bokeh.events import SelectionGeometry

from explorer.app.session.session import Session
from explorer.app.widgets import button
from explorer.views.spectra_figure import AxisFrame


class BandBrush:
    """Two fields and the buttons beside them; pictures: those with a brush of their own.

    frame: what they share; the channels of the band are selected in it, and no others. chosen:
    told when another band is.
    """

    def __init__(
        self,
        session: Session,
        frame: AxisFrame,
        pictures: Sequence[Any],
        chosen: Callable[[], None] = lambda: None,
    ) -> None:
        self.session, self.frame, self.pictures, self.chosen = session, frame, pictures, chosen
        self.band: tuple[float, float] | None = None
        self.decimals = 0  # that the axis needs
        self._quiet = False
        style = session.style
        here: dict[str, Any] = {"align": "center", "margin": (0, 8, 0, 0)}
        self.low, self.high = (
            pn.widgets.TextInput(  # a number field would show NaN where there is none
                value="",
                width=76,
                placeholder=word,
                stylesheets=[style.field],
                tags=[
                    f"band {word}",
                    f"label:Band {word}",
                    "tip:One end of the band. You can also drag over the spectra.",
                ],
                **here,
            )
            for word in ("from", "to")
        )
        for end in (self.low, self.high):
            end.param.watch(self._typed, "value")
        self.keep, self.drop, self.undo = (
            button(style, label, disabled=True, tags=[label.lower(), f"tip:{words}"], **here)
            for label, words in (
                ("Keep only", "Grow the forests again on this band alone."),
                ("Leave out", "Grow the forests again without this band."),
                ("Undo", "Undo the last band."),
            )
        )
        self.keep.on_click(lambda event: self.use(True))
        self.drop.on_click(lambda event: self.use(False))
        self.undo.on_click(lambda event: session.guarded(session.data.undo_band))
        self.widgets = (self.low, self.high, self.keep, self.drop)
        for picture in pictures:
            picture.figure.on_event(SelectionGeometry, self.brushed)

    def brushed(self, event: Any) -> None:
        """Somebody dragged over the spectra."""
        geometry = getattr(event, "geometry", None) or {}
        ends: list[Any] = [geometry.get("x0"), geometry.get("x1")]
        if getattr(event, "final", True) and all(_number(e) for e in ends):
            self.show((min(ends), max(ends)))

    def _typed(self, event: Any) -> None:
        if self._quiet:
            return
        ends = [_typed_number(end.value) for end in (self.low, self.high)]
        if any(end is None for end in ends):
            self.session.note("An end of the band is a number, such as 1650 or 7.25.")
        known: list[float] = [end for end in ends if end is not None and math.isfinite(end)]
        self._mark((min(known), max(known)) if len(known) == 2 else None)

    def show(self, band: tuple[float, float] | None) -> None:
        """Write a band into the fields and over the pictures."""
        self._quiet = True
        self.low.value, self.high.value = (
            ("", "") if band is None else (f"{end:.{self.decimals}f}" for end in band)
        )
        self._quiet = False
        self._mark(band)

    def _mark(self, band: tuple[float, float] | None) -> None:
        if band is not None and band[0] >= band[1]:
            band = None
        another, self.band = band != self.band, band
        for picture in self.pictures:
            picture.brush.show(band)
        self.frame.select(band)
        self.keep.disabled = self.drop.disabled = band is None
        if another:
            self.chosen()

    def use(self, keep: bool) -> None:
        """Grow the forests again on this band alone, or without it."""
        if self.band is not None:
            self.session.guarded(self.session.data.choose_band, keep, *self.band)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _typed_number(value: Any) -> float | None:
    """The number in a field; infinite where nothing is typed yet, None for anything else."""
    text = str(value or "").strip().replace(",", ".")
    if not text:
        return math.inf
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
