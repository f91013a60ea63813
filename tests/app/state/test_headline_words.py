import pytest

from explorer.app.state import link
from explorer.app.state.headline_words import FIRST, headline_words
from explorer.app.state.visitor import State


def words_of(query):
    state = State()
    assert link.read(query, state) == []
    return headline_words(state)


def test_the_first_page_says_what_its_two_forests_may_do():
    assert words_of("") == FIRST


@pytest.mark.parametrize(
    "query",
    [
        "model=RF~n_tree%3A1000&model=oRF-ridge",  # not the same number of trees
        "model=RF&model=oRF-ridge~m_try%3A1",  # one feature per node: the right cuts straight, too
        "model=oRF-ridge&model=RF",  # left and right exchanged
    ],
)
def test_it_does_not_say_so_of_other_forests(query):
    assert (
        words_of(query)
        == "Two long thin clouds, turned: straight cuts make stairs where a slant makes one line."
    )


def test_the_page_of_images_does_not_speak_of_other_data():
    assert words_of("page=Images&data=moons").startswith("An image with a spectrum")
