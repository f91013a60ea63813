import re
from types import SimpleNamespace

import numpy as np
import pytest

from app.screen import screen_of
from app.settling import settle
from explorer.app.layout.page import Pages
from explorer.app.pages.controls import Controls
from explorer.app.pages.importance_text import summary
from explorer.app.pages.proximity_text import sample_table
from explorer.app.state import link
from explorer.app.state.visitor import State
from explorer.app.work.insight_work import pair
from explorer.data import Dataset
from explorer.engine import FAMILIES


@pytest.fixture
def open_page(new_session):
    def make(query):
        session = new_session(query)
        pages = Pages(screen_of(session), Controls(session))
        session.refresh()
        settle(session)
        return session, pages

    return make


SMALL = "&model=RF~n_tree:10&model=oRF-ridge~n_tree:10"


def test_the_spectra_page_shows_spectra_lane_and_scatter(open_page):
    _, pages = open_page("data=tecator&page=Importance" + SMALL)
    page = pages.more["Importance"]
    assert len(page.spectra.single.data["ys"]) == 200
    assert len(page.lane.lines.data["ys"]) == 2
    assert len(page.frame.features.data["across"]) == 100
    assert "RF looks most at" in page.scatter_card.words.object
    assert page.stop.visible is False


def test_the_legend_of_the_spectra_says_only_what_is_drawn(open_page):
    _, pages = open_page("data=tecator&page=Importance" + SMALL)
    page = pages.more["Importance"]
    assert "band: 10 to 90 %" in page.spectra_card.head.object
    assert "spectra drawn" not in page.spectra_card.head.object
    page.layers.value = ["Spectra"]
    assert "band: 10 to 90 %" not in page.spectra_card.head.object
    assert "200 of 215 spectra drawn" in page.spectra_card.head.object


def test_pages_that_look_into_forests_are_built_when_first_opened(open_page):
    session, pages = open_page("data=tecator" + SMALL)
    assert pages.more == {}
    session.open_page("Importance")
    settle(session)
    assert set(pages.more) == {"Importance"}


def test_another_measure_redraws_the_lane_and_goes_into_the_link(open_page):
    session, pages = open_page("data=tecator&page=Importance" + SMALL)
    page = pages.more["Importance"]
    before = page.lane.lines.data["ys"][1]
    page.measure.value = "permutation"
    settle(session)
    assert not np.array_equal(before, page.lane.lines.data["ys"][1])
    assert "measure=permutation" in link.write(session.state)
    page.measure.value = "t"
    settle(session)
    assert len(page.lane.lines.data["ys"]) == 1


def test_a_brushed_band_is_kept_left_out_and_undone(open_page):
    session, pages = open_page("data=tecator&page=Importance" + SMALL)
    page = pages.more["Importance"]
    page.brush.brushed(SimpleNamespace(geometry={"x0": 939.0, "x1": 901.0}, final=True))
    assert [float(end.value) for end in (page.brush.low, page.brush.high)] == [901.0, 939.0]
    page.brush.use(True)
    settle(session)
    assert session.grown.source.data.n_features == 19
    assert len(page.frame.features.data["axis"]) == 19
    assert "band=keep" in link.write(session.state)
    session.data.undo_band()
    settle(session)
    page.brush.show((901.0, 939.0))
    page.brush.use(False)
    settle(session)
    assert session.grown.source.data.n_features == 81
    assert len(page.spectra.means.data["xs"]) == 4
    session.data.undo_band()
    settle(session)
    assert session.grown.source.data.n_features == 100
    assert page.brush.undo.disabled


def test_a_kept_band_empties_the_fields_and_selects_no_channel(open_page):
    session, pages = open_page("data=tecator&page=Importance" + SMALL)
    page = pages.more["Importance"]
    features = page.frame.features
    page.brush.brushed(SimpleNamespace(geometry={"x0": 939.0, "x1": 901.0}, final=True))
    axis = np.asarray(features.data["axis"])
    inside = np.flatnonzero((axis >= 901) & (axis <= 939)).tolist()
    assert features.selected.indices == inside
    page.brush.use(True)
    settle(session)
    assert len(features.data["axis"]) == len(inside)
    assert features.selected.indices == []
    assert (page.brush.low.value, page.brush.high.value) == ("", "")


