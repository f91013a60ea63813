"""Owns what a session looks at: which plane, where the rest is fixed, what is under the pointer."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from explorer.app.cache import Cache
from explorer.app.plane import MOST_FIXED, told
from explorer.app.request import Pictures, load_source
from explorer.app.state import PAINT, State
from explorer.app.viewport import Viewport
from explorer.data import Dataset

REACH = 12  # pixels between a click and the sample it means
NARROW = 200  # pixels: a map this narrow is on a phone, and a tap enlarges it


class Looking(Viewport):
    """The plane of all maps of a session; it is changed here and nowhere else."""

    state: State
    cache: Cache
    latest: Pictures | None
    n_features: int | None

    def __init__(self) -> None:
        super().__init__()
        self.frame.probe.question.on_change("data", self._asked)

    @abstractmethod
    def plane_changed(self) -> None:
        """Controls of the plane follow the state."""

    @abstractmethod
    def commit(self) -> None:
        """A gesture ended."""

    # ---- the plane

    def data_now(self) -> Dataset:
        """The data as they are now."""
        return load_source(self.state.data.recipe(), self.cache).data

    def feature_names(self) -> tuple[str, ...]:
        return self.data_now().feature_names

    def look_at(self, across: int, up: int, plane: str = "") -> None:
        """Another plane: two features or components, the rest as it is."""
        if across == up:
            raise ValueError("A map needs two different features.")
        if max(across, up) >= (self.n_features or 2):
            raise ValueError(f"These data have {self.n_features} features.")
        view = self.state.view
        view.param.update(across=across, up=up, plane=plane or view.plane)
        self.window = None
        self.refresh()

    def choose_plane(self, kind: str) -> None:
        """Two features, two averaged over the rest, or two principal components."""
        self.state.view.param.update(plane=kind, across=0, up=1)
        self.window = None
        self.plane_changed()
        self.refresh()
        self.commit()

    def choose_rest(self, at: str) -> None:
        """Where the features that are not seen are fixed."""
        view = self.state.view
        view.param.update(at=at, fixed=[])
        if at == "values":
            data = self.data_now()
            medians = np.median(data.X, axis=0)
            chosen = told(data, MOST_FIXED, (view.across, view.up))
            view.fixed = [(f, float(f"{medians[f]:.6g}")) for f in chosen]
        self.plane_changed()
        self.refresh()
        self.commit()

    def fix_feature(self, feature: int, value: float) -> None:
        self.state.view.fix(feature, value)
        self.refresh()

    def hold_sample(self, sample: int) -> None:
        """Fix the rest at one sample."""
        n = self.data_now().n_samples
        if not 0 <= sample < n:
            raise ValueError(f"There is no sample {sample + 1}; the data have {n}.")
        self.state.view.param.update(plane="features", at="sample", sample=int(sample), fixed=[])
        self.refresh()

    def sample_near(self, event: Any) -> int | None:
        """The sample that a click on a map means; None if there is none near."""
        shown, size = self.latest, self.ruler()
        x, y = getattr(event, "x", None), getattr(event, "y", None)
        numbers = all(isinstance(v, (int, float)) and np.isfinite(v) for v in (x, y))
        if shown is None or size is None or not numbers:
            return None
        a, b = self.frame.x_range, self.frame.y_range
        unit = np.array([(a.end - a.start) / size[0], (b.end - b.start) / size[1]])
        away = np.hypot(*((shown.places - np.array([x, y], float)) / unit).T)
        nearest = int(away.argmin())
        return nearest if away[nearest] <= REACH else None

    def clicked(self, card: int, event: Any) -> None:
        """A click or tap on a map: it fixes the rest at a sample, or enlarges a small map.

        While one is large, the others are small although the ruler, which lies on the first map,
        may say otherwise.
        """
        chosen = self.state.selection
        many = (self.n_features or 2) > 2 and self.state.data.source != PAINT
        kinds = ("features", "marginal")
        if many and self.state.view.plane in kinds and not self.narrow():
            sample = self.sample_near(event)
            if sample is not None:
                self.hold_sample(sample)
                self.plane_changed()
                self.commit()
                return
        if self.narrow() or chosen.card >= 0:
            chosen.card = -1 if chosen.card == card else card
            self.enlarged()

    def narrow(self) -> bool:
        size = self.ruler()
        return size is not None and size[0] < NARROW

    @abstractmethod
    def enlarged(self) -> None:
        """Cards follow: one of them is wide, or none."""

    # ---- under the pointer

    def _asked(self, attr: str, old: Any, new: Any) -> None:
        """The browser asks what a model says at a place; the picture at hand knows."""
        try:
            card, x, y = (new[name][0] for name in ("card", "x", "y"))
        except (KeyError, IndexError, TypeError):
            return
        numbers = all(isinstance(v, (int, float)) and np.isfinite(v) for v in (x, y))
        shown = self.latest
        if shown is None or not numbers or not isinstance(card, int):
            return
        record = shown.records[card] if 0 <= card < len(shown.records) else None
        if record is None:
            return
        h, w, _ = record.shares.shape
        column = int((x - record.window.x0) / record.window.width * w)
        row = int((y - record.window.y0) / record.window.height * h)
        if 0 <= row < h and 0 <= column < w:
            self.frame.probe.say(record.at(row, column))
