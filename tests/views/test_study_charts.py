import numpy as np
import pytest
from bokeh.models import Legend, Range1d

from explorer.views.study_charts import Series, boxes, grid, lines, model_look
from explorer.views.theme import THEMES


def test_a_model_looks_the_same_in_every_chart() -> None:
    assert model_look("RF", 0, "light") == model_look("RF", 3, "light")
    assert model_look("RF", 0, "light")[0] == THEMES["light"].models[0]
    assert model_look("svm", 0, "light") != model_look("knn", 1, "light")


def test_lines_have_a_legend_a_band_and_gaps_where_values_are_missing() -> None:
    plot = lines(
        [
            Series("RF", [1, 2, 3], [0.1, None, 0.3], [0.0, None, 0.2], [0.2, None, 0.4]),
            Series("svm", [1, 2, 3], [0.3, 0.2, 0.1]),
        ],
        x_label="m_try",
        y_label="error",
        title="A",
    )
    (legend,) = plot.select({"type": Legend})
    assert [item.label.value for item in legend.items] == ["RF", "svm"]
    assert isinstance(plot.y_range, Range1d)
    assert plot.y_range.end > 0.4
    assert plot.title.text == "A"


def test_boxes_show_quartiles_and_single_outliers(rng) -> None:
    values = [*rng.normal(size=50), 40.0]
    plot = boxes([("a", values), ("empty", [])], y_label="bias")
    bar = plot.renderers[2].data_source.data
    assert bar["top"][0] == np.quantile(values, 0.75)
    assert list(plot.x_range.factors) == ["a", "empty"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_grid_prints_every_cell_and_frames_the_marked(theme: str) -> None:
    plot = grid(
        ["r1", "r2"],
        ["a", "b"],
        [[0.1, np.nan], [-0.3, 0.2]],
        text=[["1", "-"], ["3", "2"]],
        marks=[[True, False], [False, False]],
        theme=theme,
        signed=True,
    )
    data = plot.renderers[0].data_source.data
    assert data["text"] == ["1", "-", "3", "2"]
    assert data["wide"] == [2, 1, 1, 1]
    assert list(plot.y_range.factors) == ["r2", "r1"]
