from urllib.parse import quote

from explorer.app.state import setting_names


def test_names_of_settings_are_short_words_that_need_no_quoting():
    names = setting_names.NAMES
    assert len(set(names)) == len(names)
    assert all(quote(name) == name and name.islower() for name in names)


def test_an_empty_list_is_told_from_no_value():
    assert setting_names.NOTHING
    assert len(setting_names.NOTHING) <= setting_names.LONGEST
