from dataclasses import dataclass, field

import numpy as np
import pytest
from bokeh.models import Scatter

from explorer.analysis.posterior_index import posterior_index
from explorer.views.map_figure import LAYERS, MOST_POINTS, MapFigure, SharedFrame
from explorer.views.posterior_figure import (
    HellingerBars,
    PosteriorFigure,
    amount_index,
    signed_index,
)
from explorer.views.thumbnail import thumbnail


@dataclass
class Box:
    x0: float = -1.0
    x1: float = 1.0
    y0: float = -2.0
    y1: float = 2.0
    width: float = 2.0
    height: float = 4.0


@dataclass
class Record:
    posterior: np.ndarray
    window: Box = field(default_factory=Box)
    boundary: tuple = (np.array([0.0, 0.0]), np.array([-2.0, 2.0]))
    wrong: np.ndarray = field(default_factory=lambda: np.array([True, False]))
    cells: tuple = (np.empty(0), np.empty(0))
    counted: int = 0

    @property
    def index(self):
        return posterior_index(self.posterior)

    @property
    def n_classes(self):
        return self.posterior.shape[-1]


def two_classes(h=3, w=4):
    p = np.zeros((h, w, 2), np.float32)
    p[..., 0] = 1.0
    return p


def test_an_update_sends_bytes_and_places_them_on_the_window():
    drawn = MapFigure(SharedFrame())
    drawn.update(Record(two_classes()))
    image = drawn.image.data["image"][0]
    assert image.dtype == np.uint8
    assert image.shape == (3, 4)
    assert (drawn.image.data["x"], drawn.image.data["dw"]) == ([-1.0], [2.0])


def test_an_update_keeps_every_renderer():
    drawn = MapFigure(SharedFrame())
    drawn.update(Record(two_classes()))
    before = list(drawn.figure.renderers)
    drawn.update(Record(two_classes()))
    assert drawn.figure.renderers == before


def test_a_third_class_gets_its_own_marker():
    drawn = MapFigure(SharedFrame())
    p = np.zeros((2, 2, 3), np.float32)
    p[..., 2] = 1
    drawn.update(Record(p))
    assert [r.glyph.marker for r in drawn._scatter] == ["circle", "triangle", "square"]


def test_maps_of_one_page_share_ranges_and_points():
    frame = SharedFrame()
    one, two = MapFigure(frame), MapFigure(frame)
    assert one.figure.x_range is two.figure.x_range
    assert one._scatter[0].data_source is two._scatter[0].data_source


def test_errors_get_rings_and_no_other_colour():
    drawn = MapFigure(SharedFrame(), layers=("Errors",))
    drawn.update(Record(two_classes()), (np.array([0.5, 0.7]), np.array([0.1, 0.2])))
    assert drawn.rings.data["x"].tolist() == [0.5]
    assert drawn.extra("rings").glyph.fill_color is None
    assert drawn.extra("rings").visible


def test_more_than_two_thousand_points_are_thinned(rng):
    frame = SharedFrame()
    drawn = frame.set_points(rng.random(5000), rng.random(5000), np.zeros(5000, int), 2)
    assert drawn == MOST_POINTS
    assert len(frame.points[0].data["x"]) == MOST_POINTS


def test_the_same_points_are_not_sent_twice(rng):
    frame = SharedFrame()
    x, y, k = rng.random(10), rng.random(10), np.zeros(10, int)
    frame.set_points(x, y, k, 2)
    before = frame.points[0].data
    frame.set_points(x, y, k, 2)
    assert frame.points[0].data is before


def test_another_theme_changes_the_palette_and_not_the_image():
    drawn = MapFigure(SharedFrame())
    drawn.update(Record(two_classes()))
    image, palette = drawn.image.data, list(drawn.mapper.palette)
    drawn.restyle("dark", False, ("Boundary",), True)
    assert drawn.image.data is image
    assert drawn.mapper.palette != palette
    assert not drawn._bayes.visible


def test_no_tool_is_active_on_a_map_so_that_a_page_can_scroll():
    drawn = MapFigure(SharedFrame())
    assert drawn.figure.toolbar.active_drag is None
    assert drawn.figure.toolbar.active_scroll is None
    assert drawn.figure.toolbar.logo is None


