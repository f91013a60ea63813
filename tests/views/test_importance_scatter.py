from explorer.views.importance_scatter import ImportanceScatter, feature_looks
from explorer.views.spectra_figure import AxisFrame


def test_the_scatter_has_equal_ranges_where_the_units_are_equal():
    frame = AxisFrame()
    scatter = ImportanceScatter(frame)
    colours, markers = feature_looks([True, False], 2, "light")
    nothing = {name: [0.0, 0.0] for name in ("axis", "height", "mean")}
    frame.features.data = nothing | {
        "across": [0.1, 0.5],
        "up": [0.2, 0.9],
        "name": ["a", "b"],
        "colour": colours,
        "marker": markers,
    }
    scatter.update("A", "B", True)
    assert scatter.figure.x_range.end == scatter.figure.y_range.end
    assert markers == ["square", "circle"]
    scatter.update("A", "B", False)
    assert scatter.figure.x_range.end < scatter.figure.y_range.end
