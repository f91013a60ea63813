import pytest

from explorer.app.state import link
from explorer.app.state.chain_choice import added, moved, parsed, removed, turned, written
from explorer.app.state.visitor import State
from explorer.data.chain import MOST_STEPS, STEPS
from explorer.data.transforms import TRANSFORMS

TWO = (("snv", ()), ("derivative", (("order", 2),)))


def test_steps_are_added_moved_turned_and_removed():
    steps = added(TWO, "binning", {"size": 5})
    assert [name for name, _ in moved(steps, 2, 0)] == ["binning", "snv", "derivative"]
    assert moved(steps, 0, -1) == steps
    assert moved(steps, 2, 99) == steps
    assert turned(steps, 2, "size", 4)[2] == ("binning", ())  # the default is not kept
    assert removed(steps, 2) == TWO


def test_what_cannot_be_is_refused_in_words():
    for act in (
        lambda: added(TWO, "nothing"),
        lambda: added(TWO, "snv", {"size": 1}),
        lambda: added((("snv", ()),) * MOST_STEPS, "snv"),
        lambda: turned(TWO, 1, "order", 9),
        lambda: turned(TWO, 0, "order", 1),
        lambda: removed(TWO, 2),
        lambda: moved(TWO, -1, 0),
    ):
        with pytest.raises(ValueError, match=r"\.$"):
            act()


@pytest.mark.parametrize("name", STEPS)
def test_every_step_with_every_knob_goes_through_a_link(name):
    knobs = {}
    for knob, setting in TRANSFORMS[name].knobs().items():
        value = setting.default
        if setting.choices:
            value = setting.choices[-1]
        elif isinstance(value, bool):
            value = not value
        knobs[knob] = value
    step = (name, tuple(sorted(knobs.items())))
    assert parsed(written(step)) == (name, knobs)


@pytest.mark.parametrize("text", ["", "x", "snv~a:1", "derivative~order:9", "derivative~order:x"])
def test_other_texts_are_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011
        parsed(text)


def test_a_chain_is_in_the_link_and_comes_back():
    state = State()
    query = "data=spectra_ir&step=msc&step=derivative~order%3A2~window%3A9"
    assert link.read(query, state) == []
    assert link.write(state) == query
    data = state.data.recipe().load()
    assert data.axis is not None
    state.data.choose("spectra_ir")
    assert state.data.chain == []


def test_a_step_for_data_without_an_axis_is_a_notice():
    state = State()
    assert link.read("data=iris&step=snv", state)
    assert state.data.chain == []
