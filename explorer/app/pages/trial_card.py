"""What cards that run trials on a button share: start, stop, progress, results so far."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import panel as pn

from explorer.app.pages.picture import Picture, tip
from explorer.app.session.session import Session
from explorer.app.widgets import button, plain, text
from explorer.app.work.evaluate_work import Contest
from explorer.sentences import sentence_of


class Trial(ABC):
    """A button that starts long work, one that ends it, and words on how far it is.

    contest: says what is to be judged now. A subclass makes its card, then calls `reset`.
    """

    kind: ClassVar[str]
    unit: ClassVar[str]  # what is counted
    card: Picture

    def __init__(
        self, session: Session, contest: Callable[[], Contest | None], label: str, words: str
    ) -> None:
        self.session, self.contest = session, contest
        self.results: Any = None
        self.pending = False  # somebody has asked while the forests were still growing
        style = session.style
        here: dict[str, Any] = {"margin": (4, 8, 0, 0)}
        self.start = button(style, label, description=tip(words), **here)
        self.start.on_click(lambda event: self.run())
        self.stop = button(
            style,
            "Stop",
            visible=False,
            description=tip("Stops here; results so far are kept."),
            **here,
        )
        self.stop.on_click(lambda event: self.halt())
        self.progress = text(style, margin=(4, 0, 0, 0))
        self.buttons = pn.Row(self.start, self.stop, self.progress, margin=0)

    @abstractmethod
    def run(self) -> None:
        """Start, or start anew."""

    @abstractmethod
    def draw(self, results: Any) -> None:
        """Show what there is; None for nothing."""

    @property
    @abstractmethod
    def invitation(self) -> str:
        """What goes here, before anything was tried."""

    def ready(self) -> Contest | None:
        """What is to be judged; None, and a notice, while the forests grow."""
        contest = self.contest()
        self.pending = contest is None
        if contest is None:
            self.session.note("The forests are still growing; it starts as soon as they are grown.")
        return contest

    def run_pending(self) -> None:
        """The forests are grown: do what was asked for before."""
        if self.pending:
            self.run()

    def submit(self, steps: Callable[[threading.Event], Iterator[Any]], wanted: int) -> None:
        """Have it done; results come one by one to `take`."""
        self.results = None
        self.say(f"0 of {wanted} {self.unit}", running=True)
        self.card.say("Waiting for the first results.")
        self.session.worker.ask(
            self.kind, steps, self.take, lambda error: self._failed(sentence_of(error))
        )

    def take(self, found: Any) -> None:
        """Results so far, or words about what is being prepared."""
        if isinstance(found, str):
            self.say(found, running=self.stop.visible)
        elif found.contest == self.contest():
            self.results = found
            finished = found.done >= found.wanted
            count = f"{found.wanted}" if finished else f"{found.done} of {found.wanted}"
            self.say(f"{count} {self.unit}", running=not finished and self.stop.visible)
            self.draw(found)

    def halt(self) -> None:
        """End it; what has arrived stays."""
        self.session.worker.stop(self.kind)
        self.pending = False
        done = self.results
        after = f" after {done.done} of {done.wanted} {self.unit}" if done is not None else ""
        self.say(f"Stopped{after}", running=False)
        if not self.tells(done):
            self.card.say(f"Stopped{after or ' before the first result'}. {self.stopped}")

    @property
    @abstractmethod
    def stopped(self) -> str:
        """What is missing where it was stopped too early to say anything."""

    def tells(self, results: Any) -> bool:
        """Whether results say anything in words already."""
        return results is not None

    def reset(self) -> None:
        """Other data or forests: what was said is about others."""
        again = self.results is not None or self.stop.visible
        self.session.worker.stop(self.kind)
        self.results = None
        self.draw(None)
        self.say("", running=False)
        changed = "The data or the forests changed; try them again."
        self.card.say(changed if again else self.invitation)

    def say(self, words: str, running: bool) -> None:
        """Progress, and which of the two buttons is there."""
        self.start.visible, self.stop.visible = not running, running
        self.progress.object = f'<p class="progress" role="status">{plain(words)}</p>'

    def _failed(self, sentence: str) -> None:
        self.say("", running=False)
        self.card.fault(sentence)
