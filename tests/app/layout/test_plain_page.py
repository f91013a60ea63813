from explorer.app.layout.plain_page import plain_page


def test_title_and_sentence_are_escaped_and_own_html_is_not():
    page = plain_page("<b>Full</b>", "Try & wait", "<form></form>")
    assert "<b>" not in page
    assert "Try &amp; wait" in page
    assert "<form></form></main>" in page


def test_it_has_no_script_and_loads_nothing():
    page = plain_page("Full", "Wait.")
    assert "<script" not in page
    assert "src=" not in page
    assert "url(" not in page
    assert 'lang="en"' in page
