import pytest

from explorer.views.confusion_figure import ConfusionFigure
from explorer.views.error_figure import ErrorFigure
from explorer.views.roc_figure import RocFigure
from explorer.views.verdict_figure import VerdictFigure


@pytest.mark.parametrize("kind", [ErrorFigure, RocFigure, ConfusionFigure, VerdictFigure])
def test_figures_change_their_theme_in_place(kind):
    drawn = kind("light")
    before = drawn.figure.background_fill_color
    drawn.restyle("dark", True)
    assert drawn.figure.background_fill_color != before
