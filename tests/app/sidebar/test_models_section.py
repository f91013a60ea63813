"""Knobs of models: linked ones move together, and none is replaced while it is dragged."""

from app.screen import screen_of
from app.settling import settle
from explorer.app.pages.controls import Controls
from explorer.app.session.events import LinkChanged
from explorer.app.state import link
from explorer.app.state.visitor import State

FEW = "model=RF~n_tree:5&model=oRF-ridge~n_tree:5&model=F-RC~n_tree:5"


def widget(session, index, label):
    """The knob of a card in the sidebar."""
    return next(
        w
        for w in screen_of(session).sidebar.models.view[index + 1]
        if label in (w.name, getattr(w, "label", ""))
    )


def drag(slider, *places):
    """What a browser sends while a slider is dragged and let go."""
    for place in places:
        slider.value = place
    slider.param.trigger("value_throttled")


def test_a_linked_knob_that_is_dragged_stays_and_its_end_writes_the_link(new_session):
    session = new_session(FEW + "&linked=1")
    Controls(session)
    written = []
    session.subscribe(LinkChanged, lambda event: written.append(event.query))
    slider = widget(session, 0, "Trees, n_tree")
    drag(slider, slider.offered.index(10), slider.offered.index(20))
    settle(session)
    assert widget(session, 0, "Trees, n_tree") is slider
    assert written, "the end of the drag was not heard"
    other = State()
    link.read(written[-1], other)
    assert [m.spec().n_tree for m in other.models.models] == [20, 20, 20]
    assert other.models.linked
    others = [widget(session, i, "Trees, n_tree") for i in (1, 2)]
    assert [w.offered[w.value] for w in others] == [20, 20]


def test_a_linked_knob_leaves_a_pruned_tree_alone(new_session):
    session = new_session("model=RF~n_tree:5&model=CART&linked=1")
    session.models.turn(0, "n_tree", 7)
    assert session.state.models.models[1].spec().n_tree == 1


def test_a_knob_that_changes_the_number_of_features_stays_while_it_is_dragged(new_session):
    session = new_session("data=twonorm&d.n=50&model=RF~n_tree:5")
    Controls(session)
    written = []
    session.subscribe(LinkChanged, lambda event: written.append(event.query))
    slider = next(
        w for w in screen_of(session).sidebar.knob_box if "Features" in getattr(w, "label", "")
    )
    drag(slider, slider.value - 1, slider.value - 2)
    settle(session)
    assert slider in list(screen_of(session).sidebar.knob_box)
    assert written
    assert "d.p=" in written[-1]


def test_a_linked_forest_that_cannot_take_a_value_keeps_its_own(new_session):
    session = new_session("model=oRF-ridge~n_tree:5&model=oRF-log~n_tree:5&linked=1")
    before = session.state.models.models[1].spec().lambdas
    session.models.turn(0, "lambdas", (0.1, 1.0, 10.0))
    assert session.state.models.models[0].spec().lambdas == (0.1, 1.0, 10.0)
    assert session.state.models.models[1].spec().lambdas == before


def test_every_knob_of_a_forest_can_be_turned_and_is_in_the_link(new_session):
    """All that `ForestSpec` knows but the split itself and what no card needs."""
    session = new_session("data=iris&model=RF-ODT~n_tree:4&model=F-RC~n_tree:4&model=RF~n_tree:4")
    models = screen_of(session).sidebar.models
    turned = {
        (0, "balance"): False,
        (0, "bootstrap"): "without",
        (0, "max_depth"): 3,
        (0, "subspace"): "tree",
        (1, "vary_combine"): True,
        (2, "rotate"): True,
        (1, "n_candidates"): 3000,
    }
    for (index, name), value in turned.items():
        made = models.knob(index, name)
        made.value = made.offered.index(value) if hasattr(made, "offered") else value
        settle(session)
        assert getattr(session.state.models.models[index].spec(), name) == value
    again = State()
    assert link.read(link.write(session.state), again) == []
    specs = [[m.spec(4) for m in s.models.models] for s in (session.state, again)]
    assert specs[0] == specs[1]


def test_a_limit_of_depth_can_be_lifted_again(new_session):
    session = new_session("data=iris&model=RF~n_tree:4~max_depth:2")
    made = screen_of(session).sidebar.models.knob(0, "max_depth")
    assert made.value == 2
    made.value = ""
    settle(session)
    assert session.state.models.models[0].spec().max_depth is None
    assert "max_depth" not in link.write(session.state)
