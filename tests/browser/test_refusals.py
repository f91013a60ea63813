"""What a browser may change, with a real browser.

That nothing of ours is refused is checked by every test here: a refusal is an error in the console.
These tests show that such an error is seen, and walk through what the others do not touch.
"""

from explorer.app.state.visitor import PAGES


def test_a_change_that_is_not_on_the_list_is_an_error_in_the_console(visit):
    one = visit().open()
    one.js("tagged('lead').end = 1e9")
    one.wait("all().some((m) => (m.text || '').includes('our fault'))")
    assert any("cannot be changed from a browser" in text for text in one.troubles)
    one.troubles.clear()
    one.set_slider("lead", 25)
    one.wait("tagged('address').value.includes('25')")


def test_no_page_on_a_phone_sends_what_is_refused(visit, server_log):
    before = server_log.read_text().count("A browser may not send")
    one = visit(width=390, height=844, has_touch=True, is_mobile=True).open()
    for name in PAGES:
        one.js(f"tagged('pages').active = tagged('pages').labels.indexOf({name!r})")
        one.wait(
            f"document.documentElement.dataset.page === {name!r} && Bokeh.documents[0].is_idle"
        )
        one.page.set_viewport_size({"width": 844, "height": 390})
        one.page.set_viewport_size({"width": 390, "height": 844})
    one.js("tagged('present').active = true")
    one.js("tagged('dark').active = true")
    one.wait("document.documentElement.dataset.theme === 'dark'")
    one.set_slider("lead", 33)
    one.wait("tagged('address').value.includes('33')")
    assert server_log.read_text().count("A browser may not send") == before
