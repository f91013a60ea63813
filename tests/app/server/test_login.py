import pytest

from explorer.app.server.login import Passwords, safe_next


def test_one_password_for_all_or_one_for_each_name():
    common = Passwords("four tall trees")
    assert common.match("anybody", "four tall trees")
    assert not common.match("anybody", "four small trees")
    named = Passwords({"ada": "one", "bob": "two"})
    assert named.match("ada", "one")
    assert not named.match("ada", "two")
    assert not named.match("eve", "one")


def test_the_digest_changes_with_the_passwords_so_that_old_logins_end():
    assert Passwords("one").digest() != Passwords("two").digest()
    assert Passwords("one").digest() == Passwords("one").digest()


def test_a_file_of_names_and_passwords_is_read(tmp_path):
    path = tmp_path / "users.json"
    path.write_text('{"ada": "one"}', encoding="utf-8")
    assert Passwords.read(path).match("ada", "one")


@pytest.mark.parametrize("content", ["[]", "{"])
def test_a_file_that_is_none_is_refused_in_a_sentence(tmp_path, content):
    path = tmp_path / "users.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"users\.json"):
        Passwords.read(path)


@pytest.mark.parametrize(
    "target", ["http://elsewhere", "//elsewhere", "javascript:alert(1)", "/\\elsewhere", ""]
)
def test_after_the_login_nobody_is_sent_to_another_site(target):
    assert safe_next(target) == "./"


def test_after_the_login_the_link_is_opened_that_was_asked_for():
    assert safe_next("/?data=moons") == "./?data=moons"
