"""Owns the sidebar: which data, what is done to them, which forests. Only knobs that apply."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import panel as pn
from bokeh.models import CustomJSTickFormatter

from explorer.app.state import (
    LETTERS,
    MOST_MODELS,
    OFFERED_TRANSFORMS,
    PAINT,
    ModelState,
)
from explorer.app.widgets import LiveIntSlider, Style, button, icon, knob_widget, plain, text
from explorer.data import Knob, catalogue, load
from explorer.data.entry import SIGMA
from explorer.data.transforms import TRANSFORMS
from explorer.engine import FAMILIES
from explorer.engine.spec import CRITERIA, SCALINGS, VOTES
from explorer.views.theme import class_colour
from explorer.views.thumbnail import thumbnail

if TYPE_CHECKING:
    from explorer.app.session import Session

FIRST_KNOBS = ("n", "p", "k", "noise", "separation", "effect", "offset", "gap", "width", "cells")
SHORT = {"clouds": "Clouds", "pair": "Pair", "mixture": "Mixture", "checkerboard": "Checks"}
WORDS = {
    "n": "Samples, n",
    "p": "Features, p",
    "k": "Classes, K",
    "n_centres": "Centres per class",
    "p_star": "Features that count, p*",
    "sd": f"Spread, {SIGMA}",
}
# What every model card may turn: label with the paper's symbol last, and the range.
MODEL_KNOBS: dict[str, Knob] = {
    "n_tree": Knob("Trees that vote; more give a steadier map and take longer.", 1, 1000),
    "m_try": Knob("Features a node may look at; fewer make the trees differ more.", 1, 1000),
    "n_combine": Knob("Features mixed in one random direction; 1 keeps cuts straight.", 1, 20),
    "n_candidates": Knob("Directions each node tries; more finds better cuts, slower.", 1, 200),
    "n_thresholds": Knob("Cuts tried per feature, at random; more find better ones.", 1, 200),
    "lambdas": Knob("Small follows the labels, like LDA; large follows the spread, like PCA."),
    "cost": Knob("Price of a sample on the wrong side; more follows single samples.", 0.001, 1e4),
    "min_leaf": Knob("A node of this many samples or fewer is not cut further.", 1, 50),
    "scaling": Knob("How features are scaled before they are mixed.", choices=SCALINGS),
    "criterion": Knob("What makes a cut a good one.", choices=CRITERIA),
    "vote": Knob("How the trees' answers are put together.", choices=VOTES),
    "seed": Knob("Another number grows other trees.", 0, 2**31 - 1),
}
MODEL_WORDS = {
    "n_tree": "Trees, n_tree",
    "m_try": "Features per node, m_try",
    "n_combine": "Features mixed, L",
    "n_candidates": "Directions tried, d",
    "n_thresholds": "Thresholds tried",
    "lambdas": "Ridge penalty, λ",
    "cost": "Cost, c",
    "min_leaf": "Leaf size",
    "scaling": "Scaling",
    "criterion": "Criterion",
    "vote": "Vote",
    "seed": "Seed",
}
SHOWN_FIRST = ("n_tree", "m_try", "n_combine", "n_candidates", "n_thresholds", "lambdas", "cost")


@cache
def thumbnails() -> dict[str, str]:
    """Pictures of the 2-D data sets, drawn once per process."""
    flat = [name for name, entry in catalogue().items() if entry.group == "2-D"]
    out = {}
    for name in flat:
        data = load(name, n=90)
        out[name] = thumbnail(data.X, data.y)
    return out


def more_knobs(n: int) -> str:
    return f"{n} more knob{'s' if n > 1 else ''}"


class Sidebar:
    """Widgets for data and models; it changes the state and asks the session to follow."""

    def __init__(self, session: Session, style: Style) -> None:
        self.session, self.style = session, style
        self.state = session.state
        self.open_models: set[int] = set()
        self.more_data = False
        self._tiles: dict[str, Any] = {}
        self.data_box = self._column()
        self.knob_box = self._column()
        self.legend = text(style, sizing_mode="stretch_width", margin=(2, 0, 8, 0))
        self.transform_box = self._column()
        self.model_box = self._column()
        self.view = pn.Column(
            self.data_box,
            self.knob_box,
            self.legend,
            self.transform_box,
            self.model_box,
            margin=0,
            sizing_mode="stretch_width",
        )
        self._build_data()
        self.rebuild()

    def _column(self, *children: Any, **options: Any) -> pn.Column:
        options.setdefault("margin", 0)
        return pn.Column(
            *children, sizing_mode="stretch_width", stylesheets=[self.style.panes], **options
        )

    def _row(self, *children: Any, **options: Any) -> pn.Row:
        options.setdefault("margin", 0)
        return pn.Row(*children, sizing_mode="stretch_width", **options)

    def _heading(self, words: str, hint: str = "") -> pn.pane.HTML:
        line = f'<p class="hint">{plain(hint)}</p>' if hint else ""
        return text(self.style, f"<h2>{plain(words)}</h2>{line}", margin=(4, 0, 4, 0))

    # ---- data

    def _build_data(self) -> None:
        tiles = []
        for name, picture in thumbnails().items():
            label = SHORT.get(name, catalogue()[name].title)
            tile = button(
                self.style,
                label,
                icon=picture,
                icon_size="43px",
                css_classes=["tile"],
                sizing_mode="stretch_width",
                margin=(0, 2, 4, 2),
                height=64,
            )
            tile.on_click(lambda event, name=name: self.session.choose_data(name))
            self._tiles[name] = tile
            tiles.append(tile)
        rows = [
            pn.Row(*tiles[i : i + 4], margin=(0, -2), sizing_mode="stretch_width")
            for i in range(0, len(tiles), 4)
        ]
        groups: dict[str, dict[str, str]] = {"choose": {"More data sets": ""}}
        for name, entry in catalogue().items():
            if entry.group != "2-D":
                groups.setdefault(entry.group, {})[entry.title] = name
        self.others = pn.widgets.Select(
            tags=["label:More data sets"],
            groups=groups,
            value="",
            stylesheets=[self.style.field],
            margin=(4, 0, 8, 0),
            sizing_mode="stretch_width",
        )
        self.others.param.watch(self._other_chosen, "value")
        self.data_box[:] = [self._heading("Data"), *rows, self.others]

    def _other_chosen(self, event: Any) -> None:
        if event.new and event.new != self.state.data.source:
            self.session.choose_data(event.new)

    def rebuild(self) -> None:
        """Follow the state: another data set, transform or set of models."""
        source = self.state.data.source
        for name, tile in self._tiles.items():
            wanted = ["tile", "on"] if name == source else ["tile"]
            if tile.css_classes != wanted:
                tile.css_classes = wanted
        listed = source != PAINT and source not in self._tiles
        self.others.value = source if listed else ""
        self._build_knobs()
        self._build_transform()
        self.build_models()

    def _build_knobs(self) -> None:
        data = self.state.data
        if data.source == PAINT:
            hint = text(self.style, '<p class="hint">Painted points, up to 500.</p>')
            self.knob_box[:] = [hint]
            return
        entry = catalogue()[data.source]
        lead = self.session.lead_knob()
        names = [k for k in entry.knobs if k not in (lead, "seed")]
        first = [k for k in FIRST_KNOBS if k in names][:2] or names[:2]
        rest = [k for k in names if k not in first]
        shown = first + (rest if self.more_data else [])
        children: list[Any] = []
        for name in shown:
            knob = entry.knobs[name]
            children.append(
                self._knob(
                    WORDS.get(name, name.replace("_", " ").capitalize()),
                    knob,
                    data.knob(name),
                    lambda value, name=name: self.session.turn_data(name, value),
                )
            )
        if (self.session.n_features or 2) > 2:
            children += self._plane()
        row: list[Any] = []
        if "seed" in entry.knobs:
            again = button(self.style, "Draw again", icon=icon("dice", 16), icon_size="16px")
            again.on_click(lambda event: self.session.draw_again())
            row.append(again)
        if rest:
            label = "Fewer knobs" if self.more_data else more_knobs(len(rest))
            more = button(self.style, label, css_classes=["quiet"])
            more.on_click(self._toggle_more)
            row.append(more)
        children.append(self._row(*row, margin=(0, 0, 6, 0)))
        self.knob_box[:] = children

    def _plane(self) -> list[Any]:
        """Two sliders over the features: which runs to the right, which up."""
        try:
            names = list(self.session.feature_names())
        except ValueError:
            return []
        view = self.state.view
        sliders = []
        for label, value in (("Across", view.across), ("Up", view.up)):
            slider = LiveIntSlider(
                label=label,
                tags=[f"tip:Feature that runs {'to the right' if label == 'Across' else 'up'}."],
                start=0,
                end=len(names) - 1,
                value=min(value, len(names) - 1),
                format=CustomJSTickFormatter(args={"names": names}, code="return names[tick]"),
                stylesheets=[self.style.slider],
                margin=(0, 0, 2, 0),
                sizing_mode="stretch_width",
            )
            slider.param.watch(lambda event: self._look(sliders), "value")
            slider.param.watch(lambda event: self.session.commit(), "value_throttled")
            sliders.append(slider)
        return sliders

    def _look(self, sliders: list[Any]) -> None:
        self.session.guarded(self.session.look_at, sliders[0].value, sliders[1].value)

    def _toggle_more(self, event: Any) -> None:
        self.more_data = not self.more_data
        self._build_knobs()

    def _knob(
        self, label: str, knob: Knob, value: Any, turned: Callable[[Any], None]
    ) -> pn.viewable.Viewable:
        widget = knob_widget(
            self.style,
            label,
            knob,
            value,
            lambda value: self.session.guarded(turned, value),
            self.session.commit,
            f"{knob.doc} {knob.symbol}".strip(),
        )
        return widget

    def show_legend(self, names: tuple[str, ...], counts: Any) -> None:
        """Which colour and marker is which class."""
        parts = []
        for k, name in enumerate(names[:12]):
            if counts[k]:
                parts.append(f"<span>{marker_svg(k)}{plain(name[:24])}</span>")
        more = f"<span>and {len(names) - 12} more</span>" if len(names) > 12 else ""
        html = f'<div class="legend">{"".join(parts)}{more}</div>'
        if self.legend.object != html:
            self.legend.object = html

    def _build_transform(self) -> None:
        data = self.state.data
        words = {"none": "As they are"}
        options = {words.get(name, name.capitalize()): name for name in OFFERED_TRANSFORMS}
        choose = pn.widgets.Select(
            label="Transform",
            tags=["tip:What is done to the features before the forests see them."],
            options=options,
            value=data.transform,
            css_classes=["inline"],
            stylesheets=[self.style.field],
            margin=(0, 0, 6, 0),
            sizing_mode="stretch_width",
        )
        choose.param.watch(lambda event: self.session.choose_transform(event.new), "value")
        children: list[Any] = [choose]
        if data.transform != "none":
            for name, knob in TRANSFORMS[data.transform].knobs().items():
                if name in ("first", "second") or name == self.session.lead_knob():
                    continue
                children.append(
                    self._knob(
                        name.capitalize(),
                        knob,
                        data.transform_knobs.get(name, knob.default),
                        lambda value, name=name: self.session.turn_transform(name, value),
                    )
                )
        self.transform_box[:] = children

    # ---- models

    def build_models(self) -> None:
        models = self.state.models
        linked = pn.widgets.Checkbox(
            label="Link knobs",
            tags=["label:Link knobs", "tip:One knob moves on all forests that have it."],
            value=models.linked,
            css_classes=["check"],
            stylesheets=[self.style.field],
            margin=(6, 0, 0, 0),
            align="end",
        )
        linked.param.watch(lambda event: self.session.link_models(event.new), "value")
        head = self._row(self._heading("Models"), pn.layout.HSpacer(), linked)
        cards = [self._model(i, model) for i, model in enumerate(models.models)]
        add = button(self.style, "Add a forest", disabled=len(models.models) >= MOST_MODELS)
        add.on_click(lambda event: self.session.add_model())
        self.model_box[:] = [head, *cards, self._row(add, margin=(8, 0, 8, 0))]

    def _model(self, index: int, model: ModelState) -> pn.Column:
        family = pn.widgets.Select(
            tags=[f"label:Family of forest {LETTERS[index]}"],
            options=list(FAMILIES),
            value=model.family,
            stylesheets=[self.style.field],
            margin=0,
            sizing_mode="stretch_width",
        )
        family.param.watch(lambda event: self.session.choose_family(index, event.new), "value")
        letter = text(
            self.style,
            f'<span class="letter beside">{LETTERS[index]}</span>',
        )
        buttons: list[Any] = []
        if len(self.state.models.models) < MOST_MODELS:
            copy = button(
                self.style,
                "",
                icon=icon("copy", 16),
                tags=[f"label:Duplicate forest {LETTERS[index]}"],
                icon_size="16px",
                css_classes=["quiet", "icon"],
            )
            copy.on_click(lambda event: self.session.duplicate_model(index))
            buttons.append(copy)
        if len(self.state.models.models) > 1:
            close = button(
                self.style,
                "",
                icon=icon("close", 16),
                tags=[f"label:Remove forest {LETTERS[index]}"],
                icon_size="16px",
                css_classes=["quiet", "icon"],
            )
            close.on_click(lambda event: self.session.remove_model(index))
            buttons.append(close)
        spec = model.spec(self.session.n_features)
        p = self.session.n_features or 2
        names = ["n_tree", *(k for k in SHOWN_FIRST[1:] if getattr(spec, k) is not None)]
        if spec.prune:
            names.remove("n_tree")
        rest = ["min_leaf", "criterion", "vote", "seed"]
        if p > 2 or spec.scaling != "none":
            rest.insert(1, "scaling")
        shown = names + (rest if index in self.open_models else [])
        widgets = [w for w in (self._model_knob(index, name, p) for name in shown) if w is not None]
        label = "Fewer knobs" if index in self.open_models else more_knobs(len(rest))
        more = button(self.style, label, css_classes=["quiet"])
        more.on_click(lambda event: self._toggle_model(index))
        return self._column(
            self._row(letter, family, *buttons, margin=(0, 0, 6, 0)),
            *widgets,
            more,
            css_classes=["model"],
        )

    def _toggle_model(self, index: int) -> None:
        self.open_models ^= {index}
        self.build_models()

    def _model_knob(self, index: int, name: str, p: int) -> pn.viewable.Viewable | None:
        model = self.state.models.models[index]
        spec = model.spec(self.session.n_features)
        knob, value = MODEL_KNOBS[name], getattr(spec, name)
        if name == "m_try":
            value = spec.features_per_split(p)
            knob = Knob(knob.doc, 1, p, default=1)
        elif name == "n_combine":
            value = min(value, p)
            knob = Knob(knob.doc, 1, min(20, p), default=1)
        elif name == "n_candidates":
            value = min(spec.candidates(p), 200)
            knob = Knob(knob.doc, 1, 200, default=1)
        elif name == "lambdas":
            return self._lambda(index, value)
        else:
            knob = Knob(knob.doc, knob.low, knob.high, knob.choices, default=value)
        if name == "n_tree":
            value = min(value, 1000)
        return self._knob(
            MODEL_WORDS[name],
            knob,
            value,
            lambda new, name=name: self.session.turn_model(index, name, new),
        )

    def _lambda(self, index: int, value: tuple[float, ...]) -> pn.viewable.Viewable:
        """One penalty, or the whole path of the paper, out of which each node chooses."""
        options: dict[str, tuple[float, ...]] = {}
        logistic = self.state.models.models[index].base().split == "logistic"
        if not logistic:
            options["chosen at each node"] = FAMILIES["oRF-ridge"].lambdas or ()
        for power in range(-5, 6):
            options[f"10^{power}" if power else "1"] = (10.0**power,)
        if value not in options.values():
            options[", ".join(f"{v:g}" for v in value)] = value
        select = pn.widgets.Select(
            label=MODEL_WORDS["lambdas"],
            tags=[f"tip:{MODEL_KNOBS['lambdas'].doc}"],
            options=options,
            value=value,
            stylesheets=[self.style.field],
            margin=(0, 0, 6, 0),
            sizing_mode="stretch_width",
        )

        def turned(event: Any) -> None:
            self.session.guarded(lambda v: self.session.turn_model(index, "lambdas", v), event.new)
            self.session.commit()

        select.param.watch(turned, "value")
        return select


_SHAPES = {
    "circle": '<circle cx="7" cy="7" r="4.5"/>',
    "triangle": '<path d="M7 2 12 11.5H2z"/>',
    "square": '<path d="M3 3h8v8H3z"/>',
    "diamond": '<path d="M7 1.5 11.5 7 7 12.5 2.5 7z"/>',
    "inverted_triangle": '<path d="M7 12 2 2.5h10z"/>',
    "hex": '<path d="M7 2l4.5 2.5v5L7 12l-4.5-2.5v-5z"/>',
}


def marker_svg(k: int) -> str:
    """A class's marker in its colour."""
    look = class_colour(k)
    shape = _SHAPES.get(
        look.marker, '<path d="M7 1.5l1.6 3.7 4 .3-3 2.7.9 4L7 10l-3.5 2.2.9-4-3-2.7 4-.3z"/>'
    )
    return (
        '<svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true" '
        f'fill="{look.base}" stroke="var(--ink)" stroke-width="1">{shape}</svg>'
    )
