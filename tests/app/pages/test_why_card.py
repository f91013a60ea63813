"""The card that explains a sample: in the link, on click, from tables; votes, bars, path."""

import re

import numpy as np
import pytest

from app.screen import screen_of
from app.settling import settle
from explorer.app.layout.page import Pages
from explorer.app.pages.controls import Controls
from explorer.app.state import link

MODELS = "&model=RF~n_tree:12&model=oRF-ridge~n_tree:12"


@pytest.fixture
def asking(new_session):
    def make(query):
        session = new_session(query)
        session.refresh()
        settle(session)
        return session

    return make


def card_of(session):
    return screen_of(session).why


def test_a_link_explains_its_sample_with_all_its_votes(asking):
    session = asking("data=wine&why=75" + MODELS)
    card = card_of(session)
    assert "gone" not in card.card.css_classes
    assert "sample 75" in card.who.object
    assert card.votes.object.count("<rect") == 24
    counted = re.findall(r": (.*?)</p>", card.votes.object)[0]
    assert sum(int(n) for n in re.findall(r"(\d+) grower", counted)) == 12
    assert link.write(session.state) == link.write(asking(link.write(session.state)).state)


def test_the_bars_are_the_shapley_values_of_the_chosen_forest(asking):
    session = asking("data=wine&why=75" + MODELS)
    card = card_of(session)
    for place in (0, 1):
        card.model.value = place
        shared = card.made.shared[place]
        k = shared.predicted
        assert shared.values[:, k].sum() == pytest.approx(shared.posterior[k] - shared.base[k])
        largest = np.sort(np.abs(shared.values[:, k]))[::-1][: len(card.bars.bars.data["value"])]
        np.testing.assert_allclose(np.abs(card.bars.bars.data["value"]), largest)
    assert "standard error at most" in card.shares.object


def test_spectra_are_coloured_along_their_line(asking):
    session = asking("data=tecator&why=3&model=oRF-ridge~n_tree:8")
    card = card_of(session)
    assert "gone" in card.bars_frame.css_classes
    lines = card.spectrum.lines.data
    assert len(lines["xs"]) == 20
    assert sum(len(x) for x in lines["xs"]) == 100 + 19  # bands meet
    assert len(set(lines["colour"])) > 3


def test_its_path_is_lit_on_the_nodes_page(asking):
    session = asking("data=wine&why=75" + MODELS)
    Pages(screen_of(session), Controls(session))
    card = card_of(session)
    card.model.value, card.tree.value = 1, 3
    card._see_path()
    settle(session)
    chosen = session.state.selection
    assert (session.state.view.page, chosen.model, chosen.tree) == ("Nodes", 1, 2)
    assert chosen.node == card.made.explained[1].leaf[2]
    assert "gone" not in card.card.css_classes


def test_a_row_of_a_table_is_explained_and_nonsense_is_refused(asking):
    session = asking("data=wine" + MODELS)
    card = card_of(session)
    assert "gone" in card.card.css_classes
    card._row_asked("data", {}, {"row": ["12/1"]})
    settle(session)
    assert session.state.selection.why == 11
    assert "sample 12" in card.who.object
    for nonsense in ("999/2", "u/3", "-4/4", "x" * 50):
        card._row_asked("data", {}, {"row": [nonsense]})
        settle(session)
        assert session.state.selection.why == 11
    session.why.close()
    assert "gone" in card.card.css_classes
    assert "why" not in link.write(session.state)


def test_a_sample_measured_later_is_explained_by_its_values(asking):
    session = asking("data=wine" + MODELS)
    session.why.ask_values("new <b>one</b>", session.data_now().X[20] + 0.01)
    settle(session)
    card = card_of(session)
    assert "new &lt;b&gt;one" in card.who.object
    assert card.made.explained[0].nearest[0] == 20
    session.data.choose("iris")
    settle(session)
    assert "gone" in card.card.css_classes


def test_models_without_trees_are_said_so(asking):
    session = asking("data=wine&why=2&model=knn~neighbours:5")
    assert "Choose a forest" in card_of(session).who.object
