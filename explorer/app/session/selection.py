"""The selection of samples that all pages share.

What is selected lives in the state (rows and how they came about); here it meets the pictures.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.app.session.events import ForestsGrown, MapsDrawn, PageOpened, SamplesSelected
from explorer.app.session.gestures import Gestures
from explorer.app.session.maps import Maps
from explorer.app.state.visitor import LETTERS
from explorer.app.work.grow_work import Forests
from explorer.app.work.requests import Pictures

WORDS = {"lasso": "by lasso", "marked": "the marked ones"}


class Selected:
    """The selected samples of a session; SamplesSelected is announced when they change."""

    def __init__(self, maps: Maps, gestures: Gestures) -> None:
        self.maps, self.gestures, self.events = maps, gestures, maps.events
        self.state, self.chosen = maps.state, maps.state.selection
        self._samples: Any = None
        self._was_away = False
        self._placed: Any = None
        self.events.subscribe(MapsDrawn, lambda event: self._follow(event.maps))
        self.events.subscribe(ForestsGrown, lambda event: self._follow(event.forests))
        self.events.subscribe(PageOpened, self._page_opened)

    @property
    def rows(self) -> NDArray[np.intp]:
        """The selected samples, ascending; on Paint none, as they are samples of other data."""
        return np.array([] if self._away() else self.chosen.rows, np.intp)

    def _away(self) -> bool:
        return bool(self.state.data.painting)

    def choose(self, rows: Iterable[Any], how: str, commit: bool = True) -> None:
        """Select samples by their rows; how: "node", "lasso" or "marked"."""
        n = self._count()
        wanted = sorted({int(r) for r in rows if 0 <= int(r) < n})
        how = how if wanted else ""
        if (wanted, how) == (self.chosen.rows, self.chosen.how) and how != "node":
            return
        self.chosen.param.update(rows=wanted, how=how)
        self.light_up()
        if commit:
            self.gestures.commit()

    def clear(self) -> None:
        self.choose((), "")

    def in_words(self) -> str:
        """ "23 samples selected, in and out of the bag, node 5 of tree 3, A RF"; empty for none."""
        rows = self.chosen.rows
        if not rows or self._away():
            return ""
        count = f"{len(rows)} sample{'' if len(rows) == 1 else 's'} selected"
        return f"{count}, {self._origin()}"

    def _origin(self) -> str:
        chosen, models = self.chosen, self.state.models.models
        if chosen.how != "node":
            return WORDS.get(chosen.how, "from the link")
        place = min(chosen.model, len(models) - 1)
        forest = f"{LETTERS[place]} {models[place].family}"
        # other counts on the Nodes page are of the bag alone
        return f"in and out of the bag, node {chosen.node} of tree {chosen.tree + 1}, {forest}"

    # ---- pictures

    def _count(self) -> int:
        try:
            return self.maps.data_now().n_samples
        except ValueError:  # there are no data
            return 0

    def _page_opened(self, event: PageOpened) -> None:
        if self.chosen.rows:
            self.light_up()  # on Paint they are samples of other data

    def _follow(self, shown: Pictures | Forests) -> None:
        """New forests or pictures: the same samples stay selected, those of other data do not."""
        came, self._was_away = self._was_away != self._away(), self._away()
        if came:
            self.light_up()
        if self._was_away:
            return
        samples = _identity(shown)
        if samples != self._samples:
            n, rows = shown.source.data.n_samples, self.chosen.rows
            if rows and (self._samples is not None or rows[-1] >= n):
                self.chosen.param.update(rows=[], how="")
            self._samples = samples
            self.light_up()
        else:
            self._place()

    def light_up(self) -> None:
        """Bring every picture to what is selected now."""
        self._placed = None
        self._place()
        self.events.announce(SamplesSelected(self.rows))

    def _place(self) -> None:
        """Mark the selected samples on all maps."""
        latest, rows = self.maps.latest, self.rows
        if latest is None or (rows.size and _identity(latest) != self._samples):
            return  # there are no maps of these samples now
        placed = (latest.source, latest.recipe)
        if self._placed != placed:
            self._placed = placed
            at = latest.places[rows]
            frame = self.maps.viewport.frame
            frame.set_picked(at[:, 0], at[:, 1], latest.source.data.y[rows])


def _identity(shown: Pictures | Forests) -> tuple[Any, ...]:
    """What makes a sample the same sample: turning or bending the data keeps it."""
    recipe = shown.request.data
    knobs = dict(recipe.knobs)
    return recipe.name, knobs.get("seed"), recipe.points, shown.source.data.y.tobytes()
