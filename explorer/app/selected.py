"""Owns the one selection of samples that all pages share: it lights up, and can be undone.

What is selected lives in the state (rows and how they came about); here it meets the pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import panel as pn
from numpy.typing import NDArray

from explorer.app.state import LETTERS
from explorer.app.widgets import button, plain, text
from explorer.app.work import Pictures

if TYPE_CHECKING:
    from explorer.app.session import Session

WORDS = {"lasso": "by lasso", "marked": "the marked ones"}


class Selected:
    """The selected samples of a session, with a line that says so and a way to undo it.

    listeners are called with the rows whenever the selection changes.
    """

    def __init__(self, session: Session) -> None:
        self.session, self.chosen = session, session.state.selection
        self.listeners: list[Callable[[NDArray[np.intp]], None]] = []
        self._samples: Any = None
        self._placed: Any = None
        self.words = text(session.style, css_classes=["picked"], align="center")
        self.undo = button(
            session.style,
            "Clear",
            align="center",
            visible=False,
            tags=["label:Clear the selection", "tip:Select nothing; all samples show."],
        )
        self.undo.on_click(lambda event: self.clear())
        self.view = pn.Row(
            self.words,
            self.undo,
            css_classes=["picked"],
            stylesheets=[session.style.panes],
            margin=0,
        )
        session.listeners.append(self.follow)

    @property
    def rows(self) -> NDArray[np.intp]:
        """The selected samples, ascending."""
        return np.array(self.chosen.rows, np.intp)

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
            self.session.commit()

    def clear(self) -> None:
        self.choose((), "")

    def in_words(self) -> str:
        """ "23 samples selected, node 5 of tree 3, B oRF-ridge"; empty for none."""
        rows = self.chosen.rows
        if not rows:
            return ""
        count = f"{len(rows)} sample{'' if len(rows) == 1 else 's'} selected"
        return f"{count}, {self._origin()}"

    def _origin(self) -> str:
        chosen, models = self.chosen, self.session.state.models.models
        if chosen.how != "node":
            return WORDS.get(chosen.how, "from the link")
        place = min(chosen.model, len(models) - 1)
        forest = f"{LETTERS[place]} {models[place].family}"
        return f"node {chosen.node} of tree {chosen.tree + 1}, {forest}"

    # ---- pictures

    def _count(self) -> int:
        latest = self.session.latest
        return 0 if latest is None else int(latest.source.data.n_samples)

    def follow(self, shown: Pictures) -> None:
        """New pictures: the same samples stay selected, those of other data do not."""
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
        self._say()
        self._placed = None
        self._place()
        for listen in self.listeners:
            listen(self.rows)

    def _place(self) -> None:
        """Bring all maps to the selection: its samples full, the rest faded."""
        latest, rows = self.session.latest, self.rows
        if latest is None:
            return
        for card in self.session.cards:
            card.map.fade(rows.size > 0)
        placed = (latest.source, latest.recipe)
        if self._placed != placed:
            self._placed = placed
            at = latest.places[rows]
            self.session.frame.set_picked(at[:, 0], at[:, 1], latest.source.data.y[rows])

    def _say(self) -> None:
        words = self.in_words()
        html = f'<p class="note" role="status">{plain(words)}</p>' if words else ""
        if self.words.object != html:
            self.words.object = html
        if self.undo.visible != bool(words):
            self.undo.visible = bool(words)


def _identity(shown: Pictures) -> tuple[Any, ...]:
    """What makes a sample the same sample: turning or bending the data keeps it."""
    recipe = shown.request.data
    knobs = dict(recipe.knobs)
    return recipe.name, knobs.get("seed"), recipe.points, shown.source.data.y.tobytes()
