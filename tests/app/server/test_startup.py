"""What a start refuses: weak keys, empty passwords; and what the environment cannot widen."""

import pytest

from explorer.app.server import routes
from explorer.app.server.login import Passwords
from explorer.app.server.startup import PASSWORD_VARIABLE, Opening, Refused

NAMED = {"public": True, "origins": ("https://class.example.org",)}
KEY = "k" * 64


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOKEH_SECRET_KEY", KEY)
    monkeypatch.setenv("BOKEH_SIGN_SESSIONS", "yes")
    monkeypatch.delenv(PASSWORD_VARIABLE, raising=False)
    monkeypatch.setattr(routes.settings, "_secret_key_bytes", None, raising=False)


@pytest.mark.parametrize("key", ["", "secret", "k" * 31])
def test_a_secret_key_that_can_be_guessed_is_refused(monkeypatch, key: str) -> None:
    monkeypatch.setenv("BOKEH_SECRET_KEY", key)
    with pytest.raises(Refused, match="at least 32"):
        Opening().options()


def test_a_start_without_a_key_makes_one(monkeypatch) -> None:
    monkeypatch.delenv("BOKEH_SECRET_KEY")
    assert len(Opening().options()["secret_key"]) >= 32


@pytest.mark.parametrize("password", ["", None])
def test_an_empty_password_of_a_public_server_is_refused(monkeypatch, password) -> None:
    monkeypatch.setenv(PASSWORD_VARIABLE, "")
    with pytest.raises(Refused, match="password is empty"):
        Opening(**NAMED, password=password)


def test_the_environment_cannot_widen_the_origins(monkeypatch) -> None:
    monkeypatch.setenv("BOKEH_ALLOW_WS_ORIGIN", "evil.example.org")
    options = Opening(**NAMED).options()
    assert "evil.example.org" not in options["websocket_origin"]
    assert routes.settings.allowed_ws_origin() == []


def test_another_password_ends_old_cookies() -> None:
    secrets = {
        Opening(**NAMED, password=text).options()["cookie_secret"] for text in ("first", "second")
    }
    assert len(secrets) == 2
    again = Opening(**NAMED, password="first").options()["cookie_secret"]
    assert again in secrets


def test_the_digest_of_passwords_changes_with_names_and_passwords() -> None:
    digests = {
        Passwords({"ada": "one"}).digest(),
        Passwords({"ada": "two"}).digest(),
        Passwords({"eve": "one"}).digest(),
        Passwords("one").digest(),
    }
    assert len(digests) == 4
