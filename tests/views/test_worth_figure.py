from explorer.views.worth_figure import WorthFigure


def test_what_a_first_cut_is_worth_is_a_bar_in_its_models_colour():
    drawn = WorthFigure()
    drawn.update(["A RF", "C F-RC"], [0, 2], [0.25, 0.9])
    assert drawn.bars.data["text"] == ["25 %", "90 %"]
    assert drawn.bars.data["colour"] == ["#1A1D21", "#6887FF"]
    drawn.restyle("dark")
    assert drawn.bars.data["colour"] == ["#ECEFF2", "#72A7FF"]
