import numpy as np

from explorer.analysis.contours import stacked
from explorer.views.study_maps import small_map, two_histograms


def kinds(plot):
    return [type(r.glyph).__name__ for r in plot.renderers]


def test_a_small_map_has_an_image_lines_and_points_of_both_classes():
    line = stacked([np.array([[0.0, 0.0], [1.0, 1.0]])])
    plot = small_map(
        (0, 1),
        (0, 2),
        image=np.zeros((4, 4), np.uint8),
        points=([0.1, 0.2], [0.3, 0.4], [0, 1]),
        boundary=line,
        bayes=line,
        title="map",
    )
    assert kinds(plot).count("Image") == 1
    assert kinds(plot).count("Scatter") == 2
    assert (plot.x_range.end, plot.y_range.end) == (1.0, 2.0)
    assert plot.title.text == "map"


def test_a_map_without_parts_is_an_empty_frame():
    assert kinds(small_map((0, 1), (0, 1))) == []


def test_histograms_begin_at_zero_and_a_cut_is_a_line():
    edges, counts = [0.0, 1.0, 2.0], [[1, 2], [2, 1]]
    plot = two_histograms(edges, counts, cut=1.0)
    assert kinds(plot) == ["Quad", "Quad", "Line"]
    assert plot.y_range.start == 0
    assert kinds(two_histograms(edges, counts)) == ["Quad", "Quad"]
