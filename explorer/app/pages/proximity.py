"""The Proximity page: which samples a forest keeps together, and which are outliers.

After Menze Fig. 8. Built when its tab is first opened.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import panel as pn

from explorer.analysis.proximity_picture import (
    OUTLYING,
    Places,
    paired_places,
    sorted_proximity,
    turned_places,
)
from explorer.app.export import insight_tables as files
from explorer.app.export.download import table
from explorer.app.pages import proximity_text as words
from explorer.app.pages.board import Look, LookingBoard, Rows, set_class
from explorer.app.pages.picture import Picture
from explorer.app.session.session import Session
from explorer.app.state.baselines import NO_FORESTS, forests_of
from explorer.app.state.visitor import LETTERS
from explorer.app.widgets import ButtonRow, Choice, button, css
from explorer.app.work.grow_work import Forests
from explorer.app.work.insight_work import ForestQuestion, Nearness, nearness
from explorer.app.work.requests import Source
from explorer.data import Dataset
from explorer.views.mds_figure import MdsFigure, SampleFrame, common_window
from explorer.views.pairs_figure import PairsFigure, cells
from explorer.views.proximity_heat import ProximityHeat
from explorer.views.variance_bars import VarianceBars

MARKS = ("Misclassified", "Outlying")
ALL = "All pairs"
PAIRS = {"1 and 2": (0, 1), "1 and 3": (0, 2), "2 and 3": (1, 2), ALL: (0, 1)}


class ProximityPage(LookingBoard):
    """Pictures of the same samples; what is selected in one lights up in all."""

    name = "Proximity"
    works = ("proximity",)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        look = self.look[:2]
        self.frame = SampleFrame()
        self.drawn: list[MdsFigure] = []
        self.cards: list[Picture] = []
        self.pairs = PairsFigure(self.frame, *look)
        self.heat = ProximityHeat(self.frame, *look)
        self.bars = VarianceBars(*look)
        self.made: Nearness | None = None
        self._made_of: Source | None = None  # the data that it was made of
        self._places: dict[int, Places] = {}  # what the map of each model shows
        self._make_row()
        self._make_view()
        self.frame.samples.selected.on_change("indices", self._lassoed)
        session.viewport.measured(self.name, None)  # no maps here: keep their size
        self.start()

    # ---- parts

    def _make_row(self) -> None:
        style = self.session.style
        here: dict[str, Any] = {"align": "center", "margin": (0, 8, 0, 0)}
        self.pair = ButtonRow(
            options=list(PAIRS),
            value="1 and 2",
            stylesheets=[style.button],
            tags=["tip:Principal coordinates that are drawn; the first explains most."],
            **here,
        )
        self.session.settings.bind("pair", self.pair)
        self.pair.param.watch(lambda event: self.draw_aside(), "value")
        self.marks = pn.widgets.CheckButtonGroup(
            options=list(MARKS),
            value=list(MARKS),
            css_classes=["chips"],
            stylesheets=[style.button],
            tags=["tip:Rings: out-of-bag trees chose another class. Crosses: far from its class."],
            **here,
        )
        self.session.settings.bind("marks", self.marks)
        self.marks.param.watch(self._mark, "value")
        self.above = Choice(
            options={"B": 1},
            value=1,
            width=70,
            stylesheets=[style.field],
            visible=False,
            tags=["label:Above the diagonal", "tip:The forest above the diagonals."],
            **here,
        )
        self.above.param.watch(lambda event: self._redraw(), "value")
        self.pick = button(
            style,
            "Select the marked",
            tags=[
                "select marked",
                "tip:Select every sample with a ring or a cross, as the lasso would.",
            ],
            **here,
        )
        self.pick.on_click(lambda event: self.session.selected.choose(self._marked(), "marked"))
        self.row = self.controls(self.pair, self.marks, self.pick, self.above)

    def _make_view(self) -> None:
        style = self.session.style
        self.pairs_card = Picture(
            style,
            "All pairs",
            "pairs",
            self.pairs.figure,
            lambda: table(None if self.made is None else self._paired(self.made)),
            classes=("pairs",),
        )
        self.heat_card = Picture(
            style,
            "Proximity",
            "proximity",
            self.heat.figure,
            lambda: table(None if self.made is None else self._matrix(self.made)),
            classes=("third",),
        )
        self.bars_card = Picture(
            style,
            "Variance explained",
            "variance",
            self.bars.figure,
            self._variance_csv,
            classes=("third",),
            lines=1,
        )
        self.table_card = Picture(
            style, "Samples", "samples", None, self._samples_csv, classes=("most",), lines=1
        )
        self._make_maps(len(self.state.models.models))
        self.view = self.board(*self._parts(), kinds=("near",))
        self.view.stylesheets = [style.panes, css("insight")]
        self._arrange(len(self.cards))
        for card in (*self.cards, self.pairs_card, self.heat_card, self.table_card):
            card.say("Growing the forests, then comparing the samples.")

    def _parts(self) -> list[Any]:
        last = (self.pairs_card, self.heat_card, self.bars_card, self.table_card)
        return [card.view for card in (*self.cards, *last)]

    def _make_maps(self, n: int) -> None:
        while len(self.drawn) < n:
            i = len(self.drawn)
            drawn = MdsFigure(self.frame, i, *self.look[:2])
            drawn.show_marks(self.marks.value)
            self.drawn.append(drawn)
            self.cards.append(
                Picture(
                    self.session.style,
                    LETTERS[i],
                    f"samples-{LETTERS[i]}",
                    drawn.figure,
                    partial(self._places_csv, i),
                    classes=("third",),
                    label=f"samples of forest {LETTERS[i]}",
                )
            )

    def _arrange(self, n: int) -> None:
        """A map per model, or all pairs of two; then heat map, bars and table."""
        self._make_maps(n)
        parts = self._parts()
        if list(self.view) != parts:
            self.view[:] = parts
        paired = self.pair.value == ALL
        for i, card in enumerate(self.cards):
            set_class(card.view, "hidden", paired or i >= n)
        set_class(self.pairs_card.view, "hidden", not paired)
        set_class(self.bars_card.view, "hidden", paired)
        set_class(self.view, "paired", paired)
        set_class(self.view, "wide", n > 2 and not paired)

    # ---- files

    def _places_csv(self, i: int) -> str:
        data = None if self._made_of is None else self._made_of.data
        return files.places_csv(self.made, i, PAIRS[self.pair.value], data)

    def _samples_csv(self) -> str:
        data = None if self._made_of is None else self._made_of.data
        return files.samples_csv(self.made, data, self.names())

    def _variance_csv(self) -> str:
        places = () if self.made is None else turned_places(self.made.models)
        return files.variance_csv(places, self.families())

    # ---- what is asked and what comes

    def follow(self, maps: Forests) -> None:
        """New forests: ask for their proximities."""
        question = ForestQuestion(maps.source, forests_of(maps.request.specs))
        if not question.specs:
            self.fault(NO_FORESTS)
            return
        asked = (maps.source, question.specs)
        if asked == self._asked:
            self.draw_aside()
            return
        self._asked = asked
        cache = self.session.cache

        def take(value: Any) -> None:
            if isinstance(value, Nearness):
                self._made_of = question.source
            self.take(value)

        self.ask("proximity", lambda cancel: nearness(question, cache, cancel), take)

    def fault(self, sentence: str) -> None:
        self.say_progress("")
        self._asked = None
        for card in (*self.cards, self.pairs_card, self.heat_card, self.table_card):
            card.fault(sentence)

    # ---- drawing

    def draw(self) -> None:
        """Bring every picture to what was made."""
        made, data, names = self.made, self._current_data(), self.names()
        if made is None or data is None:
            return
        n = len(made.models)
        self._arrange(n)
        self._offer_above(n)
        pair = PAIRS[self.pair.value]
        places = turned_places(made.models, pair)
        matrix, paired = self._matrix(made), self._paired(made)
        self.frame.set_samples(
            [p.xy for p in places],
            data.y,
            matrix.position,
            [files.sample_name(data, i) for i in range(data.n_samples)],
            data.class_names,
            cells(paired),
        )
        window = common_window([p.xy for p in places])
        for i, place in enumerate(places):
            self._draw_map(i, place, pair, window, names[i])
        self.heat.update(matrix)
        self.heat_card.say(words.of_heat(names, self._other()))
        self.bars.update([p.bars for p in places])
        self.bars_card.say(words.of_bars(names, places))
        both = [0] if n == 1 else [0, self._other()]
        self.pairs.update(paired, both, [names[i] for i in both], [self._marks(i) for i in both])
        self.pairs_card.say(words.of_pairs([names[i] for i in both], paired))
        self.light_up(self.session.selected.rows)

    def _current_data(self) -> Dataset | None:
        """The data that was compared; None while other data or forests are on their way."""
        of, maps = self._made_of, self.maps
        if self.made is None or of is None or maps is None or of.digest != maps.source.digest:
            return None
        return of.data if len(self.made.models) == len(self.names()) else None

    def _marks(self, i: int) -> tuple[Any, Any]:
        assert self.made is not None
        return self.made.votes[i].wrong, self.made.models[i].outlyingness > OUTLYING

    def _draw_map(
        self,
        i: int,
        place: Places,
        pair: tuple[int, int],
        window: tuple[float, float, float, float],
        name: str,
    ) -> None:
        wrong, outlying = self._marks(i)
        axes = "axis {}, aligned" if i else "axis {}"
        labels = (axes.format(pair[0] + 1), axes.format(pair[1] + 1))
        self.drawn[i].update(place.xy, place.explained, labels, wrong, outlying)
        self.drawn[i].look(window)
        self.cards[i].title(name)
        self._places[i] = place
        self._say_marks(i)

    def _say_marks(self, i: int) -> None:
        """Count the marks that are drawn, and no others."""
        counts = (int(mask.sum()) for mask in self._marks(i))
        wrong, outlying = (
            n if name in self.marks.value else None for n, name in zip(counts, MARKS, strict=True)
        )
        self.cards[i].say(words.of_map(self._places[i], i, wrong, outlying))

    def _other(self) -> int:
        """The forest above the diagonals."""
        n = 1 if self.made is None else len(self.made.models)
        value = self.above.value
        return value if isinstance(value, int) and 0 < value < n else min(1, n - 1)

    def _matrix(self, made: Nearness) -> Any:
        other = made.models[self._other()] if len(made.models) > 1 else None
        return sorted_proximity(made.models[0], other)

    def _paired(self, made: Nearness) -> Any:
        other = made.models[self._other()] if len(made.models) > 1 else None
        return paired_places(made.models[0], other)

    def _offer_above(self, n: int) -> None:
        options = {self.names()[i][0]: i for i in range(1, n)} or {"B": 1}
        if self.above.options != options:
            self._quiet = True
            value = self.above.value if self.above.value in options.values() else 1
            self.above.param.update(options=options, value=value)
            self._quiet = False
        self.above.visible = n > 2

    def _redraw(self) -> None:
        if not self._quiet:
            self.draw_aside()

    def _mark(self, event: Any) -> None:
        figures: tuple[Any, ...] = (*self.drawn, self.pairs)
        for drawn in figures:
            drawn.show_marks(event.new)
        n = 0 if self.made is None else len(self.made.models)
        for i in (i for i in self._places if i < n):
            self._say_marks(i)

    def restyle(self, look: Look) -> None:
        picture: Any
        for picture in (*self.drawn, self.pairs, self.heat, self.bars):
            picture.restyle(*look[:2])

    # ---- selecting

    def _marked(self) -> list[int]:
        if self.made is None:
            return []
        found = np.zeros(self.made.models[0].y.size, bool)
        for i in range(len(self.made.models)):
            for name, mask in zip(MARKS, self._marks(i), strict=True):
                if name in self.marks.value:
                    found |= mask
        rows: list[int] = np.flatnonzero(found).tolist()
        return rows

    def _lassoed(self, attr: str, old: Any, new: Any) -> None:
        """Somebody used the lasso, or clicked a sample."""
        if self._quiet or self.made is None:
            return
        rows = [r for r in new if isinstance(r, int)] if isinstance(new, list) else []
        self.session.guarded(self.session.selected.choose, rows, "lasso")

    def light_up(self, rows: Rows) -> None:
        indices = rows.tolist()
        if self.frame.samples.selected.indices != indices:
            self._quiet = True
            self.frame.samples.selected.indices = indices
            self._quiet = False
        data = self._current_data()
        if self.made is None or data is None:
            return
        letters = "".join(name[0] for name in self.names())
        caption, html = words.sample_table(data, self.made, indices, letters)
        self.table_card.title("Samples", caption)
        self.table_card.fill(html)
        self.table_card.say(words.of_table(self.made, indices))
