import pytest

from explorer.app.lessons.markdown import html_of


def test_emphasis_code_and_lists_become_html():
    html = html_of("**bold** and `code`\n\n- one\n- two")
    assert "<strong>bold</strong>" in html
    assert "<code>code</code>" in html
    assert html.count("<li>") == 2


@pytest.mark.parametrize(
    "evil",
    [
        "<script>alert(1)</script>",
        "[a](javascript:alert(1))",
        "![a](http://x/y.png)",
        "<b onclick=x>",
    ],
)
def test_whatever_looks_like_html_or_a_link_is_shown_as_text(evil):
    html = html_of(evil)
    assert html.startswith("<p>")
    inside = html.removeprefix("<p>").removesuffix("</p>\n")
    assert "<" not in inside
