"""The Evaluate page: how good each forest is, and the verdict which one to use.

Built when its tab is first opened. Out-of-bag numbers follow the maps; cross-validation runs on a
button, its results arrive as they come, and it is dropped when data or models change.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.analysis import Evaluation
from explorer.app.export.download import table
from explorer.app.pages.board import Board, Look, Rows, set_class
from explorer.app.pages.contest_card import ContestCard
from explorer.app.pages.picture import Picture, forest_options, tip
from explorer.app.pages.sweep_card import SweepCard
from explorer.app.session.session import Session
from explorer.app.state.visitor import LETTERS
from explorer.app.widgets import ButtonRow, Choice
from explorer.app.work.evaluate_work import Contest, Results, contest_of, curves, out_of_bag
from explorer.app.work.grow_work import Forests
from explorer.views.class_table import class_table
from explorer.views.confusion_figure import ConfusionFigure
from explorer.views.error_figure import ErrorFigure
from explorer.views.roc_figure import (
    CalibrationFigure,
    PrecisionRecallFigure,
    RocFigure,
    SquareFigure,
)

OOB, CV = "Out of bag", "Cross-validation"
BY = ("Error by trees", "Error by m_try")


class EvaluatePage(Board):
    """Errors, confusion, curves, a table by class, and a verdict."""

    name = "Evaluate"
    works = ("evaluate", "curves")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.results: dict[str, Results] = {}
        self.curves: tuple[Any, ...] = ()
        self._asked: Contest | None = None
        look: tuple[Any, ...] = self.look[:2]
        self.error, self.confusion = ErrorFigure(*look), ConfusionFigure(*look)
        self.squares: dict[str, SquareFigure] = {
            "ROC": RocFigure(*look),
            "Precision and recall": PrecisionRecallFigure(*look),
            "Calibration": CalibrationFigure(*look),
        }
        self._make_row()
        self.contest = ContestCard(session, self._now, lambda found: self.show(CV, found))
        self.sweep = SweepCard(session, self._now)
        self._make_cards()
        self._arrange()
        for card in (c for c in self.cards if c not in (self.contest.card, self.sweep.card)):
            card.say("Growing the forests.")
        session.viewport.measured(self.name, None)  # no maps here: keep their size
        self.start()

    # ---- parts

    def _make_row(self) -> None:
        style = self.session.style
        group: dict[str, Any] = {
            "stylesheets": [style.button],
            "align": "center",
            "margin": (0, 16, 0, 0),
        }
        self.forest = ButtonRow(
            options=forest_options(self.state.models.models),
            value=0,
            description=tip("The forest whose confusion and classes are shown."),
            **group,
        )
        self.session.settings.bind("judged", self.forest)
        self.forest.param.watch(lambda e: self._draw(), "value")
        self.judged = ButtonRow(
            options=[OOB, CV],
            value=OOB,
            visible=False,
            description=tip("How errors are measured: out of bag, or by cross-validation."),
            **group,
        )
        self.judged.param.watch(lambda e: self._draw(), "value")
        self.positive, self.curve, self.by = (
            Choice(
                options=options,
                value=next(iter(options.values())),
                width=width,
                tags=[f"label:{label}", f"tip:{words}"],
                stylesheets=[style.field],
                align="center",
                margin=(0, 8, 0, 0),
            )
            for options, width, label, words in (
                (
                    {"class": 0},
                    130,
                    "Positive class",
                    "The class that counts as positive in the curve; all others are negative.",
                ),
                (
                    {name: name for name in self.squares},
                    170,
                    "Curve",
                    "ROC, precision by recall, or calibration.",
                ),
                (
                    {name: name for name in BY},
                    130,
                    "Error by",
                    "The error by number of trees, or by m_try.",
                ),
            )
        )
        self.session.settings.bind("curve", self.curve)
        self.session.settings.bind("by", self.by)
        self.positive.param.watch(lambda e: self._ask_curves(), "value")
        self.curve.param.watch(lambda e: self._choose_curve(), "value")
        self.by.param.watch(lambda e: self._arrange(), "value")
        self.row = self.controls(self.forest, self.judged, self.by, self.curve, self.positive)

    def _make_cards(self) -> None:
        style = self.session.style
        self.error_card = Picture(
            style, "OOB error by trees", "error-by-trees", self.error.figure, self._error_csv
        )
        self.curve_cards = {
            name: Picture(
                style, name, name.lower().replace(" ", "-"), drawn.figure, self._curves_csv
            )
            for name, drawn in self.squares.items()
        }
        self.table_card = Picture(
            style,
            "By class",
            "by-class",
            None,
            lambda: table(self._frame("class_frame")),
            classes=("short",),
        )
        self.confusion_card = Picture(
            style,
            "Confusion",
            "confusion",
            self.confusion.figure,
            lambda: table(self._frame("prediction_frame")),
        )
        self.cards = (
            self.error_card,
            self.sweep.card,
            *self.curve_cards.values(),
            self.contest.card,
            self.table_card,
            self.confusion_card,
        )
        self.view = self.board(*(card.view for card in self.cards), kinds=("evaluate",))

    def _arrange(self) -> None:
        """Of the errors and of the curves, show the chosen one."""
        by_trees = self.by.value != BY[1]
        set_class(self.error_card.view, "hidden", not by_trees)
        set_class(self.sweep.card.view, "hidden", by_trees)
        for name, card in self.curve_cards.items():
            set_class(card.view, "hidden", name != self._kind())

    def _choose_curve(self) -> None:
        self._arrange()
        self._ask_curves()

    def _kind(self) -> str:
        """The curve that is chosen; a client may send one that is none."""
        return self.curve.value if self.curve.value in self.squares else "ROC"

    # ---- asking

    def follow(self, maps: Forests) -> None:
        """New maps: judge their forests, and drop what was said about others."""
        contest = self._contest(maps)
        if contest == self._asked:  # the same forests, drawn again
            return
        self._asked = contest
        self.contest.reset()
        self.sweep.reset()
        self.judged.visible = False
        self.results = {}
        self._follow_controls(contest)
        cache = self.session.cache
        self.ask(
            "evaluate",
            lambda cancel: out_of_bag(contest, cache, cancel),
            lambda found: self.show(OOB, found),
        )

    def _now(self) -> Contest | None:
        """What is to be judged; None while forests grow."""
        grown: Forests | None = self.maps
        if grown is None or self.session.grown is not grown:
            return None
        if self.session.request().specs != grown.request.specs:  # other models were chosen
            return None
        return self._contest(grown)

    def _contest(self, maps: Forests) -> Contest:
        return contest_of(
            maps.source,
            tuple(self.names()),
            maps.request.specs,
            maps.request.data,
            self.session.cache,
        )

    def names(self) -> list[str]:
        """Letter and family of every model, with trees or without."""
        return [f"{LETTERS[i]} {m.family}" for i, m in enumerate(self.state.models.models)]

    def _ask_curves(self) -> None:
        results, kind = self._judgement(), self._kind()
        if results is None or self._quiet:
            return
        K = results.contest.source.data.n_classes
        value = self.positive.value
        positive = value if isinstance(value, int) and 0 <= value < K else K - 1
        self.ask(
            "curves",
            lambda cancel: curves(results, kind, positive),
            lambda found: self._show_curves(kind, results, *found),
            self.curve_cards[kind].fault,
        )

    # ---- drawing

    def show(self, kind: str, results: Results) -> None:
        """Results arrived."""
        if self.maps is None or results.contest != self._contest(self.maps):
            return
        first = kind not in self.results
        self.results[kind] = results
        if kind == CV:
            if first or not self.judged.visible:
                self._quiet = True
                self.judged.param.update(visible=True, value=CV)
                self._quiet = False
        else:
            self._show_errors(results)
            self.contest.run_pending()
            self.sweep.run_pending()
        self._draw()

    def _judgement(self) -> Results | None:
        wanted = self.judged.value if self.judged.visible else OOB
        return self.results.get(str(wanted)) or self.results.get(OOB)

    def _chosen_one(self) -> Any:
        """The evaluation of the chosen forest, with its name; None where there is none."""
        results = self._judgement()
        place = self.forest.value or 0
        if results is None or place not in results.places:
            return None
        return results.evaluations[results.places.index(place)]

    def _draw(self) -> None:
        if self._quiet or self._judgement() is None:
            return
        results, chosen = self._judgement(), self._chosen_one()
        assert results is not None
        if chosen is None:
            place = self.forest.value or 0
            why = results.faults[results.places.index(place)] if place in results.places else ""
            self._clear(place, why or "There is nothing to show for this model.")
        else:
            self.confusion.update(chosen)
            self.confusion_card.title("Confusion", chosen.model)
            self.light_up(self.session.selected.rows)
            self.table_card.title("By class", chosen.model)
            self.table_card.fill(class_table(chosen))
            self.table_card.say(_judged_by(results, chosen))
        self._ask_curves()

    def _clear(self, place: int, why: str) -> None:
        """Numbers of another model must not stay under this one's name."""
        names = self.names()
        name = names[place] if place < len(names) else ""
        self.confusion.clear()
        self.confusion_card.title("Confusion", name)
        self.table_card.title("By class", name)
        self.table_card.fill("")
        for card in (self.table_card, self.confusion_card):
            card.say(why)

    def light_up(self, rows: Rows) -> None:
        """Counts have no samples to light up; the words count the selected ones."""
        chosen = self._chosen_one()
        if chosen is None:
            return
        wrong = chosen.predicted != chosen.y
        words = f"{int(wrong.sum())} of {_tests(chosen)} wrong. Rows: the true class."
        if rows.size:
            mine = np.isin(chosen.row, rows)
            words += f" Of the selected: {int(wrong[mine].sum())} of {int(mine.sum())}."
        self.confusion_card.say(words)

    def _show_errors(self, results: Results) -> None:
        self.error.update(
            [
                (name, None if e is None or e.by_trees is None else e.by_trees[0])
                for name, e in zip(results.contest.names, results.evaluations, strict=True)
            ]
        )
        why = next((f for f in results.faults if f), "")
        if why:
            self.error_card.fault(why)
        else:
            self.error_card.say("Each sample is judged only by trees that never saw it.", "OOB")

    def _show_curves(self, kind: str, results: Results, found: tuple[Any, ...], why: str) -> None:
        self.curves = found
        by_place = dict(zip(results.places, found, strict=True))
        named = [(name, by_place.get(i)) for i, name in enumerate(results.contest.names)]
        drawn, card = self.squares[kind], self.curve_cards[kind]
        if isinstance(drawn, CalibrationFigure):
            drawn.update(named, self.forest.value or 0)
        else:
            drawn.update(named)
        some = next((r for r in found if r is not None), None)
        if some is None:
            card.fault(why or "There is no curve to draw.")
            return
        short = {"ROC": "ROC", "Precision and recall": "Precision, recall"}.get(kind, kind)
        card.title(short, f"of {some.positive[:20]}")
        if isinstance(drawn, CalibrationFigure):
            mine = by_place.get(self.forest.value or 0)
            bars = f" Bars: counts, up to {mine.count.max()}." if mine is not None else ""
            card.say(f"Dashed: perfect calibration. Number: mean gap.{bars}", "ECE")
            return
        many = "Out of bag." if results is self.results.get(OOB) else "One cross-validation run."
        if some.n_curves > 1:
            many = f"Mean of {some.n_curves} curves, 95 % band."
        symbol = "AUC" if kind == "ROC" else "AP"
        card.say(f"{many} Dashed: chance. The number is the area.", symbol)

    def _follow_controls(self, contest: Contest) -> None:
        options = forest_options(self.state.models.models)
        classes: dict[str, int] = {}
        for k, name in enumerate(contest.source.data.class_names):
            classes[name[:24] if name[:24] not in classes else f"{name[:18]} ({k + 1})"] = k
        self._quiet = True
        if self.forest.options != options:
            place = self.forest.value if self.forest.value in options.values() else 0
            self.forest.param.update(options=options, value=place)
        if self.positive.options != classes:
            self.positive.param.update(options=classes, value=len(classes) - 1)
        self._quiet = False

    # ---- files, faults, looks

    def _frame(self, name: str) -> Any:
        chosen = self._chosen_one()
        return None if chosen is None else getattr(chosen, name)()

    def _curves_csv(self) -> str:
        import pandas

        some = [r.to_frame().assign(model=r.model) for r in self.curves if r is not None]
        return table(pandas.concat(some) if some else None)

    def _error_csv(self) -> str:
        import pandas

        results = self.results.get(OOB)
        found = [] if results is None else [e for e in results.evaluations if e is not None]
        columns = {e.model: pandas.Series(e.by_trees[0]) for e in found if e.by_trees is not None}
        if not columns:
            return table(None)
        frame = pandas.DataFrame(columns)
        frame.insert(0, "trees", range(1, len(frame) + 1))
        return table(frame)

    def fault(self, sentence: str) -> None:
        for card in self.cards:
            card.fault(sentence)

    def restyle(self, look: Look) -> None:
        figures: tuple[Any, ...] = (
            self.error,
            self.confusion,
            self.contest.figure,
            self.sweep.figure,
        )
        for part in (*figures, *self.squares.values()):
            part.restyle(*look[:2])


def _judged_by(results: Results, chosen: Evaluation) -> str:
    """How the numbers came about; of a contest that was stopped or goes on, how much of it."""
    words = f"{chosen.protocol[:1].upper()}{chosen.protocol[1:]}."
    if results.done < results.wanted:
        return f"{results.done} of {results.wanted} runs so far. {words}"
    return words


def _tests(chosen: Evaluation) -> str:
    """How many predictions were judged: "100 samples", or "500 tests (100 samples x 5)"."""
    samples, tests = np.unique(chosen.row).size, chosen.y.size
    if tests == samples:
        return f"{samples} samples"
    if tests % samples == 0:
        return f"{tests} tests ({samples} samples x {tests // samples})"
    return f"{tests} tests of {samples} samples"