def test_a_band_is_typed_as_numbers_and_anything_else_is_refused_in_words(open_page):
    session, pages = open_page("data=tecator&page=Importance" + SMALL)
    page = pages.more["Importance"]
    page.brush.low.value = "901"
    assert page.brush.band is None
    assert not screen_of(session).notice.pane.object
    page.brush.high.value = "939.5"
    assert page.brush.band == (901.0, 939.5)
    page.brush.high.value = "<b>"
    assert page.brush.band is None
    assert "is a number" in screen_of(session).notice.pane.object


@pytest.mark.parametrize("ends", [(None, 3.0), (float("nan"), 1.0), ("a", "b"), (True, False)])
def test_a_brush_from_nowhere_is_ignored(open_page, ends):
    _, pages = open_page("data=tecator&page=Importance" + SMALL)
    page = pages.more["Importance"]
    page.brush.brushed(SimpleNamespace(geometry={"x0": ends[0], "x1": ends[1]}, final=True))
    assert page.brush.band is None
    assert page.brush.keep.disabled


def test_a_band_without_channels_is_a_notice_and_changes_nothing(open_page):
    session, _ = open_page("data=tecator&page=Importance" + SMALL)
    session.guarded(session.data.choose_band, True, 1.0, 2.0)
    assert "No channel lies between" in screen_of(session).notice.pane.object
    assert session.state.data.bands == []


def test_bands_travel_in_the_link_and_bad_ones_fall_out():
    state = State()
    notices = link.read("data=tecator&band=keep,900,1000&band=drop,920,930", state)
    assert notices == []
    assert state.data.bands == [(True, 900.0, 1000.0), (False, 920.0, 930.0)]
    again = State()
    link.read(link.write(state), again)
    assert again.data.bands == state.data.bands
    bad = State()
    assert link.read("data=tecator&band=keep,x,1&band=<b>,1,2&band=keep,1,2", bad)
    assert bad.data.bands == []


def shown(page):
    return [card for card in (page.spectra_card, page.lane_card, page.scatter_card,
                              page.bands.lane_card, page.bands.bars_card, page.bands.side)
            if "hidden" not in card.view.css_classes]  # fmt: skip


@pytest.mark.parametrize(("name", "features"), [("heart", 13), ("ionosphere", 33)])
def test_tables_show_sorted_bars_with_intervals_and_chance(open_page, name, features):
    _, pages = open_page(f"data={name}&page=Importance" + SMALL)
    page = pages.more["Importance"]
    assert shown(page) == [page.bands.bars_card, page.bands.side]
    bars = page.bands.bars.bars.data
    assert len(bars["y"]) == 2 * min(features, 20)
    assert all(low <= high for low, high in zip(bars["low_end"], bars["high_end"], strict=True))
    assert len(page.bands.bars.chance.data["y"]) == len(bars["y"])
    assert "A RF" in page.bands.side.body.object
    assert " %" in page.bands.side.body.object
    assert f"of {features} are more than chance" in page.bands.side.words.object


def test_correlated_features_can_be_permuted_together(open_page):
    session, pages = open_page("data=breast_cancer&page=Importance&model=RF~n_tree:10")
    page = pages.more["Importance"]
    one_by_one = len(page.bands.made.models[0].names)
    page.bands.by.value = "groups"
    settle(session)
    assert one_by_one == 30
    assert len(page.bands.made.models[0].names) < 30
    assert "s.features=groups" in link.write(session.state)


def test_whole_bands_have_intervals_chance_and_a_chosen_band_is_one_more(open_page):
    session, pages = open_page("data=tecator&page=Importance&measure=bands&model=RF~n_tree:10")
    page = pages.more["Importance"]
    assert shown(page) == [page.spectra_card, page.bands.lane_card, page.bands.side]
    assert len(page.bands.lane.levels.data["xs"]) == 20
    assert len(page.bands.lane.chance.data["top"]) == 20
    page.brush.show((900.0, 950.0))
    settle(session)
    assert len(page.bands.lane.levels.data["xs"]) == 21
    assert page.bands.made.models[0].names[-1] == "900 to 950 nm, chosen"
    page.measure.value = "gini"
    settle(session)
    assert shown(page) == [page.spectra_card, page.lane_card, page.scatter_card]


def test_bands_are_named_with_their_unit_as_people_write_it(open_page):
    _, pages = open_page("data=spectra_ir&d.n=40&d.p=60&page=Importance&measure=bands" + SMALL)
    table = pages.more["Importance"].bands.side.body.object
    assert "cm⁻¹" in table
    assert "cm-1" not in table


