"""What the server opens at start: to whom, under which names, behind which password.

Checked before anything listens; `told` says in words what is open once it is.
"""

from __future__ import annotations

import hashlib
import ipaddress
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer import __version__
from explorer.app.server.client_address import trust_proxy
from explorer.app.server.connections import CONNECTIONS
from explorer.app.server.login import ClassLogin, Passwords
from explorer.app.server.message_limits import LARGEST_MESSAGE
from explorer.app.server.routes import NotFound, Nothing, SafeHeaders, WeakKey, sign_sessions
from explorer.app.work.limits import MEMORY, SEATS, in_words

# A closed tab keeps its session for 25 s (Wi-Fi comes and goes), and is looked for every 5 s;
# a frozen one is noticed after 10 + 10 s before that: 50 s in all.
UNUSED_MS, CHECK_MS, PING_SECONDS = 25_000, 5_000, 10
TOKEN_SECONDS = 24 * 3600  # a page may be cut off and come back for a day
SHORT_PASSWORD = 8
PASSWORD_VARIABLE = "FOREST_EXPLORER_PASSWORD"


class Refused(ValueError):
    """A start that would open more than was meant; the sentence says what to do."""


@dataclass(frozen=True)
class Opening:
    """How the server is opened.

    origins: addresses under which browsers see it, such as class.example.org or
    https://class.example.org; password: one for all; basic_auth: a JSON file of names and
    passwords; behind_proxy: believe a proxy what it says of its clients; proxies: its addresses,
    if it is not on this machine.
    """

    port: int = 5006
    public: bool = False
    address: str | None = None
    origins: tuple[str, ...] = ()
    password: str | None = None
    basic_auth: str | None = None
    behind_proxy: bool = False
    proxies: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.public and not self.origins:
            raise Refused(
                "--public opens the server to other machines and requires the "
                f"address that they open: add for example --origin class.example.org:{self.port}."
            )
        if not self.public and self.address not in (None, "127.0.0.1", "::1", "localhost"):
            raise Refused(f"--address {self.address} is seen by other machines: add --public.")
        empty = self.password == "" or (
            self.password is None
            and self.basic_auth is None
            and os.environ.get(PASSWORD_VARIABLE) == ""
        )
        if self.public and empty:
            raise Refused(
                f"The password is empty, so anybody could come in. Set {PASSWORD_VARIABLE} or "
                "--password to a text, or unset the variable to open the server to everybody."
            )
        if self.password is not None and self.basic_auth is not None:
            raise Refused("Choose --password for all or --basic-auth with names, not both.")
        if self.proxies and not self.behind_proxy:
            raise Refused("--proxy-address says where the proxy is: add --behind-proxy.")
        for proxy in self.proxies:
            if not _is_address(proxy):
                raise Refused(
                    f"--proxy-address {proxy!r} is not an IP address; write one such as 10.0.0.2."
                )
        for origin in self.origins:
            bare = _host(origin)
            if not bare or "*" in bare or "/" in bare or not bare.isprintable() or " " in bare:
                raise Refused(
                    f"--origin {origin!r} is not an address; write a name with its port, such as "
                    f"class.example.org:{self.port}, once for each name."
                )

    @property
    def listens_to(self) -> str:
        return self.address or ("0.0.0.0" if self.public else "127.0.0.1")

    @property
    def hosts(self) -> list[str]:
        """Hosts whose pages may open a websocket."""
        own = [f"{name}:{self.port}" for name in ("localhost", "127.0.0.1")]
        return list(dict.fromkeys([*own, *map(_host, self.origins)]))

    @property
    def secure(self) -> bool:
        """Whether browsers see it by https only."""
        return bool(self.origins) and all(o.startswith("https://") for o in self.origins)

    def passwords(self) -> Passwords | None:
        if self.basic_auth is not None:
            return Passwords.read(Path(self.basic_auth))
        return Passwords(self.password) if self.password is not None else None

    def options(self) -> dict[str, Any]:
        """What `panel.serve` is told."""
        try:
            key = sign_sessions()
        except WeakKey as weak:
            raise Refused(str(weak)) from None
        trust_proxy(self.behind_proxy, self.proxies)
        # Bokeh would let it replace `websocket_origin`
        os.environ.pop("BOKEH_ALLOW_WS_ORIGIN", None)
        options: dict[str, Any] = {
            "port": self.port,
            "address": self.listens_to,
            "websocket_origin": self.hosts,
            "admin": False,
            "transforms": [SafeHeaders],
            "default_handler_class": NotFound,
            # Bokeh read its settings when it was imported: say it here
            "sign_sessions": True,
            "secret_key": key.encode(),
            "session_token_expiration": TOKEN_SECONDS,
            "unused_session_lifetime_milliseconds": UNUSED_MS,
            "check_unused_sessions_milliseconds": CHECK_MS,
            "websocket_ping_interval": PING_SECONDS,
            "websocket_ping_timeout": PING_SECONDS,
            "websocket_max_message_size": LARGEST_MESSAGE,
            # a session remembers no cookie and no header of its visitor
            "include_headers": ["Host"],
            "include_cookies": [],
            "use_xheaders": self.behind_proxy,
        }
        passwords = self.passwords()
        if passwords is not None:
            options["auth_provider"] = ClassLogin(passwords, self.secure)
            # the same for all processes that share the key; another password ends old cookies
            secret = b"cookie" + key.encode() + passwords.digest()
            options["cookie_secret"] = hashlib.blake2b(secret).hexdigest()
        return options

    def warnings(self) -> list[str]:
        """What a teacher should know before students come."""
        out = []
        closed = self.password is not None or self.basic_auth is not None
        if self.public and not closed:
            out.append(
                "Anybody who knows the address can come in. Add --password to ask for one "
                f"(or set {PASSWORD_VARIABLE}, which other users of this machine cannot see)."
            )
        if self.public and closed and not self.secure:
            out.append(
                "The password is sent unencrypted. Put the server behind a proxy with https, "
                "see docs/class-server.md."
            )
        if self.password is not None and len(self.password) < SHORT_PASSWORD:
            out.append(f"The password is shorter than {SHORT_PASSWORD} letters.")
        return out

    def told(self, application: Any, cache_bytes: int) -> str:
        """What is open, read off the routes of the server that was made."""
        shut: list[str] = []
        doors: list[str] = []
        for rule in application.wildcard_router.rules:
            pattern = getattr(rule.matcher, "regex", None)
            where = pattern.pattern.rstrip("$") if pattern is not None else "?"
            (shut if _is_shut(rule.target) else doors).append(where)
        who = "other machines too" if self.public else "this machine only"
        word = "names and passwords" if self.basic_auth else "a password"
        asks = word if self.password is not None or self.basic_auth else "nothing"
        rows = {
            "address": f"http://localhost:{self.port}/"
            if not self.public
            else f"{', '.join(self.origins)} (listens to {self.listens_to}:{self.port})",
            "open to": who,
            "asks for": asks,
            "pages from": ", ".join(self.hosts),
            "visitors": f"at most {SEATS.most}",
            "connections": f"at most {CONNECTIONS.most}, {CONNECTIONS.per_address} of one address",
            "memory": f"{in_words(cache_bytes)} of cache, {in_words(MEMORY.total)} for forests "
            "that are growing",
            "doors": " ".join(sorted(set(doors))),
            "kept shut": " ".join(sorted({*shut, "/admin"} - set(doors))),
        }
        lines = [f"Forest Explorer {__version__}"]
        lines += [f"  {name:<13}{value}" for name, value in rows.items()]
        return "\n".join(lines + [f"  ! {text}" for text in self.warnings()])


def checked_frame(origin: str) -> str:
    """An origin for the header that allows frames; anything else is refused in a sentence."""
    scheme, _, host = origin.partition("://")
    plain = host.replace(".", "").replace("-", "").replace(":", "")
    if scheme not in ("http", "https") or not (plain.isascii() and plain.isalnum()):
        raise Refused(
            f"--frame {origin!r} is not an origin; write one such as https://school.example.org."
        )
    return origin


def _host(origin: str) -> str:
    return origin.removeprefix("https://").removeprefix("http://").rstrip("/").lower()


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _is_shut(target: Any) -> bool:
    return isinstance(target, type) and issubclass(target, Nothing)
