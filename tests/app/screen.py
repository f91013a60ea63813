"""What a visitor without a browser sees: the parts of the page that belong to a session."""

from explorer.app.layout.screen import Screen

_screens = {}


def screen_of(session):
    """The screen of a session, built when it is first asked for."""
    if session not in _screens:
        _screens[session] = Screen(session)
    return _screens[session]


def leave(session):
    """The visitor goes; the session and its screen are forgotten."""
    screen_of(session).close()
    del _screens[session]
