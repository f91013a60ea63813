"""What a start of the server opens is checked and said before anything listens."""

import asyncio
import json

import pytest

from explorer.app.login import (
    FORGIVEN_AFTER,
    LONGEST_DELAY,
    MOST_GUESSING,
    Passwords,
    Patience,
    safe_next,
)
from explorer.app.opening import Opening, Refused

from .client import run


def test_it_listens_to_this_machine_unless_it_is_told_otherwise():
    opening = Opening(port=5006)
    assert opening.listens_to == "127.0.0.1"
    assert opening.hosts == ["localhost:5006", "127.0.0.1:5006"]
    assert opening.warnings() == []


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"public": True}, "add for example --origin"),
        ({"address": "0.0.0.0"}, "add --public"),
        ({"password": "a", "basic_auth": "b"}, "not both"),
        ({"public": True, "origins": ("*",)}, "is not an address"),
        ({"public": True, "origins": ("a b",)}, "is not an address"),
        ({"public": True, "origins": ("a.org/path",)}, "is not an address"),
        ({"public": True, "origins": ("",)}, "is not an address"),
    ],
)
def test_a_start_that_opens_more_than_was_meant_is_refused(asked, words):
    with pytest.raises(Refused, match=words):
        Opening(**asked)


def test_public_without_a_password_warns_and_with_one_warns_of_plain_http():
    named = {"public": True, "origins": ("class.org:5006",)}
    assert "Anybody who knows the address" in Opening(**named).warnings()[0]
    assert "unencrypted" in Opening(**named, password="long enough").warnings()[0]
    assert "shorter than 8" in Opening(**named, password="short").warnings()[1]
    safe = Opening(public=True, origins=("https://class.org",), password="long enough")
    assert safe.warnings() == []
    assert safe.secure
    assert safe.hosts[-1] == "class.org"


def test_passwords_are_for_all_or_by_name(tmp_path):
    one = Passwords("trees")
    assert one.match("anybody", "trees")
    assert not one.match("anybody", "Trees")
    file = tmp_path / "names.json"
    file.write_text(json.dumps({"ada": "x1", "bob": "x2"}))
    many = Passwords.read(file)
    assert many.match("ada", "x1")
    assert not many.match("ada", "x2")
    assert not many.match("eve", "\0")
    assert not many.match("", "")


@pytest.mark.parametrize("text", ["", "[1]", '{"ada": 3}', '{"ada": ""}', "{}", "{"])
def test_a_file_of_passwords_that_is_none_is_refused_with_a_sentence(tmp_path, text):
    file = tmp_path / "names.json"
    file.write_text(text)
    with pytest.raises(ValueError, match="password"):
        Passwords.read(file)


def test_wrong_guesses_take_longer_and_longer_and_are_forgiven_in_time():
    now = [0.0]
    patience = Patience(lambda: now[0])
    delays = [patience.delay("a") for _ in range(7)]
    assert delays == sorted(delays)
    assert delays[0] == 0.5
    assert delays[-1] == LONGEST_DELAY
    assert patience.delay("b") == 0.5  # another address is not held up
    now[0] = FORGIVEN_AFTER + 1
    assert patience.delay("a") == 0.5


def test_one_address_cannot_guess_many_times_at_once():
    async def guess():
        patience = Patience()
        waiting = [asyncio.create_task(patience.wait("a")) for _ in range(MOST_GUESSING)]
        await asyncio.sleep(0)
        assert not patience.allows("a")
        assert patience.allows("b")
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert patience.allows("a")

    run(guess())


@pytest.mark.parametrize(
    ("asked", "goes"),
    [
        ("/?page=Nodes", "./?page=Nodes"),
        ("https://evil.org/?a=1", "./?a=1"),
        ("//evil.org", "./"),
        ("javascript:alert(1)", "./"),
        ("/?a=\r\nSet-Cookie: b", "./"),
        ("", "./"),
    ],
)
def test_a_login_never_leads_elsewhere(asked, goes):
    assert safe_next(asked) == goes
