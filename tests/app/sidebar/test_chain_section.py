"""The chain of preparation steps in the sidebar: added, turned, moved, removed, drawn."""

import numpy as np

from app.screen import screen_of
from app.settling import settle
from explorer.analysis.chain_steps import means_after_steps
from explorer.app.sidebar.chain_section import TITLES
from explorer.app.state import link
from explorer.app.work.evaluate_work import contest_of, cross_validate
from explorer.data import Chain, load
from explorer.data.chain import STEPS
from explorer.views.spark import spark_svg

QUERY = "data=spectra_ir&d.p=60&d.n=40&model=RF~n_tree:5"


def names(session):
    return [name for name, _ in session.state.data.chain]


def test_steps_are_added_moved_and_removed_and_the_forests_follow(new_session):
    session = new_session(QUERY)
    box = screen_of(session).sidebar.chain
    box._add("snv")
    box._add("derivative")
    settle(session)
    expected = Chain.of(("snv", {}), ("derivative", {})).apply(load("spectra_ir", p=60, n=40))
    np.testing.assert_array_equal(session.latest.source.data.X, expected.X)
    assert len(box._sparks) == 2
    assert all("<polyline" in spark.object for spark in box._sparks)
    assert "step=snv&step=derivative" in link.write(session.state)
    earlier = [b for b in box.view[3] if getattr(b, "label", "") == "↑"]
    earlier[0].clicks += 1
    settle(session)
    assert names(session) == ["derivative", "snv"]
    first = [b for b in box.view[1] if getattr(b, "label", "") == "×"]
    first[0].clicks += 1
    settle(session)
    assert names(session) == ["snv"]


def test_a_step_that_is_dragged_onto_another_takes_its_place(new_session):
    session = new_session(QUERY + "&step=snv&step=derivative&step=centre")
    box = screen_of(session).sidebar.chain
    box.view[-1].value = "2 0 1"
    settle(session)
    assert names(session) == ["centre", "snv", "derivative"]
    box.view[-1].value = "0 2 2"
    settle(session)
    assert names(session) == ["snv", "derivative", "centre"]
    for nonsense in ("7 0 3", "a b", "1", "", "-1 0 4"):  # a client may send anything
        box.view[-1].value = nonsense
    settle(session)
    assert names(session) == ["snv", "derivative", "centre"]


def test_a_knob_of_a_step_is_turned_and_its_picture_follows(new_session):
    session = new_session(QUERY + "&step=binning")
    box = screen_of(session).sidebar.chain
    before = box._sparks[0].object
    box._turned(0, "size", 10)
    settle(session)
    assert session.latest.source.data.n_features == 6
    assert box._sparks[0].object != before


def test_a_chain_that_leaves_nothing_becomes_a_notice_and_the_last_one_stays(new_session):
    session = new_session(QUERY + "&step=snv")
    screen_of(session).sidebar.chain._change(lambda steps: (*steps, ("binning", (("size", 60),))))
    assert names(session) == ["snv"]
    assert "two channels" in screen_of(session).notice.pane.object


def test_tables_have_no_chain(new_session):
    assert len(screen_of(new_session("data=iris")).sidebar.chain.view) == 0


def test_every_step_has_a_title():
    assert set(TITLES) == set(STEPS)


def test_what_a_step_learns_is_learned_from_the_training_part_in_cross_validation(new_session):
    session = new_session(QUERY + "&step=msc")
    session.refresh()
    settle(session)
    maps = session.latest
    contest = contest_of(maps.source, ("A RF",), maps.request.specs, maps.request.data,
                         session.cache)  # fmt: skip
    assert contest.raw.data.digest() == load("spectra_ir", p=60, n=40).digest()
    assert contest.prepare.plain() == [("msc", {})]
    import threading

    last = [r for r in cross_validate(contest, 2, 1, threading.Event()) if r is not None][-1]
    assert last.done == last.wanted == 2
    plain = new_session(QUERY + "&step=snv").state.data.recipe()
    assert contest_of(maps.source, ("A",), maps.request.specs, plain, session.cache).raw is None


def test_means_after_steps_are_those_of_the_chain_and_are_drawn_per_class():
    data = load("spectra_ir", p=60, n=20)
    chain = Chain.of(("snv", {}), ("binning", {"size": 4}))
    means = means_after_steps(data, chain.steps)
    assert [m.shape for m in means] == [(2, 60), (2, 15)]
    prepared = chain.apply(data)
    np.testing.assert_allclose(means[-1][1], prepared.X[prepared.y == 1].mean(axis=0))
    assert spark_svg(means[0]).count("<polyline") == 2
    means[0][0] = np.nan
    assert spark_svg(means[0]).count("<polyline") == 1
