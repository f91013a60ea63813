from app.screen import screen_of
from app.settling import settle
from explorer.app.session.events import MapsOld, ModelWaits


def test_every_model_has_a_card_with_its_own_record(shown):
    cards = screen_of(shown).cards
    assert [card.record for card in cards] == list(shown.latest.records)


def test_a_model_that_waits_says_why(new_session):
    session = new_session("data=moons&d.n=40&model=RF~n_tree:2")
    session.refresh()
    settle(session)
    session.announce(ModelWaits(0, "RF is being compiled."))
    (card,) = screen_of(session).cards
    assert any(
        "RF is being compiled." in str(getattr(p, "object", "")) for p in vars(card).values()
    )


def test_more_models_have_more_cards_and_removed_ones_go(new_session):
    session = new_session("data=moons&d.n=40&model=RF~n_tree:2")
    session.models.add()
    settle(session)
    assert len(screen_of(session).cards) == 2
    session.models.remove(0)
    settle(session)
    assert len(screen_of(session).cards) == 1
    session.announce(MapsOld())
