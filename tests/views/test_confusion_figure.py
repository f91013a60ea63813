from dataclasses import replace

import numpy as np
import pytest
from bokeh.models import AllLabels

from explorer.views.confusion_figure import ConfusionFigure, distinct


def test_every_cell_of_the_confusion_has_its_count(evaluation):
    drawn = ConfusionFigure()
    drawn.update(evaluation)
    assert sum(map(int, drawn.cells.data["count"])) == evaluation.y.size
    assert drawn.figure.y_range.factors == drawn.figure.x_range.factors[::-1]


@pytest.mark.parametrize(
    ("names", "slanted"),
    [
        (("no", "yes"), False),
        (("malignant", "benign"), False),
        (("grower 1", "grower 2", "grower 3"), True),  # on a projector of 1024 pixels
        (("setosa", "versicolor", "virginica"), True),
    ],
)
def test_every_class_has_its_name_under_the_confusion(evaluation, names, slanted):
    counts = np.eye(len(names), dtype=np.intp)
    drawn = ConfusionFigure()
    drawn.update(replace(evaluation, class_names=names, confusion=counts))
    assert isinstance(drawn.figure.xaxis[0].major_label_policy, AllLabels)
    assert (drawn.figure.xaxis[0].major_label_orientation > 0) == slanted


def test_long_class_names_that_begin_alike_stay_distinct():
    names = distinct(["a very long name of a class 1", "a very long name of a class 2"])
    assert len(set(names)) == 2
