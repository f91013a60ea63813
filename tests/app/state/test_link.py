import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.app.state import link
from explorer.app.state.visitor import MOST_POINTS, PAINT, State
from explorer.data import catalogue
from explorer.engine import FAMILIES


def round_trip(state):
    query = link.write(state)
    again = State()
    assert link.read(query, again) == []
    return query, again


def test_the_first_screen_needs_no_query():
    assert link.write(State()) == ""


def test_a_link_restores_data_models_and_view():
    state = State()
    state.data.choose("moons")
    state.data.turn_knob("noise", 0.31)
    state.data.param.update(transform="turn")
    state.data.turn_transform_knob("angle", 33)
    state.models.add("F-RC", {"n_combine": 1})
    state.models.models[1].turn_knob("lambdas", (0.1, 10.0))
    state.models.linked = True
    state.view.param.update(
        page="Posterior", soft=False, layers=["Errors"], trees=13, theme="dark", present=True
    )
    query, again = round_trip(state)
    assert again.data.recipe() == state.data.recipe()
    assert [m.spec(2) for m in again.models.models] == [m.spec(2) for m in state.models.models]
    assert again.models.linked
    for name in ("page", "soft", "layers", "trees", "theme", "present", "across", "up"):
        assert getattr(again.view, name) == getattr(state.view, name), name
    assert link.write(again) == query


def test_a_link_restores_painted_points_within_four_kilobytes(rng):
    state = State()
    points = [
        (round(float(x), 3), round(float(y), 3), int(k))
        for x, y, k in zip(
            rng.uniform(-30, 30, MOST_POINTS),
            rng.uniform(-30, 30, MOST_POINTS),
            rng.integers(0, 4, MOST_POINTS),
            strict=True,
        )
    ]
    state.data.param.update(source=PAINT, points=points)
    query, again = round_trip(state)
    assert len(query) < 4000
    assert again.data.points == points


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_survives_a_link(family):
    state = State()
    state.models.models[0].choose(family)
    _, again = round_trip(state)
    assert again.models.models[0].spec(2) == state.models.models[0].spec(2)


@pytest.mark.parametrize("name", list(catalogue()))
def test_every_data_set_survives_a_link(name):
    state = State()
    state.data.choose(name)
    _, again = round_trip(state)
    assert again.data.recipe() == state.data.recipe()


@pytest.mark.parametrize(
    "query",
    [
        "data=%3Cscript%3E",
        "data=paint&points=AAAA",
        "data=paint&points=" + "A" * 3000,
        "d.angle=nan",
        "d.angle=" + "9" * 5000,
        "d.n=1e999",
        "d.nothing=1",
        "model=RF~n_tree:1000000000000",
        "model=__import__~x:1",
        "model=RF~seed:-5&model=RF~nothing:2&model=RF~:&model=~",
        "trees=-4",
        "page=Nowhere",
        "theme=%00",
        "plane=3,3",
        "plane=x",
        "transform=rm",
        "transform=turn&t.angle=inf",
        "layers=<img>",
    ],
)
def test_a_bad_link_falls_back_to_defaults_and_repeats_nothing_of_it(query):
    state = State()
    notices = link.read(query, state)
    state.data.recipe()
    [m.spec(2) for m in state.models.models]
    for notice in notices:
        assert "<" not in notice
        assert notice.endswith(".")


def test_a_link_with_seven_models_keeps_six_and_says_so():
    state = State()
    notices = link.read("&".join(["model=RF"] * 7), state)
    assert len(state.models.models) == 6
    assert any("six" in n for n in notices)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=string.printable, max_size=400))
def test_no_text_makes_reading_fail(query):
    link.read(query, State())


KEYS = """data points d.angle d.n d.seed model linked page soft layers trees plane theme
transform t.angle"""


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(KEYS.split()),
            st.one_of(
                st.text(max_size=30),
                st.integers().map(str),
                st.floats().map(str),
                st.sampled_from(["paint", "RF~n_tree:5", "oRF-ridge~lambdas:1,2", "turn", "0,1"]),
            ),
        ),
        max_size=8,
    )
)
def test_no_combination_of_known_keys_and_odd_values_makes_reading_fail(pairs):
    from urllib.parse import urlencode

    state = State()
    link.read(urlencode(pairs, errors="replace"), state)
    assert len(link.write(state)) < 2 * link.LONGEST


def test_a_link_with_everything_in_it_stays_under_four_kilobytes(rng):
    from explorer.app.state.setting_names import NAMES

    state = State()
    xy = rng.uniform(-30, 30, (MOST_POINTS, 2)).round(3)
    codes = rng.integers(0, 4, MOST_POINTS)
    points = [(float(x), float(y), int(k)) for (x, y), k in zip(xy, codes, strict=True)]
    state.data.param.update(source=PAINT, points=points)
    state.models.models = []
    for family in ("oRF-ridge", "F-RC", "RF-ODT", "RR-RF", "FRANK", "oRF-lda"):
        state.models.add(family, {"n_tree": 123, "seed": 2**31 - 1, "criterion": "entropy"})
    state.view.param.update(
        page="Evaluate", settings=dict.fromkeys(NAMES, "x" * 20), soft=False, theme="dark"
    )
    state.selection.param.update(
        rows=sorted(rng.choice(5000, 900, replace=False).tolist()), how="lasso"
    )
    query = link.write(state)
    assert len(query) < 4000
    again = State()
    link.read(query, again)
    assert again.data.points == points
    assert len(again.models.models) == 6
