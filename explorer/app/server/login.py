"""The password of a class: the login page and its cookie. `guessing` slows down wrong ones."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bokeh.server.auth_provider import AuthProvider
from tornado.web import RequestHandler

from explorer.app.layout.plain_page import plain_page
from explorer.app.server.client_address import client_address, network_of
from explorer.app.server.guessing import Guessing

COOKIE = "forest_explorer"
COOKIE_DAYS = 7
BROWSER_COOKIE = "forest_explorer_browser"  # tells browsers of one address apart, while they guess
LONGEST_PASSWORD = 1024
_FORM = """
<form method="post" action="{action}">
{name}<label>Password<input name="password" type="password" autocomplete="current-password"
 required autofocus maxlength="1024"></label>
<button type="submit">Open</button>
</form>
"""
_NAME = """<label>Name<input name="name" autocomplete="username" required maxlength="200"></label>
"""


class Passwords:
    """One password for all, or one per name. Compared in constant time, kept as digests only."""

    def __init__(self, passwords: str | Mapping[str, str]) -> None:
        self.by_name = not isinstance(passwords, str)
        pairs = {"": passwords} if isinstance(passwords, str) else dict(passwords)
        if not pairs or not all(isinstance(p, str) and p for p in pairs.values()):
            raise ValueError("A password must be a text that is not empty.")
        self._digests = {name: _digest(text) for name, text in pairs.items()}

    @classmethod
    def read(cls, path: Path) -> Passwords:
        """From a JSON file of names and passwords."""
        try:
            pairs = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ValueError(
                f"The names and passwords in {path} could not be read: {error}. "
                'It must be a file such as {"ada": "her password"}.'
            ) from None
        if not isinstance(pairs, dict):
            raise ValueError(f'{path} must hold pairs such as {{"ada": "her password"}}.')
        return cls(pairs)

    def digest(self) -> bytes:
        """Changes with any name or password."""
        pairs = sorted(self._digests.items())
        return b"".join(name.encode() + b"\0" + bytes(digest) for name, digest in pairs)

    def match(self, name: str, password: str) -> bool:
        """The same time for a name that is not there."""
        wanted = self._digests.get(name if self.by_name else "")
        same = hmac.compare_digest(wanted or _digest("\0"), _digest(password[:LONGEST_PASSWORD]))
        return same and wanted is not None


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass")).digest()


def _user(handler: RequestHandler) -> str | None:
    cookie = handler.get_signed_cookie(COOKIE, max_age_days=COOKIE_DAYS)
    return cookie.decode("utf-8", "replace") if cookie else None


def safe_next(text: str) -> str:
    """Where to go after the login: a query of this page and nothing else."""
    query = text.partition("?")[2]
    return "./" + ("?" + query if query and query.isprintable() else "")


def _handler(passwords: Passwords, guessing: Guessing, secure: bool) -> type[RequestHandler]:
    class Login(RequestHandler):
        def get(self) -> None:
            if not self._browser():
                word = secrets.token_urlsafe(12)
                self.set_cookie(BROWSER_COOKIE, word, httponly=True, samesite="Lax", secure=secure)
            self._show("")

        def _browser(self) -> str:
            return (self.get_cookie(BROWSER_COOKIE) or "")[:32]

        def _show(self, said: str, status: int = 200) -> None:
            self.set_status(status)
            query = self.request.uri.partition("?")[2] if self.request.uri else ""
            form = _FORM.format(
                action="login" + ("?" + _escaped(query) if query else ""),
                name=_NAME if passwords.by_name else "",
            )
            self.write(plain_page("Forest Explorer", said or "This class has a password.", form))

        async def post(self) -> None:
            address = network_of(client_address(self.request))
            if not await guessing.turn(address, self._browser()):
                self._show("Too many guesses at once. Wait a minute, then try again.", 429)
                return
            name = self.get_body_argument("name", "")
            password = self.get_body_argument("password", "", strip=False)
            if passwords.match(name, password):
                guessing.was_right(address)
                self.set_signed_cookie(
                    COOKIE,
                    name or "visitor",
                    expires_days=COOKIE_DAYS,
                    httponly=True,
                    samesite="Lax",
                    secure=secure,
                )
                self.redirect(safe_next(self.get_query_argument("next", "")), status=303)
                return
            await asyncio.sleep(guessing.delay(address))
            self._show("That is not the password. Try again.", 403)

    return Login


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


class Logout(RequestHandler):
    """GET /logout: forget the cookie."""

    def get(self) -> None:
        self.clear_cookie(COOKIE)
        self.write(plain_page("Forest Explorer", "You are logged out.", '<a href="./">Open</a>'))


class ClassLogin(AuthProvider):
    """Bokeh asks it who a visitor is; without the cookie it sends to /login."""

    def __init__(self, passwords: Passwords, secure: bool) -> None:
        self._login = _handler(passwords, Guessing(), secure)
        super().__init__()

    @property
    def get_user(self) -> Any:
        return _user

    @property
    def get_user_async(self) -> None:
        return None

    @property
    def get_login_url(self) -> None:
        return None

    @property
    def login_url(self) -> str:
        return "/login"

    @property
    def login_handler(self) -> type[RequestHandler]:
        return self._login

    @property
    def logout_url(self) -> str:
        return "/logout"

    @property
    def logout_handler(self) -> type[RequestHandler]:
        return Logout
