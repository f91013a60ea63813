"""The content security policy of a page: what its own scripts may run and load."""

from __future__ import annotations

import secrets


def page_policy(nonce: str) -> str:
    """The policy of a page, as strict as Bokeh permits.

    Bokeh makes its callbacks with `new Function` ('unsafe-eval') and writes styles into the
    page; scripts come from this server, or carry the nonce that only this page's own have.
    """
    return (
        f"default-src 'none'; script-src 'self' 'nonce-{nonce}' 'unsafe-eval'; "
        "script-src-attr 'none'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; "
        "worker-src 'self' blob:; media-src 'none'; object-src 'none'; base-uri 'none'; "
        "form-action 'self'"
    )


def new_nonce() -> str:
    return secrets.token_urlsafe(16)
