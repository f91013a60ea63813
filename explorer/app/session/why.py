"""Which sample is explained: a training sample by its row, or one measured later by its values."""

from __future__ import annotations

from typing import Any

from explorer.app.session.events import DataChanged, UnknownAsked, WhyAsked
from explorer.app.session.gestures import Gestures
from explorer.app.session.maps import Maps
from explorer.app.work.grow_work import GrowRequest
from explorer.app.work.why_work import Subject, WhyRequest

TARGET = 0.002  # largest standard error of an attribution, in shares of votes


class WhyActions:
    """The sample that is explained; WhyAsked is announced when it changes.

    The row of a training sample is part of the link; the values of another sample are not.
    """

    def __init__(self, maps: Maps, gestures: Gestures) -> None:
        self.maps, self.gestures, self.events = maps, gestures, maps.events
        self.chosen = maps.state.selection
        self.values: tuple[float, ...] = ()
        self.name = ""  # of a sample measured later
        self.target = TARGET
        self.events.subscribe(DataChanged, lambda event: self._forget_values())

    @property
    def subject(self) -> Subject | None:
        """What is explained: a row, values, or None for nothing."""
        if self.values:
            return self.values
        return int(self.chosen.why) if self.chosen.why >= 0 else None

    def ask(self, row: int) -> None:
        """Explain a training sample."""
        n = self.maps.data_now().n_samples
        if not 0 <= row < n:
            raise ValueError(f"There is no sample {row + 1}; the data have {n}.")
        self.values, self.name = (), ""
        self.chosen.why = int(row)
        self.events.announce(WhyAsked())
        self.gestures.commit()

    def ask_values(self, name: str, values: Any) -> None:
        """Explain a sample that was measured later."""
        self.values, self.name = tuple(float(v) for v in values), name
        self.chosen.why = -1
        self.events.announce(WhyAsked())

    def asked_in_table(self, text: str) -> None:
        """A row of a table was chosen: a number, or u and a number for an unknown sample."""
        number = text[1:] if text.startswith("u") else text
        if not number.isdigit() or len(number) > 9:
            raise ValueError("That row cannot be explained.")
        if text.startswith("u"):
            self.events.announce(UnknownAsked(int(number)))
        else:
            self.ask(int(number) - 1)

    def close(self) -> None:
        """Explain nothing any more."""
        self._forget()
        self.events.announce(WhyAsked())
        self.gestures.commit()

    def _forget(self) -> None:
        self._forget_values()
        self.chosen.why = -1

    def _forget_values(self) -> None:
        """Values belong to the data they were prepared for."""
        self.values, self.name = (), ""

    def request(self) -> WhyRequest | None:
        """What is to be computed; None for nothing."""
        subject = self.subject
        if subject is None:
            return None
        now = self.maps.request()
        return WhyRequest(GrowRequest(now.data, now.specs), subject, self.target)
