"""A page without scripts: server full, wrong address, login."""

from __future__ import annotations

from html import escape

from explorer.views.theme import DARK, LIGHT, css_variables

_STYLE = """
:root { %s }
@media (prefers-color-scheme: dark) { :root { %s } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center;
  font: 16px/1.5 system-ui, sans-serif; background: var(--page); color: var(--ink); }
main { max-width: 26rem; padding: 2rem; }
h1 { font-size: 1.25rem; margin: 0 0 .75rem; }
label { display: block; margin: 1rem 0; }
input { display: block; width: 100%%; box-sizing: border-box; font: inherit; padding: .5rem;
  color: inherit; background: transparent; border: 1px solid var(--hairline); border-radius: 4px; }
button { font: inherit; padding: .5rem 1.25rem; cursor: pointer; }
a { color: inherit; }
"""


def plain_page(title: str, sentence: str, inner: str = "") -> str:
    """A page of HTML. title and sentence are escaped; ``inner`` is HTML of our own."""
    style = _STYLE % (css_variables(LIGHT), css_variables(DARK))
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f'<body><main><h1>{escape(title)}</h1><p role="status">{escape(sentence)}</p>'
        f"{inner}</main></body></html>"
    )
