import numpy as np
import pytest

from app.screen import screen_of
from app.settling import settle
from explorer.app.pages.first_splits import steps
from explorer.app.pages.nodes import NodesPage
from explorer.app.state import link
from explorer.app.state.visitor import State
from explorer.app.work.grow_work import PREPARING


@pytest.fixture
def open_page(new_session):
    def make(query="page=Nodes&data=moons"):
        session = new_session(query)
        page = NodesPage(session)
        session.refresh()
        settle(session)
        return session, page

    return make


class Click:
    def __init__(self, x, y):
        self.x, self.y = x, y


def test_the_tree_of_the_first_forest_is_drawn_with_its_root_chosen(open_page):
    _, page = open_page()
    assert page.shown.node == 0
    assert page.shown.n_tree == 100
    assert "straight" in page.weight_card.words.object
    assert "Weights of the features" in page.weight_card.words.object


def test_a_click_on_a_node_looks_into_it(open_page):
    session, page = open_page("page=Nodes&data=moons&node=1,0,0")
    drawing = page.shown.drawing
    child = next(i for i in range(1, len(drawing.x)) if not drawing.is_leaf[i])
    page._tapped(Click(float(drawing.x[child]), float(drawing.y[child])))
    settle(session)
    assert page.shown.node == drawing.number[child]
    assert page.shown.projection.node == drawing.number[child]
    assert page.shown.rows.size < page.shown.request.source.data.n_samples


def test_a_leaf_shows_its_samples_and_the_cut_above_it(open_page):
    session, page = open_page()
    drawing = page.shown.drawing
    leaf = int(drawing.is_leaf.argmax())
    page._choose(node=int(drawing.number[leaf]))
    settle(session)
    assert page.shown.split == drawing.number[drawing.parent[leaf]]
    assert "Leaf" in page.split_card.words.object


def test_buttons_walk_the_tree_without_a_mouse(open_page):
    session, page = open_page()
    assert page.steps["Parent"].disabled
    page._step(lambda s: s.children[0])
    settle(session)
    assert page.shown.parent == 0
    assert not page.steps["Parent"].disabled
    page._step(lambda s: s.parent)
    settle(session)
    assert page.shown.node == 0


def test_another_tree_begins_at_its_root(open_page):
    session, page = open_page("page=Nodes&data=moons&node=0,0,1")
    page.number.value = 7
    settle(session)
    assert (page.shown.tree, page.shown.node) == (6, 0)


def test_a_node_the_tree_does_not_have_falls_back_to_the_root(open_page):
    _, page = open_page("page=Nodes&data=moons&node=1,2,99999")
    assert page.shown.node == 0


def test_lambda_turns_the_fan_from_the_cut_of_lda_away(open_page):
    _, page = open_page("page=Nodes&node=1,0,0")
    page.power.value = -10
    assert "counted: 0° off LDA" in page.fan_card.words.object
    page.power.value = 10
    assert "counted: 0° off LDA" not in page.fan_card.words.object
    page.power.value = None  # what a client may send
    page._turn_fan()


def test_a_straight_cut_is_as_far_from_the_one_of_lda_as_it_is(open_page):
    """An axis cut at 45 degrees to the clouds is not "0 degrees off LDA"."""
    _, page = open_page("page=Nodes")
    page.power.value = -10
    words, fan = page.fan_card.words.object, page.shown.directions
    assert page.shown.projection.weights.size == 1
    unit = np.zeros(2)
    unit[page.shown.projection.features[0]] = 1.0
    lda = fan.unit[fan.kind.index("lda")]
    true = np.degrees(np.arccos(abs(unit @ lda)))
    assert true > 20
    assert f"own cut: {true:.0f}° off LDA" in words
    assert "this cut is" not in words


def test_a_cut_that_uses_other_features_is_not_compared_with_the_fan(open_page):
    _, page = open_page("page=Nodes&data=twonorm&plane=0,1&node=1,0,0")
    assert set(page.shown.projection.features) - {0, 1}
    assert "own cut" not in page.fan_card.words.object


def test_every_panel_counts_the_samples_of_a_node_alike(open_page):
    session, page = open_page("page=Nodes&data=moons")
    page._step(lambda s: s.children[0])
    settle(session)
    shown = page.shown
    place = int((shown.drawing.number == shown.node).argmax())
    count = f"{shown.drawing.size[place]:g} samples in the bag, repeats counted"
    assert shown.rows.size != shown.drawing.size[place]  # in and out of the bag, each once
    assert shown.projection.times.sum() == shown.drawing.size[place]
    assert count in page.split_card.words.object
    assert count in page.fan_card.words.object
    assert page.tree.nodes.data["samples"][place] == f"{shown.drawing.size[place]:g}"
    assert f"{shown.rows.size} samples selected, in and out of the bag" in (
        screen_of(session).selection.words.object
    )


def test_the_fan_of_a_leaf_is_that_of_the_cut_above_it(open_page):
    session, page = open_page("page=Nodes&data=moons")
    drawing = page.shown.drawing
    leaf = int(drawing.is_leaf.argmax())
    page._choose(node=int(drawing.number[leaf]))
    settle(session)
    assert page.shown.directions.rows.size == drawing.size[drawing.parent[leaf]]


