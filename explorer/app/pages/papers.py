"""The Papers page: a gallery of every figure and table, run here beside what was printed.

Built when its tab is first opened. A click runs the chosen study at its quick scale in a process
of its own; the result is shared by all sessions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import panel as pn
from bokeh.models import ColumnDataSource, FactorRange
from bokeh.plotting import figure as Figure

from explorer.app.export.download import Outbox
from explorer.app.pages.board import Board, Look, Rows, set_class
from explorer.app.pages.study_text import (
    empty_words,
    going_words,
    page_html,
    seconds_words,
    side_html,
    tables_csv,
    tally,
)
from explorer.app.session.events import ModelWaits, PageOpened, ReadOut, Restored
from explorer.app.session.session import Session
from explorer.app.widgets import ButtonRow, Words, button, css, icon, in_browser, plain
from explorer.app.work.study_work import Going, Shown, key, study_steps
from explorer.studies import PAPERS, Study, studies

TALL = 380  # px of a picture of curves
_MENU = """
const {file, words, hint} = menu.data
window.fx_export(source, outbox, [...file].map((f, i) => [f, words[i], hint[i]]))
"""


class PapersPage(Board):
    """A row of papers, a list of a paper's figures, the chosen one's picture and its claims."""

    name = "Papers"
    works = ()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.known = studies()
        self.shown: Shown | None = None  # of the chosen study
        self.claims: dict[str, Any] = {}  # of all that were seen here
        self.going: dict[str, Going] = {}
        self.faults: dict[str, str] = {}
        self.papers = [key for key in PAPERS if any(s.paper.key == key for s in self._all())]
        self.sheets = [session.style.panes, css("papers")]
        self._make_row()
        self._make_list()
        self._make_picture()
        self.words = self._html(css_classes=["side"], sizing_mode="stretch_both")
        self.side = self._column(self.words, classes=["card", "aside"])
        self.view = self.board(self.gallery, self.card, self.side, kinds=("papers",))
        self.view.stylesheets = self.sheets
        self._choose(self._from_state())
        self.start()

    def _all(self) -> list[Study]:
        return list(self.known.values())

    # ---- parts

    def _html(self, html: str = "", **options: Any) -> Words:
        return Words(html, stylesheets=self.sheets, margin=0, **options)

    def _column(self, *parts: Any, classes: list[str]) -> pn.Column:
        return pn.Column(
            *parts,
            css_classes=classes,
            stylesheets=self.sheets,
            margin=0,
            sizing_mode="stretch_both",
        )

    def _make_row(self) -> None:
        self.paper = ButtonRow(
            options={f"{PAPERS[k].short} {PAPERS[k].year}": k for k in self.papers},
            value=self.papers[0],
            stylesheets=[self.session.style.button, css("papers")],
            css_classes=["which"],
            align="center",
            margin=(0, 16, 0, 0),
        )
        self.paper.param.watch(lambda event: self._turn_paper(), "value")
        self.stop.margin = (0, 0, 0, 8)
        self.row = self.controls(self.paper)

    def _make_list(self) -> None:
        self.title = self._html(sizing_mode="stretch_width")
        self.figures_of = self._list_of({}, None)
        self.gallery = self._column(self.title, self.figures_of, classes=["card", "gallery"])

    def _list_of(self, options: dict[str, str], value: str | None) -> ButtonRow:
        """Buttons under each other; a list whose words change is made anew, or none is lit."""
        made = ButtonRow(
            options=options,
            value=value,
            orientation="vertical",
            stylesheets=[self.session.style.button, css("papers")],
            css_classes=["figures"],
            sizing_mode="stretch_width",
            margin=0,
        )
        made.param.watch(lambda event: self._turn_figure(event.new), "value")
        return made

    def _make_picture(self) -> None:
        style = self.session.style
        self.head = self._html(sizing_mode="stretch_width")
        self.caption = self._html(sizing_mode="stretch_width")
        self.run = button(style, "Run", css_classes=["run"], tags=["run-study"])
        self.run.on_click(lambda event: self.start_study())
        self.part = ButtonRow(
            options=[], stylesheets=[style.button], margin=(0, 8, 0, 0), visible=False
        )
        self.part.param.watch(lambda event: self._draw_part(), "value")
        self.doors = pn.Row(margin=0)
        self.outbox = Outbox({}, self.session.note)
        self.save = button(
            style,
            icon=icon("save", 18),
            icon_size="18px",
            tags=["label:Save this study"],
            css_classes=["quiet", "icon", "save"],
            visible=False,
        )
        self.menu = ColumnDataSource({"file": [], "words": [], "hint": []})
        in_browser(self.save, _MENU, outbox=self.outbox.source, menu=self.menu)
        self._drawn: Shown | None = None
        self.drawing = False
        self.holders: dict[str, pn.Column] = {}
        self.empty = self._html(css_classes=["empty"], sizing_mode="stretch_width")
        self.scroll = pn.Column(
            self.empty,
            css_classes=["picture-of"],
            stylesheets=self.sheets,
            margin=0,
            sizing_mode="stretch_both",
        )
        bar = pn.Row(
            self.run,
            self.part,
            self.doors,
            self.save,
            css_classes=["bar"],
            stylesheets=self.sheets,
            margin=0,
            sizing_mode="stretch_width",
        )
        self.card = self._column(
            self.head, bar, self.scroll, self.caption, classes=["card", "main"]
        )

    # ---- choosing

    @property
    def study(self) -> Study:
        return self.known[self.chosen]

    def _from_state(self) -> str:
        wanted = str(self.state.view.study)
        return wanted if wanted in self.known else next(iter(self.known))

    def _choose(self, name: str) -> None:
        """Show a study of the list, and bring the widgets to it."""
        self.chosen = name
        self._quiet = True
        self.paper.value = self.study.paper.key
        self._label()
        self._quiet = False
        self.title.object = f'<p class="cite">{plain(self.study.paper)}</p>'
        self.shown = None  # a figure that has left the page cannot come back: it is drawn anew
        self.drawing = self.session.cache.get(key(name)) is not None and name not in self.going
        if self.drawing:
            self._ask(name)
        self._draw()

    def _label(self) -> None:
        """The list of the paper's figures; those that were run say how their claims fared."""
        options = {}
        for name, study in self.known.items():
            if study.paper.key == self.study.paper.key:
                done = f" · {tally(self.claims[name])}" if name in self.claims else ""
                options[f"{study.where} · {study.title}{done}"] = name
        if self.figures_of.options != options:
            self.figures_of = self._list_of(options, self.chosen)
            self.gallery[1] = self.figures_of
        elif self.figures_of.value != self.chosen:
            self.figures_of.value = self.chosen

    def _turn_paper(self) -> None:
        if not self._quiet and self.paper.value in self.papers:
            self._turn_to(next(s.name for s in self._all() if s.paper.key == self.paper.value))

    def _turn_figure(self, name: Any) -> None:
        if not self._quiet and name in self.known:
            self._turn_to(name)

    def _turn_to(self, name: str) -> None:
        self._choose(name)
        self.state.view.study = name
        self.session.commit()

    # ---- running

    def start_study(self) -> None:
        """Run the chosen study, or join whoever runs it."""
        name = self.chosen
        self.faults.pop(name, None)
        self.going[name] = Going(name)
        self._ask(name)
        self._draw()

    def _ask(self, name: str) -> None:
        theme, session = self.look[0], self.session
        self.ask(
            f"study {name}",
            lambda cancel: study_steps(
                name, theme, session.cache, alone=lambda: session.mailbox.alone
            ),
            self._take,
            lambda sentence: self._failed_study(name, sentence),
        )

    def _take(self, found: Any) -> None:
        if isinstance(found, Going):
            self.going[found.name] = found
        elif isinstance(found, Shown):
            self.going.pop(found.name, None)
            self.claims[found.name] = found.claims
            self._quiet = True
            self._label()
            self._quiet = False
            if found.name == self.chosen:
                self.shown, self.drawing = found, False
                words = f"{self.study.where}: {tally(found.claims)}."
                self.session.announce(ReadOut(words))
        if found.name == self.chosen:
            self._draw()

    def _failed_study(self, name: str, sentence: str) -> None:
        self.going.pop(name, None)
        self.faults[name] = sentence
        if name == self.chosen:
            self._draw()

    def halt(self) -> None:
        """Stop the chosen study; it goes on if somebody else waits for it."""
        self.session.worker.stop(f"study {self.chosen}")
        self.going.pop(self.chosen, None)
        self.faults[self.chosen] = "Stopped; its results were discarded. Press Run to start again."
        self._draw()

    # ---- drawing

    def _draw(self) -> None:
        study, found, going = self.study, self.shown, self.going.get(self.chosen)
        self.say_progress("" if going is None else going_words(going))
        self.head.object = (
            f'<div class="title"><b>{plain(study.where)}</b> {plain(study.title)}</div>'
        )
        self.caption.object = f'<p class="caption">{plain(study.caption)}</p>'
        self.run.label = f"Run, about {seconds_words(study.takes)}"
        self.run.visible = going is None and found is None and not self.drawing
        self._draw_doors(study)
        self._draw_files(found)
        self._draw_empty(study, found, going)
        words = side_html(study, found.result if found else None, found.claims if found else None)
        html = f'<div class="words" tabindex="0" role="region" aria-label="Claims">{words}</div>'
        if self.words.object != html:
            self.words.object = html
        self._quiet = True
        options = list(found.figures) if found else []
        if self.part.options != options:
            self.part.param.update(options=options, value=options[0] if options else None)
        self.part.visible = len(options) > 1
        self._quiet = False
        self._draw_part()

    def _draw_empty(self, study: Study, found: Shown | None, going: Going | None) -> None:
        fault = self.faults.get(self.chosen, "")
        words = ""
        if fault:
            words = f'<p class="wrong" role="alert">{plain(fault)}</p>'
        elif going is not None:
            share = going.done / going.wanted if going.wanted else 0.0
            words = (
                f'<p>{plain(going_words(going))}</p><div class="meter" role="progressbar" '
                f'aria-label="{plain(study.where)}" aria-valuemin="0" aria-valuemax="100" '
                f'aria-valuenow="{100 * share:.0f}"><i style="width:{share:.1%}"></i></div>'
            ).replace('%"><i', '"><i')
        elif found is None and not self.drawing:
            words = f"<p>{plain(empty_words(study))}</p>"
        if self.empty.object != words:
            self.empty.object = words

    def _draw_part(self) -> None:
        """Show one of the study's pictures, or what stands for them."""
        if self._quiet:
            return
        found = self.shown
        if found is None or self.chosen in self.faults:
            self._drawn, self.holders = None, {}
            if list(self.scroll) != [self.empty]:
                self.scroll[:] = [self.empty]
            return
        if found is not self._drawn:
            self._drawn = found
            self.holders = {name: self._holder(plot) for name, plot in found.figures.items()}
            self.scroll[:] = list(self.holders.values())
        for name, holder in self.holders.items():
            set_class(holder, "gone", name != self.part.value)

    def _holder(self, plot: Any) -> pn.Column:
        fitted(plot)
        return pn.Column(
            pn.pane.Bokeh(plot, margin=0, sizing_mode="stretch_width"),
            css_classes=["plot"],
            stylesheets=self.sheets,
            margin=0,
            sizing_mode="stretch_width",
        )

    def _draw_doors(self, study: Study) -> None:
        wanted = [f"Open in {door.page}" for door in study.opens]
        if [getattr(b, "label", "") for b in self.doors] == wanted and getattr(
            self, "_doors_of", ""
        ) == study.name:
            return
        self._doors_of = study.name
        made = []
        for words, door in zip(wanted, study.opens, strict=True):
            one = button(self.session.style, words, margin=(0, 8, 0, 0))
            one.on_click(partial(self._open, door.query))
            made.append(one)
        self.doors[:] = made

    def _open(self, query: str, event: Any = None) -> None:
        """Show the study's data and models on another page; theme and present mode stay."""
        view = self.state.view
        look = f"&theme={view.theme}" + ("&present=1" if view.present else "")
        self.session.restore(query + look)
        self.session.gestures.write_link()

    def _draw_files(self, found: Shown | None) -> None:
        self.save.visible = found is not None
        if found is None:
            return
        study, name = self.known[found.name], found.name
        makers: dict[str, Callable[[], bytes]] = {
            f"{name}.csv": lambda: tables_csv(found.result),
            f"{name}.json": lambda: found.result.to_text().encode(),
            f"{name}.html": lambda: page_html(study, found.result, found.claims),
        }
        hints = ("all tables", "the whole result", "a page with the picture")
        self.outbox.makers = makers
        columns: dict[str, Any] = {
            "file": list(makers),
            "words": [file.rsplit(".", 1)[1].upper() for file in makers],
            "hint": list(hints),
        }
        if self.menu.data != columns:
            self.menu.data = columns

    # ---- what comes from the session

    def start(self) -> None:
        super().start()
        for kind in (PageOpened, Restored):
            self.session.subscribe(kind, lambda event: self._follow_state())

    def _follow_state(self) -> None:
        """Another study was named by a link, or the page is open again."""
        if not self.seen:
            return
        self.follow_look()
        wanted = self._from_state()
        if self.state.view.study and wanted != self.chosen:
            self._choose(wanted)
        going = self.going.get(self.chosen)
        self.say_progress("" if going is None else going_words(going))

    def follow(self, maps: Any) -> None:
        pass  # no forests are grown for this page

    def restyle(self, look: Look) -> None:
        """Draw what is there again, in the other theme."""
        if self.shown is not None:
            self._ask(self.chosen)

    def fault(self, sentence: str) -> None:
        pass

    def light_up(self, rows: Rows) -> None:
        pass

    def _compiling(self, event: ModelWaits) -> None:
        pass


def fitted(plot: Any) -> None:
    """A figure of fixed size takes the width that there is; layouts of several stay as they are."""
    if isinstance(plot, Figure) and plot.sizing_mode == "fixed":
        rows = isinstance(plot.y_range, FactorRange)
        tall = plot.height or 320 if rows else TALL
        plot.update(sizing_mode="stretch_width", height=tall, min_width=200)
