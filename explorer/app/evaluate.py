"""Owns the Evaluate page: how good each forest is, and the verdict which one to use.

Built when its tab is first opened. Out-of-bag numbers follow the maps; cross-validation runs on a
button, its results arrive as they come, and it is dropped when data or models change.
"""

from __future__ import annotations

from typing import Any

import panel as pn

from explorer.app.contest import ContestCard
from explorer.app.evaluate_work import Contest, Results, curves, out_of_bag
from explorer.app.picture import Picture, forest_options, hint, sentence_of, table, tip
from explorer.app.session import Session
from explorer.app.state import LETTERS
from explorer.app.widgets import text
from explorer.app.work import Pictures
from explorer.views.class_table import class_table
from explorer.views.confusion_figure import ConfusionFigure
from explorer.views.error_figure import ErrorFigure
from explorer.views.roc_figure import RocFigure

OOB, CV = "Out of bag", "Cross-validation"


class EvaluatePage:
    """Errors, confusion, ROC, a table by class, and a verdict."""

    def __init__(self, session: Session) -> None:
        self.session, self.view_state = session, session.state.view
        self.maps: Pictures | None = None
        self.results: dict[str, Results] = {}
        self.rocs: tuple[Any, ...] = ()
        self._asked: Contest | None = None
        self._quiet = False
        look: tuple[Any, ...] = (self.view_state.theme, self.view_state.present)
        self._styled = look
        self.error, self.roc = ErrorFigure(*look), RocFigure(*look)
        self.confusion = ConfusionFigure(*look)
        self._make_row()
        self.contest = ContestCard(session, self._now, lambda found: self.show(CV, found))
        self._make_cards()
        for card in (c for c in self.cards if c is not self.contest.card):
            card.say("Growing the forests.")
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
            options=forest_options(self.session.state.models.models),
            value=0,
            description=tip("The forest whose confusion and classes are shown."),
            **group,
        )
        self.forest.param.watch(lambda e: self._draw(), "value")
        self.judged = pn.widgets.RadioButtonGroup(
            options=[OOB, CV],
            value=OOB,
            visible=False,
            description=tip("Whose judgement counts: trees, or whole forests, that never saw it."),
            **group,
        )
        self.judged.param.watch(lambda e: self._draw(), "value")
        self.positive = pn.widgets.Select(
            options={"class": 0},
            value=0,
            width=150,
            tags=["label:Class found by the ROC"],
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

    def _make_cards(self) -> None:
        style = self.session.style
        self.error_card = Picture(
            style, "OOB error by trees", "error-by-trees", self.error.figure, self._error_csv
        )
        self.roc_card = Picture(style, "ROC", "roc", self.roc.figure, self._roc_csv)
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
            self.contest.card,
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
        self.maps = maps
        if contest == self._asked:  # the same forests, drawn again
            return
        self._asked = contest
        self.contest.reset()
        self.judged.visible = False
        self.results = {}
        self._follow_controls(contest)
        session = self.session
        session.scheduler.submit(
            session.key,
            "evaluate",
            lambda cancel: out_of_bag(contest, session.cache, cancel),
            lambda found: session.mailbox.post("evaluate", lambda: self.show(OOB, found)),
            lambda error: session.mailbox.post("evaluate", lambda: self._fault(sentence_of(error))),
        )

    def _now(self) -> Contest | None:
        """What is to be judged; None while forests grow."""
        if self.maps is None or self.session.latest is not self.maps:
            return None
        return self._contest(self.maps)

    def _contest(self, maps: Pictures) -> Contest:
        names = [m.family for m in self.session.state.models.models]
        return Contest(
            maps.source,
            tuple(f"{LETTERS[i]} {name}" for i, name in enumerate(names)),
            maps.request.specs,
        )

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
            lambda error: session.mailbox.post(
                "roc", lambda: self.roc_card.fault(sentence_of(error))
            ),
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
        self._draw()

    def _seen(self) -> Results | None:
        wanted = self.judged.value if self.judged.visible else OOB
        return self.results.get(str(wanted)) or self.results.get(OOB)

    def _chosen(self) -> Any:
        """The evaluation of the chosen forest, with its name; None where there is none."""
        results = self._seen()
        place = self.forest.value or 0
        if results is None or place not in results.places:
            return None
        return results.evaluations[results.places.index(place)]

    def _draw(self) -> None:
        if self._quiet or self._seen() is None:
            return
        results, chosen = self._seen(), self._chosen()
        assert results is not None
        if chosen is None:
            place = self.forest.value or 0
            why = results.faults[results.places.index(place)] if place in results.places else ""
            for card in (self.table_card, self.confusion_card):
                card.fault(why or "There is nothing to show for this forest.")
        else:
            self.confusion.update(chosen)
            self.confusion_card.title("Confusion", chosen.model)
            wrong = int((chosen.predicted != chosen.y).sum())
            self.confusion_card.say(
                f"{wrong} of {chosen.y.size} judged wrong. Rows: the true class."
            )
            self.table_card.title("By class", chosen.model)
            self.table_card.body.object = class_table(chosen)
            self.table_card.say(f"{chosen.protocol[:1].upper()}{chosen.protocol[1:]}.")
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
        many = f"Mean of {some.n_curves} curves, 95 % band." if some.n_curves > 1 else "Out of bag."
        self.roc_card.title("ROC", f"of {some.positive[:20]}")
        self.roc_card.say(f"{many} Dashed: chance. The number is the area.", "AUC")

    def _follow_controls(self, contest: Contest) -> None:
        options = forest_options(self.session.state.models.models)
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
            for part in (self.error, self.roc, self.confusion, self.contest.figure):
                part.restyle(*wanted)