def test_spectra_get_their_weights_along_the_axis(open_page):
    _, page = open_page("page=Nodes&data=spectra_ir&node=1,0,0")
    assert "hidden" in page.weight_card.view.css_classes
    assert "hidden" not in page.band_card.view.css_classes
    assert page.turn_plane.visible


def test_its_plane_shows_the_two_largest_weights(open_page):
    session, page = open_page("page=Nodes&data=wine&node=1,0,0")
    record = page.shown.projection
    order = abs(record.weights).argsort()[::-1][:2]
    page._look_along(None)
    settle(session)
    view = session.state.view
    assert {view.across, view.up} == {int(record.features[i]) for i in order}
    assert "Thick" in page.map_card.words.object


def test_every_picture_gives_its_numbers_as_csv(open_page):
    _, page = open_page()
    assert page._weights_csv().startswith("feature,weight")
    for name in ("drawing", "partition", "projection", "directions"):
        assert len(page._of(name).to_frame()) > 0


def test_the_chosen_node_travels_in_the_link():
    state = State()
    state.selection.param.update(model=1, tree=4, node=9)
    again = State()
    assert link.read(link.write(state), again) == []
    assert (again.selection.model, again.selection.tree, again.selection.node) == (1, 4, 9)


@pytest.mark.parametrize("text", ["-1,0,0", "9,0,0", "1,2", "a,b,c", "1,2,3,4", "1.5,0,0"])
def test_a_bad_node_in_a_link_falls_back_to_the_first(text):
    state = State()
    link.read(f"node={text}", state)
    assert (state.selection.model, state.selection.tree, state.selection.node) == (0, 0, 0)


def test_first_cuts_of_all_forests_are_compared_on_all_samples(open_page):
    session, page = open_page("page=Nodes")
    page.mode.value = "First cuts"
    settle(session)
    rf, ridge = page.firsts.found
    assert rf.record.times.sum() == session.latest.source.data.n_samples
    assert ridge.share > 2 * rf.share  # two thin slanted clouds
    assert [round(s, 6) for s in page.firsts.worth.bars.data["share"]] == [
        round(rf.share, 6),
        round(ridge.share, 6),
    ]
    assert "B oRF-ridge cuts best" in page.firsts.worth_card.words.object
    seen = [c for c in page.firsts.cards if "hidden" not in c.view.css_classes]
    assert len(seen) == 2
    assert "hidden" in page.tree_card.view.css_classes
    page.mode.value = "One node"
    settle(session)
    assert "hidden" not in page.tree_card.view.css_classes
    assert "hidden" in page.firsts.worth_card.view.css_classes


def test_more_candidates_find_first_cuts_that_are_at_least_as_good(open_page):
    session, page = open_page("page=Nodes&data=twonorm&model=RF~n_tree:5")
    page.mode.value = "First cuts"
    settle(session)
    assert page.firsts.wanted() is None
    best = page.firsts.found[0].share
    page.firsts.candidates.value = 0
    settle(session)
    assert page.firsts.wanted() == 1
    assert page.firsts.found[0].share <= best
    page.firsts.candidates.value = 999
    assert page.firsts.wanted() is None


def test_candidates_run_from_one_to_all_features():
    assert steps(2) == [1, 2]
    assert steps(20) == [1, 2, 3, 5, 10, 20]
    assert steps(1) == [1]


def test_a_family_that_must_be_compiled_is_named(open_page):
    session, page = open_page()
    session.maps._tell(1, PREPARING)
    assert "B oRF-ridge is being compiled, once" in page.progress.object
    assert page.stop.visible


def test_a_forest_in_the_place_of_a_baseline_is_looked_into_once_its_maps_are_there(
    open_page, caplog
):
    session, page = open_page("page=Nodes&data=moons&model=svm&model=RF")
    before = page.shown
    session.state.models.models[0].choose("oRF-ridge")  # and no maps of it yet
    page.chosen.param.update(model=0)
    page._ask()
    settle(session)
    assert page.shown is before
    assert "failed" not in caplog.text
    session.refresh()
    settle(session)
    assert page.shown.request.spec.split == "ridge"


def test_a_model_more_than_there_are_maps_of_is_waited_for(open_page):
    session, page = open_page("page=Nodes&data=moons&model=RF")
    session.state.models.add("oRF-ridge", {})
    page.chosen.param.update(model=1)
    before = page.shown
    page._ask()
    settle(session)
    assert page.shown is before


def test_the_tree_of_a_forest_that_was_removed_meanwhile_is_not_drawn(open_page, caplog):
    session, page = open_page("page=Nodes&data=moons&model=RF&model=oRF-ridge")
    page.chosen.param.update(model=1)
    page._ask()
    settle(session)
    before, record = page.shown, page.maps.records[1]
    session.state.models.remove(1)
    page.show(before, 1, record)
    assert "Traceback" not in caplog.text
