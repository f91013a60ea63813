"""What a session looks at: which plane, where the rest is fixed, what is under the pointer."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.analysis import best_pair
from explorer.app.session.events import MapEnlarged, PlaneChanged
from explorer.app.session.gestures import Gestures
from explorer.app.session.maps import Maps
from explorer.app.session.why import WhyActions
from explorer.app.state.plane_choice import MOST_FIXED, told
from explorer.app.state.visitor import PAINT

REACH = 12  # pixels between a click and the sample it means


class PlaneActions:
    """The plane of all maps of a session; it is changed here and nowhere else."""

    def __init__(self, maps: Maps, gestures: Gestures, why: WhyActions) -> None:
        self.state, self.events, self.viewport = maps.state, maps.events, maps.viewport
        self.maps, self.gestures, self.why = maps, gestures, why
        self.viewport.frame.probe.question.on_change("data", self._asked)

    def _keep(self, **changes: Any) -> None:
        """Write the plane that is seen into the state, with changes."""
        now = self.maps.plane_now()
        pair = {"across": now.across, "up": now.up}
        self.state.view.param.update(**{"plane": now.kind, **pair, **changes})

    def look_at(self, across: int, up: int, plane: str = "") -> None:
        """Another plane: two features or components, the rest as it is."""
        if across == up:
            raise ValueError("A map needs two different features.")
        if max(across, up) >= (self.maps.n_features or 2):
            raise ValueError(f"These data have {self.maps.n_features} features.")
        kind = plane or self.maps.plane_now().kind
        kind = "features" if kind in ("discriminant", "tour") else kind
        self.state.view.param.update(across=across, up=up, plane=kind)
        self.viewport.window = None
        self.maps.refresh()

    def choose(self, kind: str) -> None:
        """Two features, two averaged over the rest, two components or discriminant axes."""
        across, up = 0, 1
        if kind in ("features", "marginal") and (self.maps.n_features or 2) > 2:
            across, up = best_pair(self.maps.data_now())
        self.state.view.param.update(plane=kind, across=across, up=up, frame=[])
        self.viewport.window = None
        self._changed()

    def _changed(self) -> None:
        self.events.announce(PlaneChanged())
        self.maps.refresh()
        self.gestures.commit()

    def choose_rest(self, at: str) -> None:
        """Where the features that are not seen are fixed."""
        view = self.state.view
        self._keep(at=at, fixed=[])
        if at == "values":
            data = self.maps.data_now()
            medians = np.median(data.X, axis=0)
            chosen = told(data, MOST_FIXED, (view.across, view.up))
            view.fixed = [(f, float(f"{medians[f]:.6g}")) for f in chosen]
        self._changed()

    def choose_through(self, at: str) -> None:
        """The plane of a tour goes through the mean, or through a sample."""
        self.state.view.param.update(at="sample" if at == "sample" else "median", fixed=[])
        self._changed()

    def fix_feature(self, feature: int, value: float) -> None:
        """Hold one of the features that are not seen at a value."""
        self._keep(plane="features")
        self.state.view.fix(feature, value)
        self.maps.refresh()

    def hold_sample(self, sample: int) -> None:
        """Fix the rest at one sample."""
        n = self.maps.data_now().n_samples
        if not 0 <= sample < n:
            raise ValueError(f"There is no sample {sample + 1}; the data have {n}.")
        kind = "tour" if self.maps.plane_now().kind == "tour" else "features"
        self._keep(plane=kind, at="sample", sample=int(sample), fixed=[])
        self.maps.refresh()

    # ---- clicks

    def sample_near(self, event: Any) -> int | None:
        """The sample that a click on a map means; None if there is none near."""
        shown, size = self.maps.latest, self.viewport.size()
        x, y = getattr(event, "x", None), getattr(event, "y", None)
        if shown is None or size is None or not _numbers(x, y):
            return None
        a, b = self.viewport.frame.x_range, self.viewport.frame.y_range
        unit = np.array([(a.end - a.start) / size[0], (b.end - b.start) / size[1]])
        away = np.hypot(*((shown.places - np.array([x, y], float)) / unit).T)
        nearest = int(away.argmin())
        return nearest if away[nearest] <= REACH else None

    def clicked(self, card: int, event: Any) -> None:
        """A click or tap on a map: a sample is explained and the rest fixed there.

        On a phone it enlarges a small map instead.

        While one is large, the others are small although the size, which is the first map's, may
        say otherwise.
        """
        chosen, narrow = self.state.selection, self.viewport.narrow()
        many = (self.maps.n_features or 2) > 2 and self.state.data.shown != PAINT
        kinds = ("features", "marginal", "tour")
        sample = None if narrow or chosen.card >= 0 else self.sample_near(event)
        if sample is not None:
            if many and self.maps.plane_now().kind in kinds:
                self.hold_sample(sample)
                self.events.announce(PlaneChanged())
            self.why.ask(sample)
            return
        if narrow or chosen.card >= 0:
            chosen.card = -1 if chosen.card == card else card
            self.events.announce(MapEnlarged())

    # ---- under the pointer

    def _asked(self, attr: str, old: Any, new: Any) -> None:
        """The browser asks what a model says at a place; the picture at hand knows."""
        try:
            card, x, y = (new[name][0] for name in ("card", "x", "y"))
        except (KeyError, IndexError, TypeError):
            return
        shown = self.maps.latest
        if shown is None or not _numbers(x, y) or not isinstance(card, int):
            return
        record = shown.records[card] if 0 <= card < len(shown.records) else None
        if record is None:
            return
        h, w, _ = record.shares.shape
        column = int((x - record.window.x0) / record.window.width * w)
        row = int((y - record.window.y0) / record.window.height * h)
        if 0 <= row < h and 0 <= column < w:
            self.viewport.frame.probe.say(record.at(row, column))


def _numbers(*values: Any) -> bool:
    return all(isinstance(v, (int, float)) and np.isfinite(v) for v in values)
