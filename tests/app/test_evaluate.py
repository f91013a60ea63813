import time

import pytest
from settling import settle

from explorer.app.evaluate import CV, OOB, EvaluatePage
from explorer.app.evaluate_work import Contest, m_try_values, with_rival
from explorer.app.work import Source
from explorer.data import load
from explorer.engine import FAMILIES


@pytest.fixture
def open_page(new_session):
    def make(query="page=Evaluate&data=moons"):
        session = new_session(query)
        page = EvaluatePage(session)
        session.refresh()
        settle(session)
        return session, page

    return make


def test_out_of_bag_numbers_are_those_of_the_maps(open_page):
    session, page = open_page()
    shares = [e.error for e in page.results[OOB].evaluations]
    assert shares == pytest.approx([c.record.oob_error for c in session.cards])
    assert len(page.error.lines[1].data["y"]) > 90
    assert page.curves[0].n_curves == 1


def test_trying_them_ends_with_a_verdict_over_all_runs(open_page):
    session, page = open_page("page=Evaluate")
    page.contest.folds.value, page.contest.repeats.value = 3, 2
    page.contest.run()
    assert page.contest.stop.visible
    settle(session)
    assert not page.contest.stop.visible
    assert page.results[CV].done == page.results[CV].wanted == 6
    assert page.results[CV].verdict.winner == "B oRF-ridge"
    assert "does better" in page.contest.card.words.object
    assert page.judged.visible
    assert page.curves[0].n_curves == 6


def test_stopping_keeps_the_runs_that_are_done(open_page):
    session, page = open_page()
    page.contest.repeats.value = 20
    page.contest.run()
    end = time.monotonic() + 60
    while page.contest.results is None and time.monotonic() < end:
        time.sleep(0.01)
    page.contest.halt()
    settle(session)
    assert 0 < page.contest.results.done < page.contest.results.wanted
    assert "Stopped after" in page.contest.progress.object
    assert page.contest.start.visible


def test_other_data_drop_the_verdict(open_page):
    session, page = open_page()
    page.contest.folds.value, page.contest.repeats.value = 2, 1
    page.contest.run()
    settle(session)
    session.turn_data("noise", 0.4)
    settle(session)
    assert CV not in page.results
    assert "changed" in page.contest.card.words.object
    assert not page.judged.visible


def test_what_a_client_must_not_send_becomes_a_notice(open_page):
    session, page = open_page()
    page.contest.folds.value = 10_000
    page.contest.run()
    assert "folds" in session.notice.object
    assert not page.contest.stop.visible


def test_too_few_samples_for_the_folds_are_said_beside_the_button(open_page):
    points = "page=Evaluate&data=clouds&d.n=20"
    session, page = open_page(points)
    page.contest.folds.value = 10
    page.contest.run()
    settle(session)
    words = page.contest.card.words.object
    assert "too few" in words or "runs" in words


def test_a_forest_without_bags_says_so_and_the_others_are_judged(open_page):
    _, page = open_page("page=Evaluate&data=moons&model=RF&model=oblique-tree")
    assert page.results[OOB].evaluations[1] is None
    assert "out of a bag" in page.error_card.words.object
    page.forest.value = 1
    assert "out of a bag" in page.confusion_card.words.object


def test_another_positive_class_is_another_curve(open_page):
    session, page = open_page("page=Evaluate&data=iris")
    page.positive.value = 0
    settle(session)
    assert page.curves[0].positive == page.maps.source.data.class_names[0]


def test_every_picture_gives_its_numbers_as_csv(open_page):
    _, page = open_page()
    assert page._error_csv().startswith("trees,A RF,B oRF-ridge")
    assert "true_positive" in page._curves_csv()
    assert len(page._frame("class_frame")) == 2


@pytest.mark.parametrize(
    ("families", "names"),
    [
        (["oRF-ridge"], ["RF, for comparison", "A oRF-ridge"]),
        (["RF"], ["A RF", "oRF-ridge, for comparison"]),
        (["F-RC", "RF"], ["B RF", "A F-RC"]),
    ],
)
def test_a_verdict_always_weighs_a_straight_forest_against_another(families, names):
    moons = load("moons")
    called = tuple(f"{'ABC'[i]} {f}" for i, f in enumerate(families))
    contest = Contest(Source(moons, moons.digest()), called, tuple(FAMILIES[f] for f in families))
    assert with_rival(contest)[0] == names


def test_curves_are_chosen_and_each_has_its_card(open_page):
    session, page = open_page(
        "page=Evaluate&data=moons&model=RF~n_tree:10&model=oRF-ridge~n_tree:10"
    )
    for name, record in (
        ("Precision and recall", "PrecisionRecall"),
        ("Calibration", "Calibration"),
    ):
        page.curve.value = name
        settle(session)
        assert type(page.curves[0]).__name__ == record
        seen = [n for n, c in page.curve_cards.items() if "hidden" not in c.view.css_classes]
        assert seen == [name]
    page.forest.value = 1
    settle(session)
    most = page.curves[1].count.max()
    assert f"up to {most}" in page.curve_cards["Calibration"].words.object
    assert "count" in page._curves_csv()


def test_m_try_is_turned_value_by_value_and_can_be_stopped(open_page):
    session, page = open_page("page=Evaluate&data=twonorm&model=RF~n_tree:10&model=F-RC~n_tree:10")
    page.by.value = "Error by m_try"
    assert "hidden" in page.error_card.view.css_classes
    page.sweep.run()
    end = time.monotonic() + 60
    while page.sweep.results is None and time.monotonic() < end:
        time.sleep(0.005)
    page.sweep.halt()
    kept = page.sweep.results
    assert kept.done >= 1
    assert page.sweep.start.visible
    page.sweep.run()
    settle(session)
    found = page.sweep.results
    assert found.done == found.wanted == len(found.values)
    assert found.sweeps[1] is None
    assert "No m_try: B" in page.sweep.card.words.object
    assert "Least: A" in page.sweep.card.words.object
    assert "m_try" in page.sweep._csv()


def test_forests_without_m_try_say_that_there_is_nothing_to_turn(open_page):
    session, page = open_page("page=Evaluate&data=moons&model=F-RC~n_tree:5")
    page.sweep.run()
    settle(session)
    assert "m_try is no knob" in page.sweep.card.words.object
    assert page.sweep.start.visible


def test_values_of_m_try_run_from_one_to_all_features():
    assert m_try_values(2) == (1, 2)
    assert m_try_values(100)[0] == 1
    assert m_try_values(100)[-1] == 100
    assert 10 in m_try_values(100)
    assert len(m_try_values(4000)) <= 8


def test_selected_samples_are_counted_in_the_confusion(open_page):
    session, page = open_page("page=Evaluate&data=moons&model=RF~n_tree:10")
    session.selected.choose([0, 1, 2], "lasso")
    assert "Of the selected:" in page.confusion_card.words.object
    assert " of 3." in page.confusion_card.words.object


def test_what_is_asked_for_while_forests_grow_starts_when_they_are_grown(new_session):
    session = new_session("page=Evaluate&model=RF~n_tree:5")
    page = EvaluatePage(session)
    page.contest.folds.value, page.contest.repeats.value = 2, 1
    page.contest.run()
    assert page.contest.pending
    assert not page.contest.stop.visible
    session.refresh()
    settle(session)
    assert page.contest.results.done == 2
