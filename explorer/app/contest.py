"""Owns the card "Which forest should I use?": it starts, shows and stops a cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn

from explorer.app.evaluate_work import Contest, Results, cross_validate
from explorer.app.picture import Picture, hint, sentence_of, table, tip
from explorer.app.session import Session
from explorer.app.widgets import LiveIntSlider, button, plain, text
from explorer.views.verdict_figure import VerdictFigure

MOST_FOLDS, MOST_REPEATS = 10, 20
KIND = "cross-validation"


class ContestCard:
    """Folds, repeats, a button, progress, errors with intervals, and the verdict in a sentence.

    contest: says what is to be judged now; arrived: is called with results as they come.
    """

    def __init__(
        self,
        session: Session,
        contest: Callable[[], Contest | None],
        arrived: Callable[[Results], None],
    ) -> None:
        self.session, self.contest, self.arrived = session, contest, arrived
        self.results: Results | None = None
        self.figure = VerdictFigure(session.state.view.theme, session.state.view.present)
        self.card = Picture(
            session.style,
            "Which forest should I use?",
            "verdict",
            self.figure.figure,
            lambda: table(None if self.results is None else self.results.verdict),
            classes=("tall",),
            top=(self._make_top(),),
            lines=8,
            png=False,
        )
        self.reset()

    def _make_top(self) -> pn.Column:
        style = self.session.style
        slider: dict[str, Any] = {
            "stylesheets": [style.slider],
            "margin": 0,
            "sizing_mode": "stretch_width",
        }
        self.folds = LiveIntSlider(
            label="Folds", tags=["folds"], start=2, end=MOST_FOLDS, value=5, **slider
        )
        self.repeats = LiveIntSlider(
            label="Repeats", tags=["repeats"], start=1, end=MOST_REPEATS, value=5, **slider
        )
        self.start = button(
            style,
            "Try them",
            margin=(4, 8, 0, 0),
            description=tip("Tests every forest on the same held-out samples.", "bottom"),
        )
        self.start.on_click(lambda event: self.run())
        self.stop = button(
            style,
            "Stop",
            margin=(4, 8, 0, 0),
            visible=False,
            description=tip("Ends it here; the runs that are done stay.", "bottom"),
        )
        self.stop.on_click(lambda event: self.halt())
        self.progress = text(style, margin=(4, 0, 0, 0))
        return pn.Column(
            pn.Row(
                self.folds,
                hint("Parts of the samples; each is tested once. More train on more.", "left"),
                self.repeats,
                hint("All again with other parts; more narrows the intervals.", "left"),
                margin=0,
                sizing_mode="stretch_width",
            ),
            pn.Row(self.start, self.stop, self.progress, margin=0),
            margin=0,
            css_classes=["foot"],
            sizing_mode="stretch_width",
        )

    def run(self) -> None:
        """Cross-validate; a second click starts anew."""
        contest, session = self.contest(), self.session
        if contest is None:
            session.note("The forests are still growing; try again in a moment.")
            return
        folds, repeats = self.folds.value, self.repeats.value
        if not (isinstance(folds, int) and 2 <= folds <= MOST_FOLDS):
            session.note(f"Choose 2 to {MOST_FOLDS} folds.")
            return
        if not (isinstance(repeats, int) and 1 <= repeats <= MOST_REPEATS):
            session.note(f"Choose 1 to {MOST_REPEATS} repeats.")
            return
        self._running(True, f"0 of {folds * repeats} runs")
        session.scheduler.submit(
            session.key,
            KIND,
            lambda cancel: cross_validate(contest, folds, repeats, cancel),
            lambda found: session.mailbox.post(KIND, lambda: self.show(found)),
            lambda error: session.mailbox.post(KIND, lambda: self._failed(sentence_of(error))),
        )

    def halt(self) -> None:
        """End it; what has arrived stays."""
        self.session.scheduler.stop(self.session.key, KIND)
        done = self.results
        after = f" after {done.done} of {done.wanted} runs" if done is not None else ""
        self._running(False, f"Stopped{after}")

    def reset(self) -> None:
        """Other data or forests: what was said is about others."""
        again = self.results is not None or self.stop.visible
        self.session.scheduler.stop(self.session.key, KIND)
        self.results = None
        self.figure.update((), ())
        self._running(False, "")
        self.card.say(
            "The data or the forests changed; try them again."
            if again
            else "Nothing tried yet. Every forest is tested on the same held-out samples; then a "
            "sentence says whether slanted cuts are worth it."
        )

    def show(self, results: Results) -> None:
        """Results arrived, perhaps not all of them."""
        if results.contest != self.contest():
            return
        self.results = results
        self.figure.update(results.evaluations, results.places)
        finished = results.done >= results.wanted
        runs = f"{results.done} of {results.wanted} runs"
        self._running(
            not finished and self.stop.visible, f"{results.wanted} runs" if finished else runs
        )
        if results.verdict is not None:
            words = ("" if finished else "So far: ") + results.verdict.sentence
            self.card.words.object = f'<p class="verdict">{plain(words)}</p>'
        self.arrived(results)

    def _failed(self, sentence: str) -> None:
        self._running(False, "")
        self.card.fault(sentence)

    def _running(self, on: bool, words: str) -> None:
        self.start.visible, self.stop.visible = not on, on
        self.progress.object = f'<p class="progress">{plain(words)}</p>'