def test_places_that_are_not_named_are_counted_as_places():
    only = np.zeros(30, bool)
    only[[1, 5, 9, 10, 15, 16]] = True
    record = SimpleNamespace(only_oblique=only, gini=np.arange(30.0))
    made = SimpleNamespace(models=[record, record], straight=0, slanted=1)
    names = [str(i) for i in range(30)]
    said = summary(made, "gini", ["RF", "oRF-ridge"], names, "nm")
    assert (
        "6 features are significant only for oRF-ridge: 1, 5, 9 to 10 nm, and 1 more place." in said
    )


def test_a_hidden_band_shows_the_error_before_and_after(open_page):
    session, pages = open_page("data=tecator&page=Importance" + SMALL)
    page = pages.more["Importance"]
    before = [100 * error for error in session.grown.oob_errors()]
    assert "all bands" not in page.errors.object
    session.data.choose_band(False, 900.0, 1000.0)
    settle(session)
    after = [100 * error for error in session.grown.oob_errors()]
    for error in (*before, *after):
        assert f"{error:.1f} %" in page.errors.object
    assert "Now: without 900 to 1000." in page.errors.object


def test_a_link_to_the_former_spectra_page_opens_importance(open_page):
    session, pages = open_page("data=tecator&page=Spectra" + SMALL)
    assert session.state.view.page == "Importance"
    assert set(pages.more) == {"Importance"}


def test_digits_get_importance_as_an_image_per_forest(open_page):
    query = "data=digits&d.task=1-7&page=Importance&measure=gini" + SMALL
    _, pages = open_page(query)
    page = pages.more["Importance"]
    images = [i.source.data["image"][0] for i in page.images]
    assert [i.shape for i in images] == [(8, 8), (8, 8)]
    assert all("hidden" not in card.view.css_classes for card in page.image_cards)
    assert "looks most at row" in page.image_words.object


def test_the_first_straight_and_the_first_slanted_forest_are_compared():
    rf, ridge = FAMILIES["RF"], FAMILIES["oRF-ridge"]
    assert pair((rf, ridge)) == (0, 1)
    assert pair((ridge, rf)) == (1, 0)
    assert pair((rf,)) == (0, None)


def test_selected_spectra_stand_out_and_the_rest_fades(open_page):
    session, pages = open_page("data=tecator&page=Importance" + SMALL)
    page = pages.more["Importance"]
    session.selected.choose([3, 5, 8], "lasso")
    data = session.grown.source.data
    assert len(page.spectra.picked.data["ys"]) == 3
    assert np.allclose(page.spectra.picked.data["ys"][0], data.X[3])
    assert page.spectra._means.glyph.line_alpha < 1
    assert "3 selected" in page.spectra_card.head.object
    assert "3 selected spectra" in page.spectra.figure.html_attributes["aria-label"]
    session.selected.choose(range(215), "lasso")
    assert "200 of 215 selected" in page.spectra_card.head.object
    session.selected.clear()
    assert page.spectra.picked.data["ys"] == []
    assert page.spectra._means.glyph.line_alpha == 1


def test_the_axis_is_flipped_and_the_link_remembers(open_page):
    session, pages = open_page("data=tecator&page=Importance" + SMALL)
    page = pages.more["Importance"]
    assert page.frame.x_range.start < page.frame.x_range.end
    page.flip.value = True
    assert page.frame.x_range.start > page.frame.x_range.end
    assert "flipped=1" in link.write(session.state)
    _, pages = open_page(link.write(session.state))
    assert pages.more["Importance"].frame.x_range.start > pages.more["Importance"].frame.x_range.end


def test_channels_are_named_with_the_digits_their_axis_needs(open_page):
    _, pages = open_page("data=spectra_ir&page=Importance" + SMALL)
    page = pages.more["Importance"]
    assert all(name.isdigit() for name in page.frame.features.data["name"])
    assert not re.search(r"\d\.\d+ cm", page.scatter_card.words.object)


def test_the_proximity_page_shows_every_picture_and_the_worst_samples(open_page):
    _, pages = open_page("data=tecator&page=Proximity" + SMALL)
    page = pages.more["Proximity"]
    assert len(page.drawn) == 2
    assert page.heat.image.data["image"][0].shape == (215, 215)
    assert len(page.bars.bars.data["top"]) == 12
    assert "worst first" in page.table_card.head.object
    assert "wrong" in page.cards[0].words.object
    assert "e+" not in page.table_card.body.object