def test_amounts_and_differences_map_their_ends_to_the_ends_of_the_palette():
    assert amount_index(np.array([0.0, 0.5, 1.0, np.nan])).tolist() == [0, 127, 254, 255]
    assert signed_index(np.array([-1.0, 0.0, 1.0])).tolist() == [0, 127, 254]


@pytest.mark.parametrize("kind", ["posterior", "signed", "amount"])
def test_small_maps_show_their_values(kind):
    small = PosteriorFigure(SharedFrame(), kind, "light")
    values = two_classes() if kind == "posterior" else np.zeros((3, 4))
    small.update(values, Box(), "A RF")
    assert small.source.data["image"][0].shape == (3, 4)
    assert small.figure.title.text == "A RF"


def test_bars_name_their_model_and_its_number():
    bars = HellingerBars("light")
    bars.update(["A RF", "B oRF"], [0.3, 0.07], "light")
    assert bars.source.data["label"] == ["A RF  0.300", "B oRF  0.070"]


def test_a_thumbnail_is_numbers_only(rng):
    picture = thumbnail(rng.standard_normal((30, 2)), np.arange(30) % 2)
    assert picture.startswith("<svg")
    assert "script" not in picture


def test_layers_that_most_never_see_are_made_when_they_are_asked_for():
    drawn = MapFigure(SharedFrame())
    first = len(drawn.figure.renderers)
    drawn.restyle("light", True, LAYERS, False)
    assert len(drawn.figure.renderers) == first + 4
    drawn.restyle("light", True, LAYERS[:3], False)
    assert len(drawn.figure.renderers) == first + 4
    assert not drawn.extra("rings").visible
    drawn.fade(True)
    assert drawn.figure.renderers[-1] is drawn.extra("picked")


def test_a_glyph_has_no_copies_for_states_that_no_map_has():
    models = MapFigure(SharedFrame()).figure.references()
    assert sum(isinstance(m, Scatter) for m in models) == 2  # one for each class


def test_the_cells_of_a_tree_are_lines_that_show_with_their_layer():
    drawn = MapFigure(SharedFrame(), layers=["Boundary", "One tree"])
    line = (np.array([0.0, 1.0, np.nan, 1.0]), np.array([0.0, 1.0, np.nan, 2.0]))
    drawn.update(Record(two_classes(), cells=line, counted=7))
    assert len(drawn.cells.data["x"]) == 4
    assert drawn.extra("cells").visible
    drawn.restyle("light", True, ["Boundary"], False)
    assert not drawn.extra("cells").visible


def test_test_errors_keep_the_colour_and_marker_of_their_class_and_get_a_dashed_ring():
    drawn = MapFigure(SharedFrame(), layers=["Test errors"])
    drawn.set_test_errors([0.0, 1.0], [2.0, 3.0], [0, 1])
    assert drawn.tested.data["marker"] == ["circle", "triangle"]
    assert len(set(drawn.tested.data["colour"])) == 2
    rings = [r for r in drawn.figure.renderers if r.data_source is drawn.tested]
    assert any(r.glyph.line_dash == [3, 2] and r.visible for r in rings)
    drawn.clear()
    assert len(drawn.tested.data["x"]) == 0


def test_marks_are_clipped_at_the_frame_and_lie_over_every_line():
    frame = SharedFrame()
    made = MapFigure(frame, layers=LAYERS)
    marks = [r for r in made.figure.renderers if isinstance(r.glyph, Scatter)]
    others = [r for r in made.figure.renderers if not isinstance(r.glyph, Scatter)]
    assert len(marks) >= 4
    # Bokeh clips "image", "underlay" and "glyph", in this order, and nothing above them
    assert {r.level for r in marks} == {"glyph"}
    assert {r.level for r in others} <= {"image", "underlay"}


def test_no_toolbar_is_left_over_a_map_by_a_tap():
    sheet = MapFigure(SharedFrame()).figure.toolbar.stylesheets[0]
    assert "pointer: coarse" in sheet
    assert "display: none" in sheet


def test_the_pen_is_drawn_once_somebody_paints():
    drawn = MapFigure(SharedFrame())
    assert not any(r.data_source is drawn.frame.pen for r in drawn.figure.renderers)
    drawn.show_pen()
    drawn.show_pen()
    assert sum(r.data_source is drawn.frame.pen for r in drawn.figure.renderers) == 1
