from types import SimpleNamespace

import pytest

from app.settling import settle
from explorer.app.pages.band_brush import BandBrush
from explorer.views.importance_lane import ImportanceLane
from explorer.views.spectra_figure import AxisFrame


@pytest.fixture
def brush(new_session):
    session = new_session("data=spectra_ir&d.n=20&d.p=20&page=Papers&model=RF~n_tree:2")
    frame = AxisFrame()
    told = []
    made = BandBrush(session, frame, [ImportanceLane(frame)], lambda: told.append(1))
    made.told = told
    yield made
    settle(session)


def test_a_drag_over_the_picture_fills_the_fields_and_allows_the_buttons(brush):
    brush.decimals = 1
    brush.brushed(SimpleNamespace(geometry={"x0": 1700.0, "x1": 1600.0}, final=True))
    assert brush.band == (1600.0, 1700.0)
    assert (brush.low.value, brush.high.value) == ("1600.0", "1700.0")
    assert not brush.keep.disabled
    assert brush.told == [1]


@pytest.mark.parametrize(
    "geometry", [None, {}, {"x0": "a", "x1": 1.0}, {"x0": float("nan"), "x1": 1}]
)
def test_a_drag_without_two_numbers_is_ignored(brush, geometry):
    brush.brushed(SimpleNamespace(geometry=geometry, final=True))
    assert brush.band is None


def test_typed_ends_make_a_band_with_a_comma_or_a_point(brush):
    brush.low.value, brush.high.value = "1700,5", "1650"
    assert brush.band == (1650.0, 1700.5)
    brush.high.value = "many"
    assert brush.band is None
    assert brush.keep.disabled


def test_a_band_is_kept_or_left_out_through_the_session(brush):
    brush.show((1500.0, 1600.0))
    brush.use(False)
    assert brush.session.state.data.bands[-1][0] is False
    brush.undo.clicks += 1
    assert brush.session.state.data.bands == []
