"""Owns everything a session can be asked to remember: data, models, view, selection.

Small `param` classes with docs and bounds, and no widgets or plots inside. What a client sends
is checked here, by the catalogue's knobs and by `ForestSpec`; nothing else counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import param

from explorer.data import Dataset, catalogue, load
from explorer.data.transforms import TRANSFORMS
from explorer.engine import FAMILIES, ForestSpec
from explorer.engine.kernels.directions import DIRECTIONS

PAINT = "paint"
MOST_POINTS = 500  # painted ones; they must fit into a link of 4 kB
MOST_MODELS = 6
LETTERS = "ABCDEF"
PAGES = ("Boundaries", "Paint", "Posterior")
LAYERS = ("Boundary", "Bayes", "Points", "Errors")
DEFAULT_LAYERS = ["Boundary", "Bayes", "Points"]
FIRST_TREES = 100
# Transforms that make sense on any table; spectral ones come with the Spectra page.
OFFERED_TRANSFORMS = ("none", "turn", "rotation", "scaling", "affine", "corruption", "correlation")
MOST_FEATURES = 4000

# painted classes are called by the names of their colours (views/theme.py)
COLOURS = ["blue", "orange", "sky", "brick", "teal", "violet", "salmon", "sage", "wine", "pink"]

Point = tuple[float, float, int]


@dataclass(frozen=True)
class DataRecipe:
    """What must be done to get a data set: hashable, so it is a cache's key."""

    name: str
    knobs: tuple[tuple[str, Any], ...] = ()
    transform: str = "none"
    transform_knobs: tuple[tuple[str, Any], ...] = ()
    points: tuple[Point, ...] = ()

    def load(self) -> Dataset:
        """The data set; anything impossible is a ValueError with a sentence."""
        if self.name == PAINT:
            data = painted(self.points)
        else:
            data = load(self.name, **dict(self.knobs))
        if self.transform != "none":
            data = TRANSFORMS[self.transform](**dict(self.transform_knobs)).apply(data)
        return data


def painted(points: tuple[Point, ...]) -> Dataset:
    """The data set of painted points; it needs two of at least two classes."""
    codes = sorted({k for _, _, k in points})
    if len(codes) < 2:
        raise ValueError("A forest needs points of two classes. Paint some of another class.")
    X = np.array([(x, y) for x, y, _ in points])
    y = np.array([k for _, _, k in points])
    # class 3 keeps its colour although class 2 has no points
    names = tuple(COLOURS[: max(codes) + 1])
    return Dataset(name=PAINT, title="Painted points", X=X, y=y, class_names=names)


class DataState(param.Parameterized):
    """Which data, with which knobs, and what is done to them."""

    source: Any = param.String("clouds", doc="Name in the catalogue, or 'paint'.")
    knobs: Any = param.Dict({}, doc="Knobs of the data set that differ from its defaults.")
    transform: Any = param.Selector(
        default="none", objects=list(OFFERED_TRANSFORMS), doc="What is done to the features."
    )
    transform_knobs: Any = param.Dict({}, doc="Knobs of the transform that are set.")
    points: Any = param.List([], item_type=tuple, doc="Painted points: (x1, x2, class code).")

    def choose(self, source: str) -> None:
        """Another data set, with its defaults and without a transform."""
        if source != PAINT and source not in catalogue():
            raise ValueError(f"There is no data set '{source}' in the catalogue.")
        self.param.update(source=source, knobs={}, transform="none", transform_knobs={})

    def turn_knob(self, name: str, value: Any) -> None:
        """Set one knob of the data set, checked by the catalogue."""
        entry = catalogue()[self.source]
        if name not in entry.knobs:
            raise ValueError(f"Data set '{self.source}' has no knob '{name}'.")
        value = entry.knobs[name].check(f"Knob '{name}'", value)
        knobs = {k: v for k, v in self.knobs.items() if k != name}
        if value != entry.knobs[name].default:
            knobs[name] = value
        self.knobs = knobs

    def turn_transform_knob(self, name: str, value: Any) -> None:
        """Set one knob of the transform, checked by it."""
        settings = TRANSFORMS[self.transform].knobs()
        if name not in settings:
            raise ValueError(f"Transform '{self.transform}' has no knob '{name}'.")
        value = settings[name].check(f"Knob '{name}'", value)
        self.transform_knobs = {**self.transform_knobs, name: value}

    def knob(self, name: str) -> Any:
        """The value of a knob: set, or the default."""
        return self.knobs.get(name, catalogue()[self.source].knobs[name].default)

    def recipe(self) -> DataRecipe:
        painted_here = self.source == PAINT
        return DataRecipe(
            self.source,
            () if painted_here else tuple(sorted(self.knobs.items())),
            self.transform,
            tuple(sorted(self.transform_knobs.items())) if self.transform != "none" else (),
            tuple(self.points) if painted_here else (),
        )


