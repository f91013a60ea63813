from app.screen import screen_of
from explorer.app.pages.headline import NO_TEST, NO_TRUTH, headline_html, hint_words


def test_a_headline_is_escaped_and_smaller_with_a_hint():
    assert headline_html("a < b", "") == '<p class="headline">a &lt; b</p>'
    assert 'class="headline short"' in headline_html("a", "hint & more")
    assert "hint &amp; more" in headline_html("a", "hint & more")


def test_two_features_with_a_known_truth_need_no_hint(shown):
    assert hint_words(shown.state, shown.latest, shown.n_features) == ""
    assert "headline" in screen_of(shown).headline.pane.object


def test_data_without_a_truth_say_that_errors_are_out_of_bag(new_session):
    from app.settling import settle

    session = new_session("data=iris&model=RF~n_tree:3")
    session.refresh()
    settle(session)
    words = hint_words(session.state, session.latest, session.n_features)
    assert words.startswith("Seen: ")
    assert words.endswith(NO_TEST)
    session.state.view.page = "Posterior"
    assert NO_TRUTH in hint_words(session.state, session.latest, session.n_features)
