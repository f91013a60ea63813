from app.screen import screen_of


def test_the_screen_has_a_card_per_model_on_its_stage(shown):
    screen = screen_of(shown)
    assert len(screen.cards) == len(shown.state.models.models)
    assert screen.maps.view in list(screen.stage)


def test_a_closed_screen_ends_the_session(new_session):
    from explorer.app.layout.screen import Screen

    session = new_session("model=RF~n_tree:2")
    Screen(session).close()
    assert session.mailbox.closed
