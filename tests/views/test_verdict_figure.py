from dataclasses import replace

from explorer.views.verdict_figure import VerdictFigure


def test_a_verdict_shows_a_dot_per_forest_and_one_per_run(evaluation):
    drawn = VerdictFigure()
    drawn.update([evaluation, replace(evaluation, model="B")], [0, -1])
    assert drawn.rows.data["name"] == ["A RF", "B"]
    assert len(drawn.runs.data["error"]) == 2 * evaluation.run_error.size
    assert drawn.figure.visible
    drawn.update((), ())
    assert not drawn.figure.visible
