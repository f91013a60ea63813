import pytest

from app.lessons.visiting import open_lesson
from app.screen import screen_of
from app.settling import settle


@pytest.fixture
def visit(new_session):
    def make(query="", folder=None):
        guide = open_lesson(new_session, query, folder)
        settle(guide.session)
        return guide

    return make


def drawn(guide, card):
    return screen_of(guide.session).cards[card].map.image.data["image"][0].size > 1


def test_a_link_opens_a_lesson_at_its_step(visit):
    guide = visit("lesson=stairs-and-slopes&step=3")
    assert guide.place.step == 2
    assert "more than three times" in guide.words.object
    assert guide.session.state.data.knob("angle") == 45


def test_the_result_is_not_drawn_before_a_prediction_is_made(visit):
    guide = visit("lesson=stairs-and-slopes&step=2")
    cards = screen_of(guide.session).cards
    assert not drawn(guide, 0)
    assert not drawn(guide, 1)
    assert all("%" not in c.numbers.object and c.record is None for c in cards)
    assert "no map" in cards[0].csv()
    guide.reveal()  # without a guess nothing is revealed
    assert not drawn(guide, 0)
    guide.choose(0)
    assert not drawn(guide, 0)
    guide.reveal()
    assert drawn(guide, 0)
    assert drawn(guide, 1)
    assert "18.0 %" in cards[0].numbers.object


def test_a_teacher_reveals_by_key_without_a_choice(visit):
    guide = visit("lesson=stairs-and-slopes&step=2")
    guide.reveal_for_all()
    settle(guide.session)
    assert drawn(guide, 0)
    step = guide.place.now
    assert "What happens:" in guide.told.object
    assert step.choices[step.answer].say in guide.told.object
    assert "You said:" not in guide.told.object
    assert guide.place.key in guide.done
    guide.go(1)
    guide.reveal_for_all()  # nothing is to be revealed here
    assert guide.place.key not in guide.revealed


def test_a_turned_knob_or_a_new_forest_does_not_uncover(visit):
    guide = visit("lesson=stairs-and-slopes&step=2")
    guide.session.data.turn_lead(10)
    settle(guide.session)
    guide.session.models.add()
    settle(guide.session)
    screen_of(guide.session).summary.ask()
    assert [drawn(guide, i) for i in range(3)] == [False, False, False]
    assert "%" not in screen_of(guide.session).summary.pane.object


def test_only_the_named_cards_are_covered(visit):
    guide = visit("lesson=stairs-and-slopes&step=4")
    assert [drawn(guide, i) for i in (0, 1)] == [False, True]


def test_pages_without_maps_are_covered_as_a_whole_also_by_way_of_the_tabs(visit):
    guide = visit("lesson=stairs-and-slopes&step=2")
    assert not guide.plate.visible
    guide.session.open_page("Posterior")
    assert guide.plate.visible
    assert "covered" in screen_of(guide.session).stage.css_classes
    guide.choose(2)
    guide.reveal()
    assert not guide.plate.visible
    assert "covered" not in screen_of(guide.session).stage.css_classes


def test_a_wrong_guess_is_told_why_together_with_the_truth(visit):
    guide = visit("lesson=stairs-and-slopes&step=2")
    guide.choose(0)
    guide.reveal()
    told = guide.told.object
    step = guide.place.now
    assert "You said:" in told
    assert step.choices[0].why.split(".")[0] in told
    assert step.choices[step.answer].say in told
    assert step.choices[step.answer].why.split(".")[0] in told


def test_a_right_guess_is_told_why_too(visit):
    guide = visit("lesson=stairs-and-slopes&step=2")
    guide.choose(2)
    guide.reveal()
    assert "As you said:" in guide.told.object
    assert "You said:" not in guide.told.object


def test_the_steps_go_on_and_back_and_each_is_an_address(visit):
    guide = visit("lesson=stairs-and-slopes")
    for _ in range(4):
        guide.go(1)
    guide.go(-1)
    assert guide.addresses == [f"lesson=stairs-and-slopes&step={n}" for n in (2, 3, 4, 5, 4)]
    assert guide.next.label == "Skip"


