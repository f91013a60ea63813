from types import SimpleNamespace

import pytest

from app.settling import settle
from explorer.app.pages.picture import Picture
from explorer.app.pages.trial_card import Trial


class ToyTrial(Trial):
    kind, unit, invitation, stopped = "toy", "steps", "Nothing yet.", "Start again."

    def __init__(self, session, contest):
        super().__init__(session, contest, "Go", "Counts to three.")
        self.card = Picture(session.style, "Toy", "toy")
        self.drawn = []
        self.reset()

    def run(self):
        contest = self.ready()
        if contest is not None:
            steps = [SimpleNamespace(contest=contest, done=k, wanted=3) for k in (1, 2, 3)]
            self.submit(lambda cancel: iter(steps), 3)

    def draw(self, results):
        self.drawn.append(None if results is None else results.done)


@pytest.fixture
def trial(new_session):
    session = new_session("page=Papers&model=RF~n_tree:2")
    made = ToyTrial(session, lambda: made.what)
    made.what = "these forests"
    yield made
    settle(session)


def test_results_are_counted_as_they_come(trial):
    trial.run()
    settle(trial.session)
    assert trial.drawn[-1] == 3
    assert "3 steps" in trial.progress.object
    assert trial.start.visible
    assert not trial.stop.visible


def test_what_is_asked_while_forests_grow_is_done_afterwards(trial):
    trial.what = None
    trial.run()
    assert trial.pending
    trial.what = "these forests"
    trial.run_pending()
    settle(trial.session)
    assert trial.results.done == 3
    assert not trial.pending


def test_results_of_other_forests_are_not_shown(trial):
    trial.take(SimpleNamespace(contest="others", done=1, wanted=3))
    assert trial.results is None


def test_stopping_says_how_far_it_came_and_other_data_start_over(trial):
    trial.take(SimpleNamespace(contest="these forests", done=1, wanted=3))
    trial.halt()
    assert "Stopped after 1 of 3 steps" in trial.progress.object
    trial.reset()
    assert trial.results is None
    assert "changed" in trial.card.words.object
