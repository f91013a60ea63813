"""Owns the Evaluate page: how good each forest is, and the verdict which one to use.

Built when its tab is first opened. Out-of-bag numbers follow the maps; cross-validation runs on a
button, its results arrive as they come, and it is dropped when data or models change.
"""

from __future__ import annotations

from typing import Any

import panel as pn

from explorer.app.evaluate_work import Contest, Results, cross_validate, curves, out_of_bag
from explorer.app.picture import Picture, hint, table
from explorer.app.session import Session
from explorer.app.state import LETTERS
from explorer.app.widgets import LiveIntSlider, button, plain, text
from explorer.app.work import Pictures
from explorer.views.class_table import class_table
from explorer.views.confusion_figure import ConfusionFigure
from explorer.views.error_figure import ErrorFigure
from explorer.views.roc_figure import RocFigure
from explorer.views.verdict_figure import VerdictFigure

OOB, CV = "Out of bag", "Cross-validation"
MOST_FOLDS = 10


class EvaluatePage:
    """Errors, confusion, ROC, a table by class, and a verdict."""

    def __init__(self, session: Session) -> None:
        self.session, self.view_state = session, session.state.view
        self.maps: Pictures | None = None
        self.results: dict[str, Results] = {}
        self.rocs: tuple[Any, ...] = ()
        self._quiet = False
        look: tuple[Any, ...] = (self.view_state.theme, self.view_state.present)
        self._styled = look
        self.error, self.roc = ErrorFigure(*look), RocFigure(*look)
        self.confusion, self.verdict = ConfusionFigure(*look), VerdictFigure(*look)
        self._make_row()
        self._make_verdict()
        self._make_cards()
        session.listeners.append(self.follow)
        session.fault_listeners.append(self._fault)
        session.rulers["Evaluate"] = lambda: None  # no maps here: keep their size

    # ---- parts

    def _make_row(self) -> None:
        style = self.session.style
        group: dict[str, Any] = {
            "stylesheets": [style.button],
            "align": "center",
            "margin": (0, 16, 0, 0),
        }
        self.forest = pn.widgets.RadioButtonGroup(
            options={"A": 0},
            value=0,
            description="The forest whose confusion and classes are shown.",
            **group,
        )
        self.forest.param.watch(lambda e: self._draw(), "value")
        self.judged = pn.widgets.RadioButtonGroup(
            options=[OOB, CV],
            value=OOB,
            visible=False,
            description="Out of bag: trees that never saw a sample judge it. Cross-validation: "
            "forests that never saw it.",
            **group,
        )
        self.judged.param.watch(lambda e: self._draw(), "value")
        self.positive = pn.widgets.Select(
            options={"class": 0},
            value=0,
            width=150,
            stylesheets=[style.field],
            align="center",
            margin=(0, 2, 0, 0),
        )
        self.positive.param.watch(lambda e: self._ask_roc(), "value")
        label = text(style, '<p class="progress">Class found by the ROC&nbsp;</p>', align="center")
        self.row = pn.Row(
            self.forest,
            self.judged,
            label,
            self.positive,
            hint("The class that counts as positive in the ROC; all others are negative."),
            margin=0,
            css_classes=["controls"],
            stylesheets=[style.panes],
            sizing_mode="stretch_width",
        )

    def _make_verdict(self) -> None:
        style = self.session.style
        slider: dict[str, Any] = {
            "stylesheets": [style.slider],
            "margin": 0,
            "sizing_mode": "stretch_width",
        }
        self.folds = LiveIntSlider(
            label="Folds", tags=["folds"], start=2, end=MOST_FOLDS, value=5, **slider
        )
        self.repeats = LiveIntSlider(
            label="Repeats", tags=["repeats"], start=1, end=20, value=5, **slider
        )
        self.start = button(
            style,
            "Try them",
            css_classes=["primary"],
            margin=(4, 8, 0, 0),
            description="Cross-validates every forest on the same splits, then says whether "
            "slanted cuts are worth it.",
        )
        self.start.on_click(lambda event: self.run())
        self.stop = button(
            style,
            "Stop",
            margin=(4, 8, 0, 0),
            visible=False,
            description="Ends the cross-validation; the runs that are done stay.",
        )
        self.stop.on_click(lambda event: self.halt("Stopped"))
        self.progress = text(style, margin=(4, 0, 0, 0))
        self.top = pn.Column(
            pn.Row(
                self.folds,
                hint("Parts the samples are cut into; each is tested once, more train on more."),
                self.repeats,
                hint("How often all is done again with other parts; more narrows the intervals."),
                margin=0,
                sizing_mode="stretch_width",
            ),
            pn.Row(self.start, self.stop, self.progress, margin=0),
            margin=0,
            css_classes=["foot"],
            sizing_mode="stretch_width",
        )

    def _make_cards(self) -> None:
        style = self.session.style
        self.error_card = Picture(
            style, "OOB error by trees", "error-by-trees", self.error.figure, self._error_csv
        )
        self.roc_card = Picture(style, "ROC", "roc", self.roc.figure, self._roc_csv)
        self.verdict_card = Picture(
            style,
            "Which forest should I use?",
            "verdict",
            self.verdict.figure,
            lambda: table(self._verdict()),
            classes=("tall",),
            top=(self.top,),
        )
        self.table_card = Picture(
            style, "By class", "by-class", None, lambda: table(self._frame("class_frame"))
        )
        self.table_card.body.css_classes = ["scroll"]
        self.confusion_card = Picture(
            style,
            "Confusion",
            "confusion",
            self.confusion.figure,
            lambda: table(self._frame("prediction_frame")),
        )
        self.cards = (
            self.error_card,
            self.roc_card,
            self.verdict_card,
            self.table_card,
            self.confusion_card,
        )
        self.view = pn.Column(
            *(card.view for card in self.cards),
            css_classes=["board", "evaluate"],
            stylesheets=[style.panes],
            margin=0,
            sizing_mode="stretch_both",
        )

    # ---- asking

    def follow(self, maps: Pictures) -> None:
        """New maps: judge their forests, and drop what was said about others."""
        if self.view_state.page != "Evaluate":
            return
        self._restyle()
        if not maps.finished:
            return
        contest = self._contest(maps)
        same = [r for r in self.results.values() if r.contest == contest]
        self.maps = maps
        if same and len(same) == len(self.results):
            return
        if CV in self.results or self.stop.visible:
            self.halt("The data or the forests changed; try them again")
        self.results = {}
        self._follow_controls(contest)
        session = self.session
        session.scheduler.submit(
            session.key,
            "evaluate",
            lambda cancel: out_of_bag(contest, session.cache, cancel),
            lambda found: session.mailbox.post("evaluate", lambda: self.show(OOB, found)),
            lambda error: session.mailbox.post("evaluate", lambda: self._fault(_words(error))),
        )
        self._invite()

    def _contest(self, maps: Pictures) -> Contest:
        names = [m.family for m in self.session.state.models.models]
        return Contest(
            maps.source,
            tuple(f"{LETTERS[i]} {name}" for i, name in enumerate(names)),
            maps.request.specs,
        )

    def run(self) -> None:
        """Cross-validate; a click that comes twice starts anew."""
        maps = self.maps
        if maps is None or self.session.latest is not maps:
            self.session.note("The forests are still growing; try again in a moment.")
            return
        folds, repeats = self.folds.value, self.repeats.value
        if not (isinstance(folds, int) and 2 <= folds <= MOST_FOLDS):
            return self.session.note(f"Choose 2 to {MOST_FOLDS} folds.")
        if not (isinstance(repeats, int) and 1 <= repeats <= 20):
            return self.session.note("Choose 1 to 20 repeats.")
        contest, session = self._contest(maps), self.session
        self._say_progress(f"0 of {folds * repeats} runs")
        self.start.visible, self.stop.visible = False, True
        session.scheduler.submit(
            session.key,
            "cross-validation",
            lambda cancel: cross_validate(contest, folds, repeats, cancel),
            lambda found: session.mailbox.post("cv", lambda: self.show(CV, found)),
            lambda error: session.mailbox.post("cv", lambda: self._failed(_words(error))),
        )
        return None

    def halt(self, words: str) -> None:
        """End a cross-validation; what has arrived stays."""
        self.session.scheduler.stop(self.session.key, "cross-validation")
        done = self.results.get(CV)
        more = f" after {done.done} of {done.wanted} runs" if done and words == "Stopped" else ""
        self._ended(f"{words}{more}.")

    def _failed(self, sentence: str) -> None:
        self._ended("")
        self.verdict_card.fault(sentence)

    def _ended(self, words: str) -> None:
        self.start.visible, self.stop.visible = True, False
        self._say_progress(words)

    def _say_progress(self, words: str) -> None:
        self.progress.object = f'<p class="progress">{plain(words)}</p>'

    def _ask_roc(self) -> None:
        results = self._seen()
        if results is None or self._quiet:
            return
        K = results.contest.source.data.n_classes
        value = self.positive.value
        positive = value if isinstance(value, int) and 0 <= value < K else K - 1
        session = self.session
        session.scheduler.submit(
            session.key,
            "roc",
            lambda cancel: curves(results, positive),
            lambda found: session.mailbox.post("roc", lambda: self._show_roc(results, *found)),
            lambda error: session.mailbox.post("roc", lambda: self.roc_card.fault(_words(error))),
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
            self._show_verdict(results)
        else:
            self._show_errors(results)
        self._draw()

    def _seen(self) -> Results | None:
        wanted = self.judged.value if self.judged.visible else OOB
        return self.results.get(str(wanted)) or self.results.get(OOB)

    def _chosen(self) -> Any:
        """The evaluation of the chosen forest, with its name; None where there is none."""
        results = self._seen()
        place = self.forest.value
        if results is None or place not in results.places:
            return None
        return results.evaluations[results.places.index(place)]

    def _draw(self) -> None:
        if self._quiet or self._seen() is None:
            return
        results, chosen = self._seen(), self._chosen()
        assert results is not None
        if chosen is None:
            place = self.forest.value
            why = results.faults[results.places.index(place)] if place in results.places else ""
            for card in (self.table_card, self.confusion_card):
                card.fault(why or "There is nothing to show for this forest.")
        else:
            self.confusion.update(chosen)
            self.confusion_card.title("Confusion", chosen.model)
            wrong = int((chosen.predicted != chosen.y).sum())
            self.confusion_card.say(
                f"{wrong} of {chosen.y.size} judged wrong ({chosen.protocol}). Rows: true class."
            )
            self.table_card.body.object = class_table(chosen, f"{chosen.model}, {chosen.protocol}")
            self.table_card.say("Precision: of those called so. Recall: of those that are.")
        self._ask_roc()

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

    def _show_roc(self, results: Results, rocs: tuple[Any, ...], why: str) -> None:
        self.rocs = rocs
        by_place = dict(zip(results.places, rocs, strict=True))
        names = results.contest.names
        self.roc.update([(name, by_place.get(i)) for i, name in enumerate(names)])
        some = next((r for r in rocs if r is not None), None)
        if some is None:
            self.roc_card.fault(why or "There is no curve to draw.")
            return
        many = f"Mean of {some.n_curves} curves, 95 % band." if some.n_curves > 1 else "One curve."
        self.roc_card.title("ROC", f"of {some.positive[:20]}")
        self.roc_card.say(f"{many} Dashed: chance. Higher and further left is better.", "AUC")

    def _show_verdict(self, results: Results) -> None:
        self.verdict.update(results.evaluations, results.places)
        if results.done >= results.wanted:
            self._ended(f"{results.wanted} runs of each forest")
        else:
            self._say_progress(f"{results.done} of {results.wanted} runs")
        if results.verdict is not None:
            so_far = "" if results.done >= results.wanted else "So far: "
            words = so_far + results.verdict.sentence
            html = f'<p class="verdict">{plain(words)}</p>'
            if self.verdict_card.words.object != html:
                self.verdict_card.words.object = html

    def _invite(self) -> None:
        self.judged.visible = False
        self.verdict.update((), ())
        self.verdict_card.say(
            "Nothing tried yet. Every forest is tested on the same held-out samples; then a "
            "sentence says whether slanted cuts are worth it."
        )

    def _follow_controls(self, contest: Contest) -> None:
        few = len(contest.names) < 4
        options = {name if few else name[0]: i for i, name in enumerate(contest.names)}
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

    def _verdict(self) -> Any:
        results = self.results.get(CV)
        return None if results is None else results.verdict

    def _frame(self, name: str) -> Any:
        chosen = self._chosen()
        return None if chosen is None else getattr(chosen, name)()

    def _roc_csv(self) -> str:
        import pandas

        some = [r.to_frame().assign(model=r.model) for r in self.rocs if r is not None]
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

    def _fault(self, sentence: str) -> None:
        if self.view_state.page == "Evaluate":
            for card in self.cards:
                card.fault(sentence)

    def _restyle(self) -> None:
        wanted = (self.view_state.theme, self.view_state.present)
        if wanted != self._styled:
            self._styled = wanted
            for part in (self.error, self.roc, self.confusion, self.verdict):
                part.restyle(*wanted)


def _words(error: BaseException) -> str:
    if isinstance(error, ValueError):
        return str(error)
    return "This could not be computed; the last picture is kept. Try another setting."
