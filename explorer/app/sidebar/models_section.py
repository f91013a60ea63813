"""The models in the sidebar: up to six, each with its family and its knobs."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import panel as pn

from explorer.app.session.events import ModelsChanged, ModelTurned
from explorer.app.session.session import Session
from explorer.app.sidebar.section import Box, more_knobs
from explorer.app.state.baselines import BASELINES, CHOICES, CHOSEN
from explorer.app.state.visitor import LETTERS, MOST_MODELS, ModelState
from explorer.app.widgets import Choice, Style, bring, button, icon, text
from explorer.data import Knob
from explorer.engine import FAMILIES
from explorer.engine.spec import BOOTSTRAPS, CRITERIA, SCALINGS, SUBSPACES, VOTES
from explorer.views.tick_labels import power_of_ten, short_number

MOST_CANDIDATES = 10_000  # Tomita tries up to p^2 directions
DEPTHS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30)
FOLDS = (5, 10)

# What every model card may turn: label with the paper's symbol last, and the range.
MODEL_KNOBS: dict[str, Knob] = {
    "n_tree": Knob("Trees that vote; more give a steadier map and take longer.", 1, 1000),
    "m_try": Knob("Features a node may look at; fewer make the trees differ more.", 1, 1000),
    "n_combine": Knob("Features mixed in one random direction; 1 keeps cuts straight.", 1, 20),
    "n_candidates": Knob(
        "Random directions tried per node; more find better cuts, slower.", 1, MOST_CANDIDATES
    ),
    "n_thresholds": Knob("Cuts tried per feature, at random; more find better ones.", 1, 200),
    "lambdas": Knob("Small: features weigh together, as in LDA. Large: each alone, as in PLS."),
    "cost": Knob("Penalty for samples on the wrong side; more follows single samples.", 0.001, 1e4),
    "min_leaf": Knob("A node of this many samples or fewer is not cut further.", 1, 50),
    "scaling": Knob("How features are scaled before they are mixed.", choices=SCALINGS),
    "criterion": Knob("How the quality of a cut is measured.", choices=CRITERIA),
    "vote": Knob("How the votes of the trees are combined.", choices=VOTES),
    "bootstrap": Knob(
        "Samples of a tree: drawn with replacement, without, or all of them (no out-of-bag error).",
        choices=tuple(BOOTSTRAPS),
    ),
    "subspace": Knob("Features are drawn anew at every node, or once per tree.", choices=SUBSPACES),
    "rotate": Knob("Rotate the data of every tree at random."),
    "vary_combine": Knob("Draw the number of mixed features from 1 to L for every direction."),
    "balance": Knob("Both groups of classes weigh the same in a cut."),
    "max_depth": Knob("Levels of cuts below the root; fewer make coarser trees."),
    "prune": Knob("Cut every tree back by cross-validation; the folds of it."),
    "seed": Knob("Seed of the random numbers: another one grows other trees.", 0, 2**31 - 1),
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
    "bootstrap": "Bootstrap",
    "subspace": "Features drawn per",
    "rotate": "Rotate each tree",
    "vary_combine": "Vary L",
    "balance": "Balance groups",
    "max_depth": "Depth",
    "prune": "Prune",
    "seed": "Seed",
}
OWN_KNOBS = ("subspace", "rotate", "vary_combine", "balance")  # of some splits only
SHOWN_FIRST = ("n_tree", "m_try", "n_combine", "n_candidates", "n_thresholds", "lambdas", "cost")


class ModelBox(Box):
    """Cards of the models, built again when one comes, goes or changes its family."""

    def __init__(self, session: Session, style: Style) -> None:
        super().__init__(session, style)
        self.open_models: set[int] = set()
        self._knobs: dict[tuple[int, str], Any] = {}  # the widget of a card's knob
        self._quiet = False  # while widgets follow the state instead of leading it
        self.view = self._column()
        session.subscribe(ModelsChanged, lambda event: self.build())
        session.subscribe(ModelTurned, lambda event: self.follow(event.place, event.knob))

    def build(self) -> None:
        models = self.state.models
        linked = pn.widgets.Checkbox(
            label="Link knobs",
            tags=["label:Link knobs", "tip:A setting is changed for all forests that have it."],
            value=models.linked,
            css_classes=["check"],
            stylesheets=[self.style.field],
            margin=(6, 0, 0, 0),
            align="end",
        )
        linked.param.watch(lambda event: self.session.models.link(event.new), "value")
        head = self._row(self._heading("Models"), pn.layout.HSpacer(), linked)
        self._knobs.clear()
        cards = [self._model(i, model) for i, model in enumerate(models.models)]
        add = button(self.style, "Add a forest", disabled=len(models.models) >= MOST_MODELS)
        add.on_click(lambda event: self.session.models.add())
        self.view[:] = [head, *cards, self._row(add, margin=(8, 0, 8, 0))]

    def follow(self, index: int, name: str) -> None:
        """Bring the knobs that are linked with one to the state.

        That one stays as it is: it may be under the pointer, and the end of its drag must come.
        """
        others = self.state.models.others_with(index, name)
        for i in others:
            model = self.state.models.models[i]
            value = self._value_of(model, name)
            widget = self._knobs.get((i, name))
            self._quiet = True
            if widget is not None and not bring(widget, value):
                self.view[i + 1] = self._model(i, model)
            self._quiet = False

    def _value_of(self, model: ModelState, name: str) -> Any:
        """What the widget of a knob shows."""
        p = self.session.n_features or 2
        spec = model.spec(self.session.n_features)
        value = getattr(spec, name)
        if name == "m_try":
            return spec.features_per_split(p)
        if name == "n_combine":
            return min(value, p)
        if name == "n_candidates":
            return min(spec.candidates(p), MOST_CANDIDATES)
        return min(value, 1000) if name == "n_tree" else value

    def _turn(self, index: int, name: str, value: Any) -> None:
        if not self._quiet:
            self.session.models.turn(index, name, value)

    def _model(self, index: int, model: ModelState) -> pn.Column:
        family = Choice(
            tags=[f"label:Family of forest {LETTERS[index]}"],
            groups={"Forests": list(FAMILIES), "Baselines": list(BASELINES)},
            value=model.family,
            stylesheets=[self.style.field],
            margin=0,
            sizing_mode="stretch_width",
        )
        family.param.watch(
            lambda event: self.session.models.choose_family(index, event.new), "value"
        )
        letter = text(
            self.style,
            f'<span class="letter beside">{LETTERS[index]}</span>',
        )
        buttons: list[Any] = []
        if len(self.state.models.models) < MOST_MODELS:
            words = f"Duplicate forest {LETTERS[index]}"
            copy = self._small_button("copy", words, lambda: self.session.models.duplicate(index))
            buttons.append(copy)
        if len(self.state.models.models) > 1:
            words = f"Remove forest {LETTERS[index]}"
            close = self._small_button("close", words, lambda: self.session.models.remove(index))
            buttons.append(close)
        head = self._row(letter, family, *buttons, margin=(0, 0, 6, 0))
        if not model.has_trees:
            return self._column(head, *self._baseline(index, model), css_classes=["model"])
        spec = model.spec(self.session.n_features)
        p = self.session.n_features or 2
        names = ["n_tree", *(k for k in SHOWN_FIRST[1:] if getattr(spec, k) is not None)]
        if spec.prune:
            names.remove("n_tree")
        own = [k for k in OWN_KNOBS if getattr(spec, k) is not None]
        rest = ["min_leaf", "max_depth", "criterion", "vote", "bootstrap", *own, "prune", "seed"]
        if p > 2 or spec.scaling != "none":
            rest.insert(1, "scaling")
        shown = names + (rest if index in self.open_models else [])
        widgets = [self._model_knob(index, name, p) for name in shown]
        label = "Fewer knobs" if index in self.open_models else more_knobs(len(rest))
        more = button(self.style, label, css_classes=["quiet"])
        more.on_click(lambda event: self._toggle_model(index))
        return self._column(
            head,
            *widgets,
            more,
            css_classes=["model"],
        )

    def card(self, index: int, unfolded: bool) -> pn.Column | None:
        """The box of one model, with all its knobs if they are to be unfolded."""
        if index >= len(self.state.models.models):
            return None
        if unfolded and index not in self.open_models:
            self.open_models.add(index)
            self.build()
        found: Any = self.view[1 + index]  # the head comes first
        return found

    def knob(self, index: int, name: str) -> pn.viewable.Viewable | None:
        """One knob of a model; it is unfolded where it is not seen. None if there is none such."""
        if (index, name) not in self._knobs:
            self.card(index, unfolded=True)
        return self._knobs.get((index, name))

    def _small_button(self, picture: str, words: str, act: Callable[[], None]) -> Any:
        """A picture that acts; words: what it is called."""
        made = button(
            self.style,
            icon=icon(picture, 16),
            tags=[f"label:{words}"],
            icon_size="16px",
            css_classes=["quiet", "icon"],
        )
        made.on_click(lambda event: act())
        return made

    def _baseline(self, index: int, model: ModelState) -> list[Any]:
        """Knobs of a model without trees; each can be left to the paper's cross-validation."""
        widgets: list[Any] = []
        for name, value in model.spec().settings.items():
            choice = CHOICES[name]
            options: dict[str, Any] = {CHOSEN: ""}  # Panel shows nothing for a None
            options |= {_number(v): v for v in choice.values}
            if value is not None and value not in options.values():
                options[f"{value:g}"] = value
            select = Choice(
                label=choice.label,
                tags=[f"tip:{choice.knob.doc}"],
                options=options,
                value="" if value is None else value,
                stylesheets=[self.style.field],
                margin=(0, 0, 6, 0),
                sizing_mode="stretch_width",
            )
            select.param.watch(partial(self._choose, index, name), "value")
            widgets.append(select)
        return widgets

    def _choose(self, index: int, name: str, event: Any) -> None:
        if self._quiet:
            return
        value = None if event.new == "" else event.new
        self.session.guarded(self.session.models.turn, index, name, value)
        self.session.commit()

    def _toggle_model(self, index: int) -> None:
        self.open_models ^= {index}
        self.build()

    def _model_knob(self, index: int, name: str, p: int) -> pn.viewable.Viewable:
        model = self.state.models.models[index]
        knob, value = MODEL_KNOBS[name], self._value_of(model, name)
        if name == "lambdas":
            made = self._lambda(index, value)
        elif name == "max_depth":
            options = {"no limit": "", **{str(d): d for d in sorted({*DEPTHS, value or 1})}}
            made = self._listed(index, name, options, "" if value is None else value)
        elif name == "prune":
            options = {"no": 0, **{f"{f} folds": f for f in sorted({*FOLDS, value or FOLDS[0]})}}
            made = self._listed(index, name, options, value)
        else:
            most = {"m_try": p, "n_combine": min(20, p), "n_candidates": MOST_CANDIDATES}.get(name)
            if most is not None:
                knob = Knob(knob.doc, 1, most, default=1)
            else:
                knob = Knob(knob.doc, knob.low, knob.high, knob.choices, default=value)
            turned = partial(self._turn, index, name)
            made = self._knob(MODEL_WORDS[name], knob, value, turned)
        self._knobs[index, name] = made
        return made

    def _listed(self, index: int, name: str, options: dict[str, Any], value: Any) -> Any:
        """A knob whose values are listed; an empty one stands for None."""
        select = Choice(
            label=MODEL_WORDS[name],
            tags=[f"tip:{MODEL_KNOBS[name].doc}"],
            options=options,
            value=value,
            stylesheets=[self.style.field],
            margin=(0, 0, 6, 0),
            sizing_mode="stretch_width",
        )
        select.param.watch(partial(self._choose, index, name), "value")
        return select

    def _lambda(self, index: int, value: tuple[float, ...]) -> pn.viewable.Viewable:
        """One penalty, or the whole path of the paper, out of which each node chooses."""
        options: dict[str, tuple[float, ...]] = {}
        logistic = self.state.models.models[index].base().split == "logistic"
        if not logistic:
            options["chosen at each node"] = FAMILIES["oRF-ridge"].lambdas or ()
        for power in range(-5, 6):
            options[power_of_ten(power) if power else "1"] = (10.0**power,)
        if value not in options.values():
            options[", ".join(map(short_number, value))] = value
        select = Choice(
            label=MODEL_WORDS["lambdas"],
            tags=[f"tip:{MODEL_KNOBS['lambdas'].doc}"],
            options=options,
            value=value,
            stylesheets=[self.style.field],
            margin=(0, 0, 6, 0),
            sizing_mode="stretch_width",
        )

        select.param.watch(partial(self._choose, index, "lambdas"), "value")
        return select


def _number(value: float) -> str:
    """A value in a list: powers of ten where they are shorter."""
    power = math.log10(value)
    if power == round(power) and abs(power) > 2:
        return power_of_ten(round(power))
    return f"{value:g}"