def test_a_prediction_that_was_made_stays_made(visit):
    guide = visit("lesson=stairs-and-slopes&step=2")
    guide.choose(1)
    guide.reveal()
    guide.go(1)
    guide.go(-1)
    settle(guide.session)
    assert drawn(guide, 0)
    assert "You said:" in guide.told.object


def test_done_steps_are_ticked(visit):
    guide = visit("lesson=stairs-and-slopes&step=1")
    guide.go(1)
    assert guide.done == {("stairs-and-slopes", 0)}
    guide.choose(0)
    guide.reveal()
    assert ("stairs-and-slopes", 1) in guide.done
    guide.restore("lesson=stairs-and-slopes&step=5")
    assert ("stairs-and-slopes", 4) not in guide.done
    guide.session.data.turn_lead(20)
    guide.session.commit()
    assert ("stairs-and-slopes", 4) in guide.done
    assert guide.progress.object.count(', done" title') == 3


def test_leaving_brings_back_what_the_visitor_had(visit):
    guide = visit("data=moons&trees=7")
    guide.restore("lesson=why-ridge&step=1")
    assert guide.session.state.view.page == "Nodes"
    guide.leave()
    state = guide.session.state
    assert (state.data.source, state.view.trees, state.view.page) == ("moons", 7, "Boundaries")
    assert guide.addresses[-1] == "data=moons&trees=7"
    assert guide.session.covered == frozenset()


def test_leaving_a_lesson_that_a_link_opened_keeps_what_is_seen(visit):
    guide = visit("lesson=stairs-and-slopes&step=1")
    guide.leave()
    assert guide.session.state.data.knob("angle") == 0


def test_past_the_last_step_the_lesson_ends(visit):
    guide = visit("lesson=stairs-and-slopes&step=5")
    assert guide.next.label == "Done"
    guide.go(1)
    assert guide.place is None


def test_going_back_in_the_browser_out_of_a_lesson_ends_it(visit):
    guide = visit("data=moons")
    guide.restore("lesson=stairs-and-slopes&step=2")
    guide.restore("data=moons")
    settle(guide.session)
    assert guide.place is None
    assert drawn(guide, 0)


def test_a_lesson_leaves_the_theme_as_the_visitor_has_it(visit):
    guide = visit("theme=dark")
    guide.restore("lesson=stairs-and-slopes&step=1")
    guide.go(1)
    assert guide.session.state.view.theme == "dark"
    assert guide.addresses[-1].endswith("theme=dark")


def test_the_control_of_a_step_is_pointed_at_and_no_other(visit):
    guide = visit("lesson=stairs-and-slopes&step=5")
    assert "wanted" in guide._controls.lead.css_classes
    guide.go(-1)
    assert "wanted" not in guide._controls.lead.css_classes


@pytest.mark.parametrize(
    ("link", "knob"),
    [
        ("lesson=why-ridge&step=5", (0, "lambdas")),
        ("lesson=units-matter&step=5", (1, "scaling")),
        ("lesson=sparse-or-dense&step=5", (0, "n_combine")),
    ],
)
def test_the_knob_that_a_step_asks_for_is_outlined_itself(visit, link, knob):
    models = visit(link)._sidebar.models
    assert [k for k, w in models._knobs.items() if "wanted" in w.css_classes] == [knob]
    assert any(models._knobs[knob] is w for w in models.view[1 + knob[0]])


def test_a_link_to_a_lesson_that_is_not_here_opens_the_app_with_a_notice(visit):
    guide = visit("lesson=<script>alert(1)</script>&data=moons")
    assert guide.place is None
    assert "not here" in screen_of(guide.session).notice.pane.object
    assert "<script" not in screen_of(guide.session).notice.pane.object
    assert guide.session.state.data.source == "moons"


def test_a_teachers_file_is_in_the_list_when_it_is_opened_again(visit, tmp_path):
    guide = visit(folder=tmp_path)
    assert "Fresh" not in guide.list.object
    (tmp_path / "fresh.md").write_text(
        "---\ntitle: Fresh\nabout: New.\nsteps:\n  - see: Look.\n---\n", encoding="utf-8"
    )
    guide.show_list()
    assert "Fresh" in guide.list.object
    guide.restore("lesson=fresh&step=1")
    assert guide.place.lesson.title == "Fresh"
