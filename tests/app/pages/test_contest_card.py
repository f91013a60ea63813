import pytest

from app.settling import settle
from explorer.app.pages.contest_card import MOST_FOLDS, ContestCard
from explorer.app.session.events import Noted
from explorer.app.work.evaluate_work import Contest
from explorer.engine import FAMILIES


@pytest.fixture
def card(new_session, shown):
    session = new_session("page=Papers&model=RF~n_tree:2")
    specs = tuple(FAMILIES[f].replace(n_tree=4) for f in ("RF", "oRF-ridge"))
    contest = Contest(shown.latest.source, ("A RF", "B oRF-ridge"), specs)
    made = ContestCard(session, lambda: contest, lambda results: made.heard.append(results))
    made.heard = []
    yield made
    settle(session)


def test_all_folds_end_with_a_verdict_in_a_sentence(card):
    card.folds.value, card.repeats.value = 2, 1
    card.run()
    settle(card.session)
    assert card.results.done == card.results.wanted == 2
    assert card.tells(card.results)
    assert 'class="verdict"' in card.card.words.object
    assert card.heard[-1] is card.results
    assert card.figure.figure.visible


def test_folds_out_of_bounds_are_refused(card):
    noted = []
    card.session.subscribe(Noted, noted.append)
    card.folds.param.value.bounds = None
    card.folds.end = 99
    card.folds.value = 99
    card.run()
    assert noted[-1].sentence == f"Choose 2 to {MOST_FOLDS} folds."
    assert card.results is None