class ModelState(param.Parameterized):
    """One forest of the comparison: a family and the knobs that differ from it."""

    family: Any = param.Selector(default="RF", objects=list(FAMILIES), doc="The papers' name.")
    knobs: Any = param.Dict({}, doc="Knobs of the spec that differ from the family's.")

    def base(self) -> ForestSpec:
        """The family as the app starts it: a hundred trees, or fewer where its paper says so."""
        spec = FAMILIES[self.family]
        return spec.replace(n_tree=min(spec.n_tree, FIRST_TREES))

    def choose(self, family: str) -> None:
        """Another family; its knobs start anew, but the number of trees stays."""
        if family not in FAMILIES:
            raise ValueError(f"There is no family '{family}'.")
        keep = {k: v for k, v in self.knobs.items() if k == "n_tree" and not FAMILIES[family].prune}
        self.param.update(family=family, knobs=keep)

    def turn_knob(self, name: str, value: Any) -> None:
        """Set one knob, checked by ForestSpec."""
        spec = self.base().replace(**{**self.knobs, name: value})
        knobs = {k: v for k, v in self.knobs.items() if k != name}
        if name == "m_try" or getattr(spec, name) != getattr(self.base(), name):
            knobs[name] = getattr(spec, name)
        self.knobs = knobs

    def heeds(self, name: str) -> bool:
        """Whether the family's split heeds a knob that not every split heeds."""
        return name in DIRECTIONS[self.base().split].knobs

    def spec(self, n_features: int | None = None) -> ForestSpec:
        """The forest to grow.

        With two features a rule such as √P would leave one feature to choose from, and even an
        oblique forest would cut straight; so without a chosen m_try both are used. A chosen
        m_try larger than P is taken as P.
        """
        spec = self.base().replace(**self.knobs)
        if n_features is None or spec.m_try is None:
            return spec
        chosen = self.knobs.get("m_try")
        if chosen is None and n_features == 2 and self.base().m_try == "sqrt":
            return spec.replace(m_try=2)
        if isinstance(chosen, int) and chosen > n_features:
            return spec.replace(m_try=n_features)
        return spec


class ModelsState(param.Parameterized):
    """The forests being compared, up to six."""

    models: Any = param.List([], item_type=ModelState, doc="Cards A to F.")
    linked: Any = param.Boolean(False, doc="One knob moves on all cards that have it.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        if not self.models:
            self.models = [ModelState(family="RF"), ModelState(family="oRF-ridge")]

    def add(self, family: str = "F-RC", knobs: dict[str, Any] | None = None) -> ModelState:
        if len(self.models) >= MOST_MODELS:
            raise ValueError(f"Six forests can be compared at once; remove one to add {family}.")
        model = ModelState(family=family, knobs=dict(knobs or {}))
        self.models = [*self.models, model]
        return model

    def remove(self, index: int) -> None:
        if len(self.models) < 2:
            raise ValueError("One forest must stay.")
        self.models = [m for i, m in enumerate(self.models) if i != index]

    def turn_knob(self, index: int, name: str, value: Any) -> None:
        """Set a knob of one card, or of all cards that heed it when they are linked."""
        self.models[index].turn_knob(name, value)
        if not self.linked:
            return
        for i, model in enumerate(self.models):
            if i != index and getattr(model.spec(), name) is not None:
                model.turn_knob(name, value)

    def most_trees(self) -> int:
        return max(m.spec().n_tree for m in self.models)


class ViewState(param.Parameterized):
    """How it is looked at."""

    page: Any = param.Selector(default=PAGES[0], objects=list(PAGES), doc="The page that is open.")
    soft: Any = param.Boolean(True, doc="Pale where undecided; otherwise the winner alone.")
    layers: Any = param.ListSelector(
        default=list(DEFAULT_LAYERS), objects=list(LAYERS), doc="What is drawn over the map."
    )
    trees: Any = param.Integer(0, bounds=(0, 1_000_000), doc="Trees shown; 0 shows all.")
    across: Any = param.Integer(0, bounds=(0, MOST_FEATURES), doc="Feature that runs to the right.")
    up: Any = param.Integer(1, bounds=(0, MOST_FEATURES), doc="Feature that runs up.")
    theme: Any = param.Selector(default="light", objects=["light", "dark"], doc="Light or dark.")
    present: Any = param.Boolean(False, doc="Larger type and marks, no sidebar, for a wall.")


class SelectionState(param.Parameterized):
    """What is singled out: the class to paint, the card that is enlarged."""

    paint_class: Any = param.Integer(0, bounds=(0, 9), doc="Class of the next painted point.")
    tool: Any = param.Selector(
        default="Point", objects=["Point", "Spray", "Erase"], doc="What a click on a map does."
    )
    card: Any = param.Integer(-1, bounds=(-1, MOST_MODELS - 1), doc="Enlarged card; -1 for none.")


@dataclass
class State:
    """A whole session."""

    data: DataState = field(default_factory=DataState)
    models: ModelsState = field(default_factory=ModelsState)
    view: ViewState = field(default_factory=ViewState)
    selection: SelectionState = field(default_factory=SelectionState)