def test_a_lasso_selects_for_every_page_and_fills_the_table(open_page):
    session, pages = open_page("data=tecator&page=Proximity" + SMALL)
    page = pages.more["Proximity"]
    page.frame.samples.selected.indices = [4, 2]
    assert session.state.selection.rows == [2, 4]
    assert session.state.selection.how == "lasso"
    assert "2 selected" in page.table_card.head.object
    assert "sample 3" in page.table_card.body.object
    session.open_page("Boundaries")
    settle(session)
    assert len(session.frame.picked.data["x"]) == 2
    session.open_page("Proximity")
    settle(session)
    session.selected.clear()
    assert page.frame.samples.selected.indices == []
    page._lassoed("indices", None, [9999, -1, "x", 0])
    assert session.state.selection.rows == [0]


def test_the_marked_samples_are_selected_by_a_button(open_page):
    session, pages = open_page("data=tecator&page=Proximity" + SMALL)
    page = pages.more["Proximity"]
    page.marks.value = ["Misclassified"]
    page.pick.clicks += 1
    wrong = np.any([v.wrong for v in page.made.votes], axis=0)
    assert session.state.selection.rows == np.flatnonzero(wrong).tolist()
    assert page.frame.samples.selected.indices == session.state.selection.rows
    assert "the marked ones" in session.selected.in_words()


def test_all_pairs_show_one_forest_below_and_the_other_above_the_diagonal(open_page):
    session, pages = open_page("data=tecator&page=Proximity" + SMALL)
    page = pages.more["Proximity"]
    page.pair.value = "All pairs"
    assert "hidden" not in page.pairs_card.view.css_classes
    assert all("hidden" in card.view.css_classes for card in page.cards)
    assert "A RF" in page.pairs.figure.title.text
    assert "oRF-ridge" in page.pairs.figure.title.text
    session.models.add()
    settle(session)
    page.above.value = 2
    assert "C F-RC" in page.pairs.figure.title.text
    page.pair.value = "1 and 2"
    assert "hidden" in page.pairs_card.view.css_classes


def test_a_third_forest_gets_its_own_picture(open_page):
    session, pages = open_page("data=tecator&page=Proximity" + SMALL)
    session.models.add()
    settle(session)
    page = pages.more["Proximity"]
    assert len(page.drawn) == 3
    assert page.above.visible


def test_names_from_a_file_are_text_in_the_table(open_page):
    _, pages = open_page("data=tecator&page=Proximity" + SMALL)
    page = pages.more["Proximity"]
    bad = "<img src=x onerror=alert(1)>"
    data = page.maps.source.data
    named = Dataset(
        name="bad",
        X=data.X,
        y=data.y,
        class_names=(bad, "fat"),
        sample_names=tuple(f"{bad}{i}" for i in range(data.n_samples)),
    )
    _, html = sample_table(named, page.made, range(50))
    assert "<img" not in html
    assert "&lt;img" in html


def test_a_stopped_look_says_so_and_begins_again(open_page):
    session, pages = open_page("data=tecator&page=Proximity" + SMALL)
    page = pages.more["Proximity"]
    page.halt()
    assert "Stopped" in page.table_card.words.object
    session.refresh()
    settle(session)
    assert "Stopped" not in page.table_card.words.object


def test_pages_without_maps_offer_no_plane_and_do_not_turn_two_of_many_features(open_page):
    session, pages = open_page("data=wine&page=Proximity" + SMALL)
    controls = pages.of_maps
    assert not screen_of(session).sidebar.plane.view.visible
    assert not controls.lead.visible
    session.open_page("Boundaries")
    assert screen_of(session).sidebar.plane.view.visible
    assert controls.lead.visible
    session.data.choose("tecator")
    assert not controls.lead.visible  # two channels of a spectrum are not turned
    session.data.choose("spectra_ir")
    session.open_page("Importance")
    assert controls.lead.visible  # how much the classes differ is a knob for every page


def test_spectra_are_first_seen_on_a_plane_of_all_channels(open_page):
    session, _ = open_page("data=wine" + SMALL)
    for name, kind, words in (
        ("tecator", "discriminant", "discriminant"),
        ("coffee_instant", "components", "principal components"),
    ):
        session.data.choose(name)
        settle(session)
        assert session.plane_now().kind == kind
        assert words in screen_of(session).headline.pane.object
        assert session.gestures.link().startswith(f"data={name}&model=")


def test_units_are_written_as_people_write_them(open_page):
    _, pages = open_page("data=spectra_ir&d.p=60&d.n=40&page=Importance" + SMALL)
    page = pages.more["Importance"]
    assert page.lane.figure.xaxis[0].axis_label.endswith("(cm⁻¹)")
    assert "cm-1" not in page.scatter_card.words.object
