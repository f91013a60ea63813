import time
from types import SimpleNamespace

import numpy as np
import pytest

from explorer.app import link
from explorer.app.cache import Cache
from explorer.app.controls import Controls
from explorer.app.insight import pair
from explorer.app.page import Pages
from explorer.app.proximity_words import sample_table
from explorer.app.scheduler import Scheduler
from explorer.app.session import Session
from explorer.app.state import State
from explorer.app.work import Source
from explorer.data import Dataset
from explorer.engine import FAMILIES


@pytest.fixture
def open_page():
    work = Scheduler(workers=2)
    sessions = []

    def make(query):
        session = Session(query, None, Cache(), work)
        sessions.append(session)
        pages = Pages(session, Controls(session))
        session.refresh()
        settle(session)
        return session, pages

    yield make
    for session in sessions:
        session.close()
    work.close()


def settle(session):
    end = time.monotonic() + 120
    while session.scheduler.busy(session.key):
        assert time.monotonic() < end
        time.sleep(0.01)


SMALL = "&model=RF~n_tree:10&model=oRF-ridge~n_tree:10"


def test_the_spectra_page_shows_spectra_lane_and_scatter(open_page):
    _, pages = open_page("data=tecator&page=Spectra" + SMALL)
    page = pages.more["Spectra"]
    assert len(page.spectra.single.data["ys"]) == 200
    assert len(page.lane.lines.data["ys"]) == 2
    assert len(page.frame.features.data["across"]) == 100
    assert "RF looks most at" in page.words.object
    assert page.stop.visible is False


def test_pages_that_look_into_forests_are_built_when_first_opened(open_page):
    session, pages = open_page("data=tecator" + SMALL)
    assert pages.more == {}
    session.open_page("Spectra")
    settle(session)
    assert set(pages.more) == {"Spectra"}


def test_another_measure_redraws_the_lane_and_goes_into_the_link(open_page):
    session, pages = open_page("data=tecator&page=Spectra" + SMALL)
    page = pages.more["Spectra"]
    before = page.lane.lines.data["ys"][1]
    page.measure.value = "permutation"
    settle(session)
    assert not np.array_equal(before, page.lane.lines.data["ys"][1])
    assert "measure=permutation" in link.write(session.state)
    page.measure.value = "t"
    settle(session)
    assert len(page.lane.lines.data["ys"]) == 1


def test_a_brushed_band_is_kept_left_out_and_undone(open_page):
    session, pages = open_page("data=tecator&page=Spectra" + SMALL)
    page = pages.more["Spectra"]
    page.brushed(SimpleNamespace(geometry={"x0": 939.0, "x1": 901.0}, final=True))
    assert (page.low.value, page.high.value) == (901.0, 939.0)
    page.use_band(True)
    settle(session)
    assert session.latest.source.data.n_features == 19
    assert len(page.frame.features.data["axis"]) == 19
    assert "band=keep" in link.write(session.state)
    session.undo_band()
    settle(session)
    page.show_band((901.0, 939.0))
    page.use_band(False)
    settle(session)
    assert session.latest.source.data.n_features == 81
    assert len(page.spectra.means.data["xs"]) == 4
    session.undo_band()
    settle(session)
    assert session.latest.source.data.n_features == 100
    assert page.undo.disabled


@pytest.mark.parametrize("ends", [(None, 3.0), (float("nan"), 1.0), ("a", "b"), (True, False)])
def test_a_brush_from_nowhere_is_ignored(open_page, ends):
    _, pages = open_page("data=tecator&page=Spectra" + SMALL)
    page = pages.more["Spectra"]
    page.brushed(SimpleNamespace(geometry={"x0": ends[0], "x1": ends[1]}, final=True))
    assert page.band is None
    assert page.keep.disabled


def test_a_band_without_channels_is_a_notice_and_changes_nothing(open_page):
    session, _ = open_page("data=tecator&page=Spectra" + SMALL)
    session.guarded(session.choose_band, True, 1.0, 2.0)
    assert "No channel lies between" in session.notice.object
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


def test_data_without_an_axis_get_words_and_a_button_that_loads_spectra(open_page):
    session, pages = open_page("page=Spectra")
    page = pages.more["Spectra"]
    assert "gone" not in page.empty_words.css_classes
    page.nothing[1].clicks += 1
    settle(session)
    assert session.state.data.source == "spectra_ir"
    assert "gone" in page.empty_words.css_classes


def test_digits_get_importance_as_an_image_per_forest(open_page):
    query = "data=digits&d.task=1-7&page=Spectra&measure=gini" + SMALL
    _, pages = open_page(query)
    page = pages.more["Spectra"]
    images = [i.source.data["image"][0] for i in page.images]
    assert [i.shape for i in images] == [(8, 8), (8, 8)]
    assert "gone" not in page.strip.css_classes


def test_the_first_straight_and_the_first_slanted_forest_are_compared():
    rf, ridge = FAMILIES["RF"], FAMILIES["oRF-ridge"]
    assert pair((rf, ridge)) == (0, 1)
    assert pair((ridge, rf)) == (1, 0)
    assert pair((rf,)) == (0, None)


def test_the_proximity_page_shows_every_picture_and_the_worst_samples(open_page):
    _, pages = open_page("data=tecator&page=Proximity" + SMALL)
    page = pages.more["Proximity"]
    assert len(page.maps) == 2
    assert page.heat.image.data["image"][0].shape == (215, 215)
    assert len(page.bars.bars.data["top"]) == 12
    assert "worst first" in page.table.object
    assert "misclassified out of bag" in page.words.object


def test_a_lasso_fills_the_table_with_its_samples(open_page):
    _, pages = open_page("data=tecator&page=Proximity" + SMALL)
    page = pages.more["Proximity"]
    page.frame.samples.selected.indices = [4, 2]
    assert page.chosen == [2, 4]
    assert "2 selected" in page.table.object
    assert "sample 3" in page.table.object
    page.select([])
    assert page.clear.disabled
    page._selected("indices", None, [9999, -1, "x", 0])
    assert page.chosen == [0]


def test_a_third_forest_gets_its_own_picture(open_page):
    session, pages = open_page("data=tecator&page=Proximity" + SMALL)
    session.add_model()
    settle(session)
    page = pages.more["Proximity"]
    assert len(page.maps) == 3
    assert page.above.visible


def test_names_from_a_file_are_text_in_the_table(open_page):
    _, pages = open_page("data=tecator&page=Proximity" + SMALL)
    page = pages.more["Proximity"]
    bad = "<img src=x onerror=alert(1)>"
    data = page.shown.source.data
    named = Dataset(
        name="bad",
        X=data.X,
        y=data.y,
        class_names=(bad, "fat"),
        sample_names=tuple(f"{bad}{i}" for i in range(data.n_samples)),
    )
    page.shown = SimpleNamespace(source=Source(named, ""))
    html = sample_table(named, page.made, ["RF", "oRF-ridge"], range(50))
    assert "<img" not in html
    assert "&lt;img" in html
