"""The card "Which forest should I use?": starts, shows and stops a cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn

from explorer.app.export.download import table
from explorer.app.pages.picture import Picture, hint
from explorer.app.pages.trial_card import Trial
from explorer.app.session.session import Session
from explorer.app.widgets import LiveIntSlider
from explorer.app.work.evaluate_work import Contest, Results, cross_validate
from explorer.views.verdict_figure import VerdictFigure

MOST_FOLDS, MOST_REPEATS = 10, 20


class ContestCard(Trial):
    """Folds, repeats, a button, progress, errors with intervals, and the verdict in a sentence.

    arrived: is called with results as they come.
    """

    kind = "cross-validation"
    unit = "runs"
    invitation = (
        "Not run yet. Every forest is tested on the same held-out samples; then a "
        "sentence says whether slanted cuts are worth it."
    )

    stopped = "A verdict needs every fold at least once. Start again to get one."

    def __init__(
        self,
        session: Session,
        contest: Callable[[], Contest | None],
        arrived: Callable[[Results], None],
    ) -> None:
        super().__init__(
            session, contest, "Try them", "Tests every forest on the same held-out samples."
        )
        self.arrived = arrived
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
        )
        self.reset()

    def _make_top(self) -> pn.Column:
        slider: dict[str, Any] = {
            "stylesheets": [self.session.style.slider],
            "margin": 0,
            "sizing_mode": "stretch_width",
        }
        self.folds = LiveIntSlider(
            label="Folds", tags=["folds"], start=2, end=MOST_FOLDS, value=5, **slider
        )
        self.repeats = LiveIntSlider(
            label="Repeats", tags=["repeats"], start=1, end=MOST_REPEATS, value=5, **slider
        )
        self.session.settings.bind("folds", self.folds)
        self.session.settings.bind("repeats", self.repeats)
        return pn.Column(
            pn.Row(
                self.folds,
                hint(
                    "Parts of the samples; each is tested once. More: larger training sets.",
                    "left",
                ),
                self.repeats,
                hint("Repetitions with other folds; more make the intervals narrower.", "left"),
                margin=0,
                sizing_mode="stretch_width",
            ),
            self.buttons,
            margin=0,
            css_classes=["foot"],
            sizing_mode="stretch_width",
        )

    def run(self) -> None:
        """Cross-validate; a second click starts anew."""
        contest, session = self.ready(), self.session
        if contest is None:
            return
        folds, repeats = self.folds.value, self.repeats.value
        if not (isinstance(folds, int) and 2 <= folds <= MOST_FOLDS):
            session.note(f"Choose 2 to {MOST_FOLDS} folds.")
            return
        if not (isinstance(repeats, int) and 1 <= repeats <= MOST_REPEATS):
            session.note(f"Choose 1 to {MOST_REPEATS} repeats.")
            return
        self.submit(lambda cancel: cross_validate(contest, folds, repeats, cancel), folds * repeats)

    def tells(self, results: Results | None) -> bool:
        return results is not None and results.verdict is not None

    def draw(self, results: Results | None) -> None:
        if results is None:
            self.figure.update((), ())
            return
        self.figure.update(results.evaluations, results.places)
        if results.verdict is not None:
            sentence = results.verdict.sentence.replace("%", " %")
            if results.done < results.wanted:
                sentence = f"So far, after {results.done} of {results.wanted} runs: {sentence}"
            self.card.say(sentence, kind="verdict")
        elif self.stop.visible:
            self.card.say(
                f"{results.done} of {results.wanted} runs are done. The verdict comes once every "
                "fold was tested."
            )
        self.arrived(results)
