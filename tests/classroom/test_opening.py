"""What a start of the server opens is checked and said before anything listens."""

import json

import pytest

from explorer.app.server.login import Passwords, safe_next
from explorer.app.server.startup import Opening, Refused


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
