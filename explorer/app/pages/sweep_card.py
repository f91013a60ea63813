"""The card "Error by m_try": varies one knob of every forest, on a button."""

from __future__ import annotations

from collections.abc import Callable

from explorer.app.export.download import table
from explorer.app.pages.picture import Picture
from explorer.app.pages.trial_card import Trial
from explorer.app.session.session import Session
from explorer.app.work.evaluate_work import Contest, Sweeps, m_try_values, sweep_m_try
from explorer.views.sweep_figure import SweepFigure


class SweepCard(Trial):
    """A line per forest that grows as values arrive (Menze Fig. 3)."""

    kind = "sweep"
    unit = "values"
    invitation = "Not run yet. Every forest is grown with fewer and with more features per node."

    stopped = "Start again to see the error for each value."

    def __init__(self, session: Session, contest: Callable[[], Contest | None]) -> None:
        super().__init__(
            session,
            contest,
            "Turn m_try",
            "Features a node may look at; fewer make the trees differ more. m_try",
        )
        self.figure = SweepFigure(session.state.view.theme, session.state.view.present)
        self.card = Picture(
            session.style,
            "Error by m_try",
            "error-by-m_try",
            self.figure.figure,
            self._csv,
            top=(self.buttons,),
        )
        self.reset()

    def _csv(self) -> str:
        import pandas

        found = [] if self.results is None else [s for s in self.results.sweeps if s is not None]
        frames = [s.to_frame().assign(model=s.model) for s in found]
        return table(pandas.concat(frames) if frames else None)

    def run(self) -> None:
        contest = self.ready()
        if contest is not None:
            values = m_try_values(contest.source.data.n_features)
            self.submit(lambda cancel: sweep_m_try(contest, cancel), len(values))

    def draw(self, results: Sweeps | None) -> None:
        if results is None:
            self.figure.update((), (), ())
            return
        self.figure.update(results.sweeps, results.values, results.now)
        some = [s for s in results.sweeps if s is not None]
        best = [
            f"{s.model[:1]} {100 * s.error.min():.1f} % at {s.values[s.error.argmin()]}"
            for s in some
        ]
        words = f"Least: {', '.join(best)}.".replace("%", " %")
        both = zip(results.contest.names, results.sweeps, strict=True)
        without = [name[:1] for name, s in both if s is None]
        if without:
            words += f" No m_try: {', '.join(without)}."
        self.card.say(f"{words} Large dot: the current value.", "m_try")
