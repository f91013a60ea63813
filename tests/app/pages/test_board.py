import pytest

from app.settling import settle
from explorer.app.pages.board import LookingBoard
from explorer.app.session.events import Failed
from explorer.app.work.insight_work import ProgressText


class ToyBoard(LookingBoard):
    """A page that counts the trees of the forests that it follows."""

    name, works = "Importance", ("toy",)

    def __init__(self, session):
        super().__init__(session)
        self.heard, self.made = [], None
        self.row, self.view = self.controls(), self.board()
        self.start()

    def follow(self, maps):
        self.ask("toy", lambda cancel: iter([ProgressText("Counting"), 42]), self.take, self.fault)

    def draw(self):
        self.heard.append(("drawn", self.made))

    def restyle(self, look):
        self.heard.append(("look", look))

    def fault(self, sentence):
        self.heard.append(("fault", sentence))

    def light_up(self, rows):
        self.heard.append(("rows", rows.tolist()))


@pytest.fixture
def board(new_session):
    session = new_session("data=moons&d.n=40&page=Importance&model=RF~n_tree:2")
    made = ToyBoard(session)
    session.refresh()
    settle(session)
    return made


def test_a_page_that_is_seen_follows_the_forests_and_draws_what_was_made(board):
    assert ("drawn", 42) in board.heard
    assert not board.stop.visible


def test_a_fault_is_said_on_the_page_that_is_seen(board):
    board.session.announce(Failed("No data.", False))
    assert ("fault", "No data.") in board.heard


def test_progress_is_said_with_a_stop_button_until_it_ends(board):
    board.say_progress("Half way")
    assert "Half way" in board.progress.object
    assert board.stop.visible
    board.halt()
    assert not board.stop.visible


def test_models_are_named_by_letter_and_family(board):
    assert board.families() == ["RF"]
    assert board.names() == ["A RF"]
    assert board.seen
