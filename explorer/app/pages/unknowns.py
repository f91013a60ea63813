"""The Unknowns page: spectra measured later, judged by a forest of the comparison.

Files dropped while it is open are not new training data but samples to judge. They are brought
onto the axis of the training data and prepared in the same way. Built when its tab is first opened.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn

from explorer.app.export.download import table
from explorer.app.pages import unknown_text as words
from explorer.app.pages.board import Board, Look, Rows, set_class
from explorer.app.pages.importance_text import class_keys
from explorer.app.pages.picture import Picture, forest_options
from explorer.app.session.events import FilesArrived, UnknownAsked
from explorer.app.session.session import Session
from explorer.app.state.baselines import NO_FORESTS, forests_of
from explorer.app.widgets import ButtonRow, button, css, in_browser, text
from explorer.app.work.folder_work import FilesRead, reading_spectra
from explorer.app.work.grow_work import Forests
from explorer.app.work.insight_work import ForestQuestion
from explorer.app.work.unknown_work import NEEDS_AXIS, Judged, judging
from explorer.data.measured import MeasuredSpectra
from explorer.sentences import sentence_of
from explorer.views.spectra_figure import AxisFrame, SpectraFigure
from explorer.views.unknown_map_figure import UnknownMapFigure

CONFIDENCES = {"80 %": 80, "90 %": 90, "95 %": 95, "99 %": 99}
NOTHING = (
    "Spectra measured later go here: drop files, a folder or a zip archive on the page. Each gets "
    "a class, a set of classes at a chosen confidence, its nearest training samples, and a flag if "
    "it is unlike anything seen."
)


class UnknownsPage(Board):
    """A table of answers and the spectra over those of the training samples."""

    name = "Unknowns"
    works = ("unknowns", "unknown files")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.measured: MeasuredSpectra | None = None
        self.judged: Judged | None = None
        self.spectra = SpectraFigure(AxisFrame(), *self.look[:2])
        self.spectra.figure.xaxis.visible = True
        self.spectra.figure.toolbar.update(tools=[], active_drag=None)  # nothing is brushed here
        self.map = UnknownMapFigure(*self.look[:2])
        self._make_row()
        self._make_view()
        session.viewport.measured(self.name, None)  # no maps here: keep their size
        session.subscribe(FilesArrived, self._files)
        session.subscribe(UnknownAsked, self._explain)
        self.start()

    # ---- parts

    def _make_row(self) -> None:
        style = self.session.style
        here: dict[str, Any] = {"align": "center", "margin": (0, 8, 0, 0)}
        self.choose = button(
            style, "Choose files", tags=["tip:Spectra to judge; or drop them on the page."], **here
        )
        in_browser(self.choose, "window.fx_choose(false)")
        self.folder = button(
            style, "Choose a folder", tags=["tip:All spectra in a folder, to judge."], **here
        )
        in_browser(self.folder, "window.fx_choose(true)")
        self.model = ButtonRow(
            options=forest_options(self.state.models.models, only_forests=True),
            stylesheets=[style.button],
            tags=["tip:The forest that judges."],
            **here,
        )
        self.confidence = pn.widgets.Select(
            options=CONFIDENCES,
            value=95,
            width=84,
            stylesheets=[style.field],
            tags=[
                "label:Confidence",
                "tip:How surely the set of classes contains the true one; more makes larger sets.",
            ],
            **here,
        )
        self.session.settings.bind("confidence", self.confidence)
        self.model.param.watch(lambda event: self._again(), "value")
        self.confidence.param.watch(lambda event: self._again(), "value")
        self.row = self.controls(self.choose, self.folder, self.model, self.confidence)

    def _make_view(self) -> None:
        style = self.session.style
        self.answers = Picture(
            style, "Answers", "unknowns", csv=self.csv, lines=2, classes=("answers",)
        )
        self.picture = Picture(
            style, "Spectra", "unknown-spectra", self.spectra.figure, self.csv, lines=1
        )
        self.places = Picture(
            style, "Map", "unknown-map", self.map.figure, self._map_csv, lines=1, label="map"
        )
        self.nothing = text(style, f'<p class="centre">{NOTHING}</p>', css_classes=["middle"])
        self.view = self.board(self.answers.view, self.picture.view, self.places.view, self.nothing)
        self.view.stylesheets = [style.panes, css("insight")]
        self._arrange(False)

    def _arrange(self, found: bool) -> None:
        for card in (self.answers, self.picture, self.places):
            set_class(card.view, "hidden", not found)
        set_class(self.nothing, "hidden", found)
        set_class(self.view, "empty", not found)
        set_class(self.view, "unknowns", found)

    def csv(self) -> str:
        """One row per spectrum, with all its numbers."""
        return table(None if self.judged is None else self.judged.unknowns)

    def _map_csv(self) -> str:
        return table(None if self.judged is None else self.judged.places)

    def _explain(self, event: UnknownAsked) -> None:
        """A row of the table was chosen: say why."""
        if self.judged is not None and 0 <= event.row < len(self.judged.rows):
            name = self.judged.unknowns.names[event.row]
            self.session.why.ask_values(name, self.judged.rows[event.row])

    # ---- files come

    def _files(self, event: FilesArrived) -> None:
        if self.seen:
            self.arrived(event)

    def arrived(self, event: FilesArrived) -> None:
        """Files to judge."""
        name, bundle = event.name, event.bundle
        self.say_progress(f"Reading {len(bundle.files)} files")
        self.ask(
            "unknown files",
            lambda cancel: reading_spectra(
                self.session.worker.key,
                bundle.files,
                name,
                bundle.unopened,
                cancel,
                lambda found: found,
            ),
            lambda value: self._read(value, event.hold),
        )

    def _read(self, value: Any, hold: Callable[[int], None]) -> None:
        if isinstance(value, FilesRead):
            if value.of:
                self.say_progress(f"{value.done} of {value.of} files read")
            return
        self.say_progress("")
        try:
            hold(value.nbytes)
        except ValueError as error:
            self.fault(sentence_of(error))
            return
        self.measured = value
        if not value.spectra:
            reasons = " ".join(one.reason for one in value.not_read[:3])
            self.fault(f"No spectrum was read. {reasons}")
            return
        self._again()

    # ---- judging

    def follow(self, maps: Forests) -> None:
        options = forest_options(self.state.models.models, only_forests=True)
        if self.model.options != options:
            now = self.model.value
            value = now if now in options.values() else next(iter(options.values()), None)
            self.model.param.update(options=options, value=value)
        if maps.source.data.axis is None:
            self.fault(NEEDS_AXIS)
            return
        if self.measured is None or not self.measured.spectra:
            self._say(NOTHING)
            return
        specs = forests_of(maps.request.specs)
        if not specs:
            self.fault(NO_FORESTS)
            return
        places = [i for i, m in enumerate(self.state.models.models) if m.has_trees]
        chosen = places.index(self.model.value) if self.model.value in places else 0
        share = self.confidence.value if self.confidence.value in CONFIDENCES.values() else 95
        measured, cache = self.measured, self.session.cache
        question, recipe = ForestQuestion(maps.source, specs), maps.request.data
        self.say_progress("Judging")
        self.ask(
            "unknowns",
            lambda cancel: judging(
                self.session.worker.key,
                measured,
                recipe,
                question,
                chosen,
                share / 100,
                cache,
                cancel,
            ),
            self._take,
        )

    def _again(self) -> None:
        if self.maps is not None and self.seen:
            self.follow(self.maps)

    def _take(self, value: Any) -> None:
        if isinstance(value, Judged):
            self.say_progress("")
            self.judged = value
            self.session.aside(self.draw)

    def draw(self) -> None:
        """The table and the overlay."""
        judged, maps = self.judged, self.maps
        if judged is None or maps is None:
            return
        self._arrange(True)
        n = judged.unknowns.predicted.size
        self.answers.title("Answers", f"{n} {'spectrum' if n == 1 else 'spectra'}")
        self.answers.fill(words.answers(judged))
        self.answers.say(words.summary(judged, self._judge()))
        self.spectra.update(judged.spectra)
        self.spectra.figure.xaxis.axis_label = judged.spectra.label
        self.spectra.reach_over(judged.rows)
        drawn = self.spectra.pick(judged.rows, judged.unknowns.predicted)
        some = f"{drawn} of {n} unknowns" if drawn < n else f"{n} unknown"
        self.picture.title("Spectra", keys=class_keys(judged.spectra, self.look[0], some))
        places = judged.places
        self.map.update(
            places, judged.unknowns.predicted, judged.unknowns.unlike, judged.unknowns.names
        )
        m, all_ = len(places.training), judged.spectra.n_samples
        self.places.title("Map", f"{m} of {all_} training samples" if m < all_ else "by proximity")
        self.places.say(
            "Large: unknown, a cross where unlike anything seen. Close: often in one leaf."
        )
        self.picture.say(
            "Thin: the unknown spectra, in the colour of their class; faded behind them the "
            "training samples, prepared in the same way."
        )

    def _judge(self) -> str:
        names = dict(zip(forest_options(self.state.models.models, True).values(), self.names(),
                         strict=False))  # fmt: skip
        return names.get(self.model.value, "The forest")

    def fault(self, sentence: str) -> None:
        self.say_progress("")
        self._say(sentence)

    def _say(self, sentence: str) -> None:
        self.nothing.object = f'<p class="centre">{words.plain(sentence)}</p>'
        self._arrange(False)

    def light_up(self, rows: Rows) -> None:
        """Selected training samples have no mark here."""

    def restyle(self, look: Look) -> None:
        self.spectra.restyle(*look[:2])
        self.map.restyle(*look[:2])
