"""Any state that a visitor can reach survives the way through a link, bit for bit."""

import math
from contextlib import suppress

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer.app.sidebar.models_section import MODEL_KNOBS
from explorer.app.state import link
from explorer.app.state.baselines import BASELINES, CHOICES
from explorer.app.state.plane_choice import AT, KINDS, MOST_FIXED
from explorer.app.state.setting_names import NAMES
from explorer.app.state.visitor import (
    LAYERS,
    MEASURES,
    OFFERED_TRANSFORMS,
    PAGES,
    PAINT,
    SELECTED_BY,
    State,
)
from explorer.data import catalogue
from explorer.data.transforms import TRANSFORMS
from explorer.engine import FAMILIES

ALL = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))


def number(low, high, whole):
    """Any number that a slider or a field between two ends can have."""
    low = -1e6 if low is None else low
    high = 1e6 if high is None else high
    if whole:
        return st.integers(math.ceil(low), math.floor(high))
    return st.floats(low, high, allow_nan=False, width=64)


def value_of(knob):
    if knob.choices:
        return st.sampled_from(list(knob.choices))
    if isinstance(knob.default, bool):
        return st.booleans()
    return number(knob.low, knob.high, isinstance(knob.default, int))


def turn(draw, knobs, turn_one):
    """Turn some of the knobs; what the state refuses is no state that is reached."""
    for name in draw(st.lists(st.sampled_from(sorted(knobs)), max_size=3)) if knobs else ():
        try:
            turn_one(name, draw(value_of(knobs[name])))
        except (ValueError, TypeError):
            continue


def choose_data(draw, data):
    source = draw(st.sampled_from(sorted(catalogue())))
    data.choose(source)
    turn(draw, catalogue()[source].knobs, data.turn_knob)
    transform = draw(st.sampled_from(OFFERED_TRANSFORMS))
    data.param.update(transform=transform, transform_knobs={})
    if transform != "none":
        turn(draw, TRANSFORMS[transform].knobs(), data.turn_transform_knob)


def paint(draw, data):
    place = st.integers(-30_000, 30_000).map(lambda i: i / 1000)
    points = draw(st.lists(st.tuples(place, place, st.integers(0, 3)), max_size=20))
    data.param.update(points=points, begun=True)
    if draw(st.booleans()):
        data.choose(PAINT)


def choose_models(draw, models):
    models.linked = draw(st.booleans())
    for _ in range(draw(st.integers(0, 3))):
        models.add(draw(st.sampled_from([*FAMILIES, *BASELINES])))
    for i in draw(st.lists(st.integers(0, len(models.models) - 1), max_size=4)):
        model = models.models[i]
        if not model.has_trees:
            for name in model.spec().settings:
                knob = CHOICES[name].knob
                model.turn_knob(name, draw(st.none() | value_of(knob)))
            continue
        spec = model.spec()
        heeded = {n: k for n, k in MODEL_KNOBS.items() if getattr(spec, n) is not None}
        lambdas = heeded.pop("lambdas", None)
        turn(draw, heeded, lambda name, value, i=i: models.turn_knob(i, name, value))
        if lambdas is not None:
            powers = draw(st.lists(st.integers(-5, 5), min_size=1, max_size=11, unique=True))
            with suppress(ValueError):  # a logistic split takes one penalty
                models.turn_knob(i, "lambdas", tuple(10.0**p for p in sorted(powers)))


def look(draw, view):
    across, up = draw(st.lists(st.integers(0, 50), min_size=2, max_size=2, unique=True))
    view.param.update(
        page=draw(st.sampled_from(PAGES)),
        soft=draw(st.booleans()),
        layers=draw(st.lists(st.sampled_from(LAYERS), unique=True).map(_in_order)),
        trees=draw(st.integers(0, 1000)),
        across=across,
        up=up,
        plane=draw(st.sampled_from(list(KINDS))),
        at=draw(st.sampled_from([a for a in AT if a != "values"])),
        sample=draw(st.integers(0, 500)),
        theme=draw(st.sampled_from(["light", "dark"])),
        present=draw(st.booleans()),
        measure=draw(st.sampled_from(list(MEASURES))),
        flipped=draw(st.booleans()),
        settings=draw(
            st.dictionaries(
                st.sampled_from(NAMES), st.text("abc.-0123", min_size=1, max_size=9), max_size=3
            )
        ),
    )
    if view.page == "Papers":
        view.study = draw(st.sampled_from(["", "menze-fig2"]))
    values = st.floats(-1e9, 1e9, allow_nan=False)
    for f in draw(st.lists(st.integers(0, 40), max_size=MOST_FIXED, unique=True)):
        view.fix(f, draw(values))


def _in_order(layers):
    return [name for name in LAYERS if name in layers]


def select(draw, selection):
    selection.param.update(
        model=draw(st.integers(0, 5)),
        tree=draw(st.integers(0, 200)),
        node=draw(st.integers(0, 2000)),
    )
    rows = sorted(draw(st.sets(st.integers(0, 400), max_size=30)))
    if rows:
        selection.param.update(rows=rows, how=draw(st.sampled_from(SELECTED_BY)))


@st.composite
def reached(draw):
    """A state by way of the methods that widgets call."""
    state = State()
    if draw(st.booleans()):
        choose_data(draw, state.data)
    if draw(st.booleans()):
        paint(draw, state.data)
    if draw(st.booleans()):
        choose_models(draw, state.models)
    if draw(st.booleans()):
        look(draw, state.view)
    if draw(st.booleans()):
        select(draw, state.selection)
    return state


@ALL
@given(reached())
def test_any_reachable_state_survives_the_round_trip(state):
    query = link.write(state)
    again = State()
    assert link.read(query, again) == []
    assert again.data.recipe() == state.data.recipe()
    assert again.data.chosen_recipe() == state.data.chosen_recipe()
    assert again.data.painting == state.data.painting
    assert again.models.linked == state.models.linked
    models = zip(again.models.models, state.models.models, strict=True)
    assert [
        (a.family, a.knobs) for a, b in models if (a.family, a.knobs) != (b.family, b.knobs)
    ] == []
    assert values(again.view) == values(state.view)
    for name in ("model", "tree", "node", "rows", "how"):
        assert getattr(again.selection, name) == getattr(state.selection, name), name
    assert link.write(again) == query


def values(parameterized):
    return {k: v for k, v in parameterized.param.values().items() if k != "name"}
