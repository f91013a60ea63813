from importlib import import_module

import pytest

from explorer.app.state.page_list import ENTRIES, has_maps, page_entry, page_names


def test_every_page_has_a_name_of_its_own():
    assert len(set(page_names())) == len(ENTRIES)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_the_class_of_every_page_is_where_its_entry_says(entry):
    if entry.made_by:
        module, name = entry.made_by.split(":")
        assert callable(getattr(import_module(module), name))
    else:
        assert entry.needs == "maps"  # the maps themselves are the page
    assert page_entry(entry.name) is entry
    assert has_maps(entry.name) == (entry.needs == "maps")
