"""The registry of sessions: which session a document belongs to.

A page that was cut off and opens again names its visit before, by a word that only it knows; so a
file of its own is handed on while that session is still held.
"""

from __future__ import annotations

import logging
import secrets
import traceback
import weakref
from typing import Any
from urllib.parse import parse_qsl, urlencode

import panel as pn

from explorer.app.work.tally import TALLY

log = logging.getLogger("explorer.visits")
FAULT = "That could not be done, and it is our fault, not yours. What you see still works; go on."

BEFORE = "before"
# neither keeps the other: a session knows its document, so a strong one would keep both for good
_sessions: weakref.WeakKeyDictionary[Any, weakref.ref[Any]] = weakref.WeakKeyDictionary()
_visits: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()
# files that the server was started with, by the word that names them; None: of every visitor
_lent: dict[str | None, Any] = {}


def enter(document: Any, session: Any) -> str:
    """A session draws on this document; the word that names this visit."""
    if document is not None:
        _sessions[document] = weakref.ref(session)
    visit = secrets.token_urlsafe(16)
    _visits[visit] = session
    return visit


def here() -> int:
    """How many sessions there are."""
    return len(_sessions)


def split(query: str) -> tuple[str, str]:
    """A query without the visit before, and that."""
    pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=1000)
    before = next((value for name, value in pairs if name == BEFORE), "")
    return urlencode([pair for pair in pairs if pair[0] != BEFORE]), before


def lend(upload: Any, everyone: bool = False) -> str:
    """Have sessions opened on a file of the server's own; the word that asks for it in a link.

    everyone: whoever follows a link to "own" data sees it, also without the word.
    """
    word = secrets.token_urlsafe(16)
    _lent[word] = upload
    if everyone:
        _lent[None] = upload
    return word


def take_back(word: str) -> None:
    """No new session is opened on the file of this word."""
    upload = _lent.pop(word, None)
    if upload is not None and _lent.get(None) is upload:
        del _lent[None]


def own_file_of(visit: str) -> Any:
    """The own file of an earlier visit, once; or one that was lent. None if there is neither."""
    if visit in _lent:
        return _lent[visit]
    session = _visits.pop(visit, None)
    if session is not None:
        return session.state.data.upload
    return _lent.get(None)


def sessions_on(upload: Any) -> list[Any]:
    """Sessions that were opened on a file and still have it, in no order."""
    held = [reference() for reference in list(_sessions.values())]
    return [one for one in held if one is not None and one.state.data.upload == upload]


def note_fault(document: Any) -> None:
    """Tell the user of a document that something went wrong."""
    TALLY.count_error()
    held = _sessions.get(document) if document is not None else None
    session = None if held is None else held()
    if session is not None:
        session.mailbox.post("fault", lambda: session.note(FAULT))


def note_everyone(sentence: str) -> None:
    """A notice on every page."""
    for session in filter(None, [held() for held in list(_sessions.values())]):
        session.mailbox.post("everyone", lambda session=session: session.note(sentence))


def on_exception(error: Exception) -> None:
    """What a callback raises: its details to our log, a sentence to its user.

    A value that the widgets' own checks refuse is the client's fault, and one line will do.
    """
    frames = traceback.walk_tb(error.__traceback__)
    ours = any(frame.f_globals.get("__name__", "").startswith("explorer.") for frame, _ in frames)
    if isinstance(error, (ValueError, TypeError, LookupError)) and not ours:
        log.warning("A client sent a value that cannot be: %s", str(error)[:300])
    else:
        log.error("A callback raised %r.", error, exc_info=error)
    note_fault(pn.state.curdoc)
