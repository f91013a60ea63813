"""The card "Why this sample?": votes tree by tree, its path, what each feature adds, who is alike.

It stands beside the pictures of any page while a sample is explained.
"""

from __future__ import annotations

from typing import Any

import panel as pn
from bokeh.models import ColumnDataSource

from explorer.app.pages.why_text import nearest_html, shares_html, subject_html, votes_html
from explorer.app.session.events import (
    DataChanged,
    ForestsGrown,
    MapsDrawn,
    PageOpened,
    Restored,
    Restyled,
    WhyAsked,
)
from explorer.app.session.session import Session
from explorer.app.state.visitor import LETTERS
from explorer.app.widgets import (
    ButtonRow,
    LiveIntSlider,
    button,
    icon,
    in_browser,
    plain,
    set_class,
    text,
)
from explorer.app.work.why_work import Why, WhyRequest, why
from explorer.sentences import sentence_of
from explorer.views.why_figure import AttributionBars, AttributionSpectrum

MOST_LEVELS = 12  # of a tree that the Nodes page draws
NO_PAGES = ("Paint", "Papers")


class WhyCard:
    """Explains the chosen sample by all forests, and by one of them in detail."""

    def __init__(self, session: Session) -> None:
        self.session, self.style = session, session.style
        self.made: Why | None = None
        self._asked: WhyRequest | None = None
        self._quiet = False
        # a row of a table was clicked; the browser writes what it is about
        self.question: Any = ColumnDataSource({"row": [""]}, name="why asked")
        self.question.on_change("data", self._row_asked)
        self._make()
        session.subscribe(WhyAsked, lambda event: self.follow())
        session.subscribe(Restyled, lambda event: self._restyle())
        for kind in (PageOpened, Restored, DataChanged):
            session.subscribe(kind, lambda event: self.follow())
        session.subscribe(MapsDrawn, lambda event: self._grown(event.maps.judged))
        session.subscribe(ForestsGrown, lambda event: self._grown(event.forests.finished))
        self.follow()

    def _make(self) -> None:
        view, style = self.session.state.view, self.style
        close = button(
            style,
            icon=icon("close", 16),
            icon_size="16px",
            css_classes=["quiet", "icon", "keep"],
            tags=["label:Close the explanation"],
            align="center",
        )
        close.on_click(lambda event: self.session.why.close())
        self.who = text(style, sizing_mode="stretch_width")
        self.votes = text(style, sizing_mode="stretch_width")
        self.model = ButtonRow(
            options={},
            stylesheets=[style.button],
            tags=["why model", "tip:The forest that is looked into below."],
            margin=(6, 0, 2, 0),
        )
        self.model.param.watch(lambda event: self._show_model(), "value")
        self.bars = AttributionBars(view.theme, view.present)
        self.spectrum = AttributionSpectrum(view.theme, view.present)
        self.shares = text(style, sizing_mode="stretch_width")
        self.alike = text(style, sizing_mode="stretch_width")
        self.tree: Any = LiveIntSlider(
            label="Tree",
            tags=["why tree", "tip:The tree whose path is shown on the Nodes page."],
            start=1,
            end=2,
            value=1,
            stylesheets=[style.slider],
            margin=(0, 8, 0, 0),
            sizing_mode="stretch_width",
            align="center",
        )
        self.path = button(style, "See its path", align="center")
        self.path.on_click(lambda event: self.session.guarded(self._see_path))
        self.bars_frame = self._frame(self.bars.figure, 190, "shares")
        self.line_frame = self._frame(self.spectrum.figure, 150, "shares", "gone")
        inside = pn.Column(
            pn.Row(
                text(style, '<div class="name"><b>Why this sample?</b></div>', height=36),
                pn.layout.HSpacer(),
                close,
                css_classes=["head"],
                stylesheets=[style.panes],
                margin=0,
                sizing_mode="stretch_width",
            ),
            self.who,
            self.votes,
            self.model,
            self.bars_frame,
            self.line_frame,
            self.shares,
            pn.Row(self.tree, self.path, margin=(4, 0), sizing_mode="stretch_width"),
            self.alike,
            margin=0,
            sizing_mode="stretch_width",
        )
        # a row scrolls in the browser alone; a column would tell the server where it is
        self._inside = inside
        self.card = pn.Row(  # filled when a sample is first explained
            css_classes=["card", "why", "gone"], stylesheets=[style.panes], margin=0
        )
        # so that the question is part of the page
        in_browser(self.card, "void question", on="css_classes", question=self.question)

    def _frame(self, figure: Any, height: int, *classes: str) -> pn.Column:
        figure.update(sizing_mode="stretch_width", height=height)
        pane = pn.pane.Bokeh(figure, margin=0, height=height, sizing_mode="stretch_width")
        return pn.Column(
            pane,
            css_classes=list(classes),
            stylesheets=[self.style.panes],
            margin=0,
            sizing_mode="stretch_width",
        )

    # ---- asking

    @property
    def seen(self) -> bool:
        """Whether a sample is explained on the open page."""
        page = self.session.state.view.page
        return self.session.why.subject is not None and page not in NO_PAGES

    def _row_asked(self, attr: str, old: Any, new: Any) -> None:
        try:
            row = str(new["row"][0])
        except (KeyError, IndexError, TypeError):
            return
        if row:
            self.session.guarded(self.session.why.asked_in_table, row.partition("/")[0])

    def follow(self) -> None:
        """Show the card while a sample is explained, and ask for what it says."""
        if self.seen and not len(self.card):
            self.card[:] = [self._inside]
        set_class(self.card, "gone", not self.seen)
        if not self.seen:
            self._asked = None
            self.session.worker.stop("why")
            return
        self._ask()

    def _grown(self, finished: bool) -> None:
        if finished and self.seen:
            self._ask()

    def _ask(self) -> None:
        request = self.session.why.request()
        if request is None or request == self._asked:
            return
        self._asked = request
        cache = self.session.cache
        if self.made is None or self.made.request.sample != request.sample:
            self.who.object = '<p class="hint">Counting votes.</p>'
        self.session.worker.ask(
            "why", lambda cancel: why(request, cache, cancel), self._take, self._fail
        )

    def _fail(self, error: BaseException) -> None:
        self.who.object = f'<p class="says fault">{plain(sentence_of(error))}</p>'
        for part in (self.votes, self.shares, self.alike):
            part.object = ""

    # ---- showing

    def _take(self, made: Why) -> None:
        self.made = made
        models = self.session.state.models.models
        if len(models) != len(made.explained):
            return
        data = made.source.data
        self.who.object = subject_html(self.session.why.name, made, data)
        self.votes.object = "".join(
            votes_html(LETTERS[i], models[i].family, found)
            for i, found in enumerate(made.explained)
            if found is not None
        )
        options = {LETTERS[i]: i for i, found in enumerate(made.explained) if found is not None}
        if self.model.options != options:
            self._quiet = True
            value = self.model.value if self.model.value in options.values() else None
            self.model.param.update(
                options=options, value=next(iter(options.values())) if value is None else value
            )
            self._quiet = False
        self._show_model()

    def _show_model(self) -> None:
        made, place = self.made, self.model.value
        if self._quiet or made is None or place is None or place >= len(made.explained):
            return
        found, shared, data = made.explained[place], made.shared[place], made.source.data
        if found is None:
            return
        spectral = data.axis is not None
        set_class(self.bars_frame, "gone", spectral)
        set_class(self.line_frame, "gone", not spectral)
        if shared is not None:
            k = shared.predicted
            if data.axis is not None:
                self.spectrum.update(shared, k, found.x, data.axis)
            else:
                self.bars.update(shared, k)
            self.shares.object = shares_html(shared, k, spectral)
        self.alike.object = nearest_html(found, data)
        self._quiet = True
        trees = found.votes.size
        self.tree.param.update(end=max(2, trees), value=min(self.tree.value or 1, trees))
        self._quiet = False

    def _restyle(self) -> None:
        view = self.session.state.view
        self.bars.restyle(view.theme, view.present)
        self.spectrum.restyle(view.theme, view.present)

    # ---- its path

    def _see_path(self) -> None:
        """Open the Nodes page on the leaf where the sample ends in a tree."""
        made, place = self.made, self.model.value
        if made is None or place is None or made.explained[place] is None:
            return
        found: Any = made.explained[place]
        tree = min(max(int(self.tree.value or 1), 1), found.votes.size) - 1
        state = self.session.state
        state.selection.param.update(model=int(place), tree=tree, node=int(found.leaf[tree]))
        levels = {**state.view.settings, "levels": str(MOST_LEVELS)}
        state.view.settings = levels
        self.session.navigation.leave_for("Nodes")
        self.session.settings.restore()
        self.session.refresh()
        self.session.commit()
