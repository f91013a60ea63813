"""The Nodes page: a tree, one node of it looked into, and the fan of split directions.

Built when its tab is first opened. What is chosen lives in the state, so a link restores it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
from bokeh.events import Tap
from bokeh.models import CustomJSTickFormatter

from explorer.app.export.download import table
from explorer.app.pages import node_text as words
from explorer.app.pages.board import Board, Look, Rows, set_class
from explorer.app.pages.first_splits import FirstSplits
from explorer.app.pages.growth import Growth
from explorer.app.pages.hand_cut import CutByHand
from explorer.app.pages.picture import Picture, forest_options, hint, tip
from explorer.app.session.events import PlaneChanged
from explorer.app.session.session import Session
from explorer.app.state.baselines import NO_FORESTS
from explorer.app.state.visitor import LETTERS
from explorer.app.widgets import ButtonRow, LiveIntSlider, button
from explorer.app.work.node_work import POWERS, NodePictures, NodeRequest, node_pictures, penalty
from explorer.app.work.requests import Pictures
from explorer.engine import ForestSpec
from explorer.views.directions_figure import DirectionsFigure
from explorer.views.map_figure import frame_pixels
from explorer.views.node_map import NodeMap
from explorer.views.projection_figure import ProjectionFigure
from explorer.views.tree_figure import TreeFigure
from explorer.views.weights_figure import MOST_BARS, SpectralWeightsFigure, WeightsFigure

MOST_LEVELS = 12
MODES = ("One node", "First cuts", "By hand", "Growth")


class NodesPage(Board):
    """Five pictures of one tree; they follow the maps of the session while they are seen."""

    name = "Nodes"
    works = ("nodes", "first splits", "hand cut", "growth")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.chosen = self.state.selection
        self.shown: NodePictures | None = None
        self._clicked = not self.chosen.rows  # a node of the link selects, unless samples are
        theme, present, soft = self.look
        look: tuple[Any, ...] = (theme, present)
        self.tree = TreeFigure(*look)
        self.map = NodeMap(session.frame, theme, soft, present)
        self.projection = ProjectionFigure(*look)
        self.weights = WeightsFigure(*look)
        self.spectral = SpectralWeightsFigure(*look)
        self.fan = DirectionsFigure(*look)
        self.firsts = FirstSplits(session.style, (theme, present))
        self.firsts.candidates.param.watch(lambda e: self._ask(), "value")
        self.hand = CutByHand(session.style, (theme, present))
        self.growth = Growth(session.style, (theme, present, soft))
        self._make_row()
        self._make_cards()
        self._arrange()
        for card in (*self.cards, self.band_card, self.fan_card):
            card.say("Growing the forests.")
        self.tree.figure.on_event(Tap, self._tapped)
        for side in ("inner_width", "inner_height"):
            self.map.figure.on_change(side, lambda attr, old, new: self._measure())
        self._measure()
        self.start()

    # ---- parts

    def _make_row(self) -> None:
        style = self.session.style
        group: dict[str, Any] = {"stylesheets": [style.button], "align": "center"}
        slider: dict[str, Any] = {"stylesheets": [style.slider], "align": "center", "margin": 0}
        self.mode = ButtonRow(
            options=list(MODES),
            value=MODES[0],
            margin=(0, 16, 0, 0),
            description=tip(
                "Look into one node, compare first cuts, cut by hand, or watch a tree grow."
            ),
            **group,
        )
        self.session.settings.bind("nodes", self.mode)
        self.mode.param.watch(lambda e: self._change_mode(), "value")
        self.forest = ButtonRow(
            options=self._forests(),
            value=self._first(),
            margin=(0, 16, 0, 0),
            description=tip("The forest whose tree is drawn."),
            **group,
        )
        self.forest.param.watch(lambda e: self._choose(model=e.new or 0, node=0), "value")
        self.number = LiveIntSlider(
            label="Tree", tags=["tree"], start=1, end=100, value=1, width=96, **slider
        )
        self.number.param.watch(lambda e: self._choose(tree=e.new - 1, node=0), "value")
        self.number.param.watch(lambda e: self.session.commit(), "value_throttled")
        self.levels = LiveIntSlider(
            label="Levels drawn",
            tags=["levels"],
            start=1,
            end=MOST_LEVELS,
            value=6,
            width=92,
            **slider,
        )
        self.session.settings.bind("levels", self.levels)
        self.levels.param.watch(lambda e: self._ask(), "value")
        steps = {
            "Parent": "Go to the node above.",
            "Left": "Go to the child with scores up to the cut.",
            "Right": "Go to the child with scores above the cut.",
        }
        self.steps = {
            name: button(style, name, align="center", margin=(0, 4, 0, 0), description=tip(what))
            for name, what in steps.items()
        }
        self.steps["Parent"].on_click(lambda e: self._step(lambda s: s.parent))
        self.steps["Left"].on_click(lambda e: self._step(lambda s: s.children[0]))
        self.steps["Right"].on_click(lambda e: self._step(lambda s: s.children[1]))
        self.of_nodes = (
            self.forest,
            self.number,
            hint("Number of the tree; each was grown on other samples. t"),
            self.levels,
            hint("Levels below the root that are drawn; more shows smaller nodes."),
            *self.steps.values(),
        )
        self.row = self.controls(self.mode, *self.of_nodes)

    def _make_cards(self) -> None:
        style = self.session.style
        self.power = LiveIntSlider(
            label="Penalty λ",
            tags=["lambda"],
            start=POWERS[0],
            end=POWERS[-1],
            value=0,
            format=CustomJSTickFormatter(code="return (10 ** (tick / 2)).toPrecision(1)"),
            stylesheets=[style.slider],
            margin=0,
            sizing_mode="stretch_width",
        )
        self.session.settings.bind("lambda", self.power)
        self.power.param.watch(lambda e: self._turn_fan(), "value")
        turn = pn.Row(
            self.power,
            hint(
                "Small: features weigh together, as in LDA. Large: each alone, as in PLS. λ",
                "left",
            ),
            margin=0,
            css_classes=["foot"],
            sizing_mode="stretch_width",
        )
        self.turn_plane = button(
            style,
            "Its plane",
            css_classes=["quiet"],
            align="center",
            description=tip("Look at the two features that weigh most in this cut.", "left"),
        )
        self.turn_plane.on_click(self._look_along)
        self.tree_card = Picture(
            style,
            "Tree",
            "tree",
            self.tree.figure,
            lambda: table(self._of("drawing")),
            classes=("span2",),
            lines=1,
        )
        self.map_card = Picture(
            style,
            "Cuts on the map",
            "cuts",
            self.map.figure,
            lambda: table(self._of("partition")),
            buttons=(self.turn_plane,),
        )
        self.split_card = Picture(
            style,
            "Samples along this cut",
            "scores",
            self.projection.figure,
            lambda: table(self._of("projection")),
            lines=3,
        )
        self.weight_card = Picture(
            style, "Weights", "weights", self.weights.figure, self._weights_csv
        )
        self.band_card = Picture(
            style,
            "Weights",
            "weights",
            self.spectral.figure,
            self._weights_csv,
            classes=("hidden",),
        )
        self.fan_card = Picture(
            style,
            "Fan of directions",
            "directions",
            self.fan.figure,
            lambda: table(self._of("directions")),
            extra=(turn,),
            lines=3,
        )
        self.cards = (self.tree_card, self.map_card, self.split_card, self.weight_card)
        self.view = self.board(
            *(card.view for card in (*self.cards, self.band_card, self.fan_card)),
            *self.firsts.views,
            *self.hand.views,
            *self.growth.views,
            kinds=("nodes",),
        )

    def _arrange(self) -> None:
        """The pictures of one node, or those of first splits."""
        firsts, by_hand, grows = (self.mode.value == mode for mode in MODES[1:])
        apart = firsts or by_hand or grows
        n = len(self.families())
        spectral = self.maps is not None and self.maps.source.data.axis is not None
        for card in (*self.cards, self.fan_card):
            set_class(card.view, "hidden", apart)
        set_class(self.weight_card.view, "hidden", apart or spectral)
        set_class(self.band_card.view, "hidden", apart or not spectral)
        for view in self.hand.views:
            set_class(view, "hidden", not by_hand)
        for view in self.growth.views:
            set_class(view, "hidden", not grows)
        set_class(self.view, "halves", grows)
        for i, card in enumerate(self.firsts.cards):
            set_class(card.view, "hidden", not firsts or i >= n)
        set_class(self.firsts.worth_card.view, "hidden", not firsts)
        set_class(self.view, "firsts", firsts)
        set_class(self.view, "crowded", firsts and n > 3)
        rows = n if n <= 3 else (n + 1) // 2
        for k in (1, 3):
            set_class(self.view, f"r{k}", firsts and rows == k)
        for widget in self.of_nodes:
            widget.visible = not firsts

    def _change_mode(self) -> None:
        if self.growth.play.value:
            self.growth.play.value = False
        self._arrange()
        self._ask()

    def _of(self, name: str) -> Any:
        return None if self.shown is None else getattr(self.shown, name)

    def _weights_csv(self) -> str:
        record = self._of("projection")
        if record is None:
            return table(None)
        import pandas

        return table(pandas.DataFrame({"feature": record.feature_names, "weight": record.weights}))

    # ---- choosing

    def _forests(self) -> dict[str, int]:
        """Models with trees, by their places."""
        return forest_options(self.session.state.models.models, only_forests=True)

    def _first(self) -> int | None:
        places = list(self._forests().values())
        return self.chosen.model if self.chosen.model in places else next(iter(places), None)

    def _choose(self, **chosen: Any) -> None:
        if self._quiet:
            return

        def act() -> None:
            self.chosen.param.update(**chosen)

        self.session.guarded(act)
        self._clicked = True
        if not self.chosen.node and self.chosen.how == "node":
            self.session.selected.choose((), "")
        self._ask()
        if "tree" not in chosen and not self.chosen.node:  # others wait for their samples
            self.session.commit()

    def _step(self, where: Any) -> None:
        if self.shown is not None and where(self.shown) >= 0:
            self._choose(node=int(where(self.shown)))

    def _tapped(self, event: Any) -> None:
        node = self.tree.nearest(event.x, event.y)
        if node is not None:
            self._choose(node=node)

    def _look_along(self, event: Any) -> None:
        record = self._of("projection")
        if record is None or record.weights.size < 2:
            return
        order = abs(record.weights).argsort()[::-1]
        across, up = sorted(int(record.features[i]) for i in order[:2])
        self.session.guarded(self.session.plane.look_at, across, up, "features")

        def follow() -> None:
            self.session.announce(PlaneChanged())
            self.session.commit()

        self.session.aside(follow)

    def _power(self) -> int:
        """The slider's place; a client may send one that is none."""
        place = self.power.value
        return place if isinstance(place, int) and place in POWERS else 0

    def _turn_fan(self) -> None:
        record = self._of("directions")
        place = self._power()
        if self.shown is None or record is None:
            return
        i = self.fan.turn(penalty(place))
        if i is not None:
            self.fan_card.say(words.of_fan(self.shown, i), f"λ = {record.penalty[i]:.1g}")

    def _measure(self) -> None:
        self.session.viewport.measured(self.name, frame_pixels(self.map.figure))

    # ---- asking and drawing

    def follow(self, maps: Pictures) -> None:
        """New maps: the same tree of the forest that was grown anew."""
        self._ask()

    def _ask(self) -> None:
        maps: Pictures | None = self.maps
        if maps is None or self.session.latest is not maps:
            return
        if self.mode.value == MODES[1]:
            self._arrange()
            self.firsts.ask(self, maps)
            return
        model = self._first()
        if model is None:
            self.fault(NO_FORESTS)
            return
        spec = maps.request.specs[model] if model < len(maps.request.specs) else None
        if not isinstance(spec, ForestSpec):
            return  # another model stands there since, and maps of it are on their way
        levels = self.levels.value
        request = NodeRequest(
            maps.source,
            spec,
            self.chosen.tree,
            self.chosen.node,
            levels if isinstance(levels, int) and 1 <= levels <= MOST_LEVELS else 6,
            maps.axes,
            maps.plane,
        )
        if self.mode.value in MODES[2:]:
            self._arrange()
            (self.hand if self.mode.value == MODES[2] else self.growth).ask(self, request)
            return
        record = maps.records[model]
        cache = self.session.cache
        self.ask(
            "nodes",
            lambda cancel: node_pictures(request, cache, cancel),
            lambda shown: self.show(shown, model, record),
        )

    def show(self, shown: NodePictures, model: int, record: Any) -> None:
        """Draw a tree and its chosen node, unless its forest was removed meanwhile."""
        if model >= len(self.state.models.models):
            return  # maps of the models that are left are on their way
        self.shown = shown
        data = shown.request.source.data
        self._follow_controls(shown, model)
        self.tree.update(shown.drawing, shown.node)
        plane, (across, up) = shown.request.plane, shown.request.axes
        self.map.update(record, shown.partition, shown.split)
        self.map.map.describe(plane.x_label, plane.y_label)
        spectral = data.axis is not None
        self._arrange()
        if shown.projection is not None:
            self.projection.update(shown.projection)
            if spectral:
                self.spectral.update(shown.projection, data.axis)
            else:
                self.weights.update(shown.projection)
        if shown.directions is not None:
            record_of_fan = shown.directions
            rows = np.unique(record_of_fan.rows)  # drawn twice, a sample is still one mark
            x, y = data.X[rows, across], data.X[rows, up]
            self.fan.update(record_of_fan, x, y, data.y[rows], penalty(self._power()))
        self._select(shown)
        self.light_up(self.session.selected.rows)
        self._say(shown, model)

    def _select(self, shown: NodePictures) -> None:
        """The samples of a node that somebody chose are selected; the root holds them all."""
        selected = self.session.selected
        if self._clicked or self.chosen.how == "node":
            clicked, self._clicked = self._clicked, False
            selected.choose(shown.rows if shown.node else (), "node", commit=clicked)

    def light_up(self, rows: Rows) -> None:
        self.map.map.fade(rows.size > 0)
        self.projection.pick(rows)

    def _follow_controls(self, shown: NodePictures, model: int) -> None:
        options = self._forests()
        self._quiet = True
        if self.forest.options != options or self.forest.value != model:
            self.forest.param.update(options=options, value=model)
        wanted = {"end": max(2, shown.n_tree), "value": shown.tree + 1}
        if any(getattr(self.number, k) != v for k, v in wanted.items()):
            self.number.param.update(**wanted)
        self._quiet = False
        flat = shown.projection is None or shown.projection.weights.size < 2
        self.turn_plane.visible = shown.request.source.data.n_features > 2 and not flat
        for name, target in zip(self.steps, (shown.parent, *shown.children), strict=True):
            self.steps[name].disabled = target < 0

    # ---- words

    def _say(self, shown: NodePictures, model: int) -> None:
        family = self.state.models.models[model].family
        self.tree_card.title(
            f"Tree {shown.tree + 1} of {shown.n_tree}",
            f"{LETTERS[model]} {family}, {words.counted(shown.n_nodes, 'node')}, "
            f"{words.counted(shown.depth, 'level')}",
        )
        self.tree_card.say(words.of_tree(shown))
        self.split_card.title("Samples along this cut")
        if shown.projection is None:
            for card in (self.split_card, self.weight_card, self.band_card):
                card.fault(shown.no_split)
        else:
            self.split_card.say(words.of_split(shown), "β_mᵀx > c_m")
            self.weight_card.say(words.of_weights(shown, MOST_BARS), "β_m")
            self.band_card.say(words.of_weights(shown), "β_m")
        if shown.no_lines:
            self.map_card.fault(shown.no_lines)
        else:
            self.map_card.say(words.of_map(shown))
        if shown.no_fan:
            self.fan_card.fault(shown.no_fan)
        elif shown.directions is not None:
            self._turn_fan()

    def fault(self, sentence: str) -> None:
        for card in (*self.cards, self.band_card, self.fan_card):
            card.fault(sentence)
        self.firsts.fault(sentence)
        self.hand.fault(sentence)
        self.growth.fault(sentence)

    def restyle(self, look: Look) -> None:
        theme, present, soft = look
        for part in (self.tree, self.projection, self.weights, self.spectral, self.fan):
            part.restyle(theme, present)
        self.map.restyle(theme, soft, present)
        self.firsts.restyle(theme, present)
        self.hand.restyle(theme, present)
        self.growth.restyle(theme, present, soft)
