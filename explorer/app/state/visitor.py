"""What a session remembers: data, models, view, selection.

Small `param` classes with docs and bounds, and no widgets or plots inside. What a client sends
is checked here, by the catalogue's knobs and by `ForestSpec`; nothing else counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import param

from explorer.app.state.baselines import BASELINES, BaselineSpec, Recipe
from explorer.app.state.chain_choice import Steps, transforms_of
from explorer.app.state.page_list import PAINT_PAGE, page_names
from explorer.app.state.plane_choice import (
    AT,
    FIRST,
    KINDS,
    MOST_DIRECTIONS,
    MOST_FIXED,
    PlaneRecipe,
)
from explorer.app.state.uploads import Upload
from explorer.data import Dataset, catalogue, load
from explorer.data.chain import MOST_STEPS
from explorer.data.transforms import TRANSFORMS
from explorer.data.transforms.base import Transform
from explorer.engine import FAMILIES

PAINT = "paint"
OWN = "own"  # a file of one's own
MOST_POINTS = 500  # painted ones; they must fit into a link of 4 kB
MOST_MODELS = 6
LETTERS = "ABCDEF"
PAGES = tuple(page_names())
FORMER_PAGES = {"Spectra": "Importance"}  # names that older links have
LAYERS = ("Boundary", "Bayes", "Points", "Errors", "Test errors", "One tree")
DEFAULT_LAYERS = ["Boundary", "Bayes", "Points"]
FIRST_TREES = 100
# Transforms that make sense on any table, and those of spectra; bands are the Importance page's.
OFFERED_TRANSFORMS = ("none", "turn", "rotation", "scaling", "affine", "corruption", "correlation")
SPECTRAL_TRANSFORMS = ("snv", "derivative", "baseline", "binning")
MOST_FEATURES = 4000

# painted classes are called by the names of their colours (views/theme.py)
COLOURS = ["blue", "orange", "sky", "brick", "teal", "violet", "salmon", "sage", "wine", "pink"]

Point = tuple[float, float, int]
Band = tuple[bool, float, float]  # keep it (else leave it out), from, to
MOST_BANDS = 8
MOST_ROWS = 100_000  # samples that can be selected at once
SELECTED_BY = ("node", "lasso", "marked")
MEASURES = {  # of importance, as the Importance page names them
    "anova": "ANOVA",
    "gini": "Gini",
    "permutation": "Permutation",
    "bands": "Whole bands",
    "t": "|t| of the data",
    "weight": "Signed weights",
}


@dataclass(frozen=True)
class DataRecipe:
    """What must be done to get a data set: hashable, so it is a cache's key."""

    name: str
    knobs: tuple[tuple[str, Any], ...] = ()
    transform: str = "none"
    transform_knobs: tuple[tuple[str, Any], ...] = ()
    points: tuple[Point, ...] = ()
    bands: tuple[Band, ...] = ()
    upload: Upload | None = None
    chain: Steps = ()

    def plain(self) -> DataRecipe:
        """The same data with nothing done to them."""
        return replace(self, transform="none", transform_knobs=(), bands=(), chain=())

    def load(self, plain: Dataset | None = None) -> Dataset:
        """The data set; anything impossible is a ValueError with a sentence.

        plain: the data of `self.plain()`, where they are at hand.
        """
        if plain is not None:
            data = plain
        elif self.name == PAINT:
            data = painted(self.points)
        elif self.upload is not None:
            data = self.upload.data
        elif self.name == OWN:
            raise ValueError("No file yet. Drop one on the page, or choose other data.")
        else:
            data = load(self.name, **dict(self.knobs))
        for step in self.steps():
            data = step.apply(data)
        return data

    def steps(self) -> tuple[Transform, ...]:
        """What is done to the plain data, the first one first."""
        made: list[Any] = list(transforms_of(self.chain))
        if self.transform != "none":
            made.append(TRANSFORMS[self.transform](**dict(self.transform_knobs)))
        for keep, low, high in self.bands:
            made.append(TRANSFORMS["bands"](low=low, high=high, keep=keep))  # type: ignore[call-arg]
        return tuple(made)


def painted(points: tuple[Point, ...]) -> Dataset:
    """The data set of painted points; it needs two of at least two classes."""
    codes = sorted({k for _, _, k in points})
    if len(codes) < 2:
        raise ValueError("Now paint a second class.")
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
        default="none",
        objects=[*OFFERED_TRANSFORMS, *SPECTRAL_TRANSFORMS],
        doc="What is done to the features.",
    )
    transform_knobs: Any = param.Dict({}, doc="Knobs of the transform that are set.")
    points: Any = param.List([], item_type=tuple, doc="Painted points: (x1, x2, class code).")
    begun: Any = param.Boolean(
        False, doc="Whether the painting was ever begun; a cleared one is not begun again."
    )
    painting: Any = param.Boolean(
        False,
        doc="Whether the page Paint is open: it shows the painted points, whatever the "
        "other pages show.",
    )
    bands: Any = param.List(
        [],
        item_type=tuple,
        bounds=(0, MOST_BANDS),
        doc="Bands of the axis that are kept or left out, one after another: (keep, from, to).",
    )
    chain: Any = param.List(
        [],
        item_type=tuple,
        bounds=(0, MOST_STEPS),
        doc="Preparation steps of spectra, done before the transform and the bands.",
    )
    upload: Any = param.ClassSelector(
        class_=Upload, default=None, allow_None=True, doc="The visitor's own file, once read."
    )

    def choose(self, source: str) -> None:
        """Another data set, with its defaults and without a transform."""
        if source == OWN and self.upload is None:
            raise ValueError("There is no file yet; drop one on the page.")
        if source not in (PAINT, OWN) and source not in catalogue():
            raise ValueError(f"There is no data set '{source}' in the catalogue.")
        self.param.update(
            source=source, knobs={}, transform="none", transform_knobs={}, bands=[], chain=[]
        )

    def add_band(self, keep: bool, low: float, high: float) -> None:
        """Keep only a band of the axis, or leave it out; two channels must remain."""
        if len(self.bands) >= MOST_BANDS:
            raise ValueError(f"At most {MOST_BANDS} bands can be set; undo one first.")
        knobs = TRANSFORMS["bands"].knobs()
        low, high = (knobs["low"].check("An end of the band", v) for v in sorted((low, high)))
        band: Band = (bool(keep), low, high)
        left = replace(self.recipe(), bands=(*self.bands, band)).load().n_features
        if left < 2:
            raise ValueError("A map needs at least two channels; choose a wider band.")
        self.bands = [*self.bands, band]

    def turn_knob(self, name: str, value: Any) -> None:
        """Set one knob of the data set, checked by the catalogue."""
        if self.source not in catalogue():
            raise ValueError(f"These data have no knob '{name}'.")
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

    @property
    def shown(self) -> str:
        """The source that the open page shows."""
        return PAINT if self.painting else str(self.source)

    def recipe(self) -> DataRecipe:
        """The data that the open page shows; Paint shows its points as they were painted."""
        if self.painting:
            return DataRecipe(PAINT, points=tuple(self.points))
        return self.chosen_recipe()

    def chosen_recipe(self) -> DataRecipe:
        """The data that all pages but Paint show."""
        painted_here = self.source == PAINT
        return DataRecipe(
            self.source,
            () if painted_here else tuple(sorted(self.knobs.items())),
            self.transform,
            tuple(sorted(self.transform_knobs.items())) if self.transform != "none" else (),
            tuple(self.points) if painted_here else (),
            () if painted_here else tuple(self.bands),
            self.upload if self.source == OWN else None,
            () if painted_here else tuple(self.chain),
        )

    def change_chain(self, act: Callable[[Steps], Steps]) -> None:
        """Another chain of preparation steps; one that these data cannot bear is refused."""
        steps = act(tuple(self.chain))
        left = replace(self.chosen_recipe(), chain=steps).load()
        if left.n_features < 2:
            raise ValueError("A map needs at least two channels; choose another step.")
        self.chain = list(steps)


class ModelState(param.Parameterized):
    """One model of the comparison: a family or a baseline, and the knobs that differ from it."""

    family: Any = param.Selector(
        default="RF", objects=[*FAMILIES, *BASELINES], doc="The papers' name."
    )
    knobs: Any = param.Dict({}, doc="Knobs of the spec that differ from the family's.")
    # family and knobs, and their specs by number of features
    _kept: tuple[str, dict[str, Any], dict[int | None, Recipe]] | None = None

    @property
    def has_trees(self) -> bool:
        return self.family in FAMILIES

    def base(self) -> Any:
        """The family as the app starts it: a hundred trees, or fewer where its paper says so."""
        if not self.has_trees:
            return BaselineSpec(self.family)
        spec = FAMILIES[self.family]
        return spec.replace(n_tree=min(spec.n_tree, FIRST_TREES))

    def choose(self, family: str) -> None:
        """Another family; its knobs start anew, but the number of trees stays."""
        if family not in self.param.family.objects:
            raise ValueError(f"There is no family '{family}'.")
        stays = family in FAMILIES and not FAMILIES[family].prune
        keep = {k: v for k, v in self.knobs.items() if k == "n_tree" and stays}
        self.param.update(family=family, knobs=keep)

    def heeds(self, name: str) -> bool:
        """Whether a knob does something here; a pruned tree is one tree, whatever is asked."""
        spec = self.spec()
        if name == "n_tree" and getattr(spec, "prune", False):
            return False
        return getattr(spec, name, None) is not None

    def turn_knob(self, name: str, value: Any) -> None:
        """Set one knob, checked by the spec; one penalty is a path of one."""
        if name == "lambdas" and isinstance(value, (int, float)):
            value = (float(value),)
        spec = self.base().replace(**{**self.knobs, name: value})
        knobs = {k: v for k, v in self.knobs.items() if k != name}
        if name == "m_try" or getattr(spec, name) != getattr(self.base(), name):
            knobs[name] = getattr(spec, name)
        self.knobs = knobs

    def spec(self, n_features: int | None = None) -> Any:
        """The forest to grow, or the baseline to fit.

        With two features a rule such as √P would leave one feature to choose from, and even an
        oblique forest would cut straight; so without a chosen m_try both are used. A chosen
        m_try larger than P is taken as P.

        A move of a slider asks for it many times, and checking every knob takes long: the last
        specs are kept until the family or the knobs change.
        """
        family, knobs, kept = self.family, self.knobs, self._kept
        if kept is None or kept[0] != family or kept[1] is not knobs:
            kept = self._kept = (family, knobs, {})
        if n_features not in kept[2]:
            kept[2][n_features] = self._make_spec(n_features)
        return kept[2][n_features]

    def _make_spec(self, n_features: int | None) -> Recipe:
        spec: Recipe = self.base().replace(**self.knobs)
        if isinstance(spec, BaselineSpec) or n_features is None or spec.m_try is None:
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
            raise ValueError(f"Six models can be compared at once; remove one to add {family}.")
        model = ModelState(family=family, knobs=dict(knobs or {}))
        self.models = [*self.models, model]
        return model

    def remove(self, index: int) -> None:
        if len(self.models) < 2:
            raise ValueError("One model must stay.")
        self.models = [m for i, m in enumerate(self.models) if i != index]

    def turn_knob(self, index: int, name: str, value: Any) -> None:
        """Set a knob of one card, or of all cards that heed it when they are linked."""
        self.models[index].turn_knob(name, value)
        for i in self.others_with(index, name):
            with suppress(ValueError):  # a logistic split takes one penalty, not a path of them
                self.models[i].turn_knob(name, value)

    def others_with(self, index: int, name: str) -> list[int]:
        """The cards whose knob moves along with that of one card; none while not linked."""
        if not self.linked:
            return []
        return [i for i, m in enumerate(self.models) if i != index and m.heeds(name)]

    def most_trees(self) -> int:
        """Trees of the largest forest; 0 if no model has trees."""
        return max((m.spec().n_tree for m in self.models if m.has_trees), default=0)


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
    plane: Any = param.Selector(
        default=FIRST,
        objects=[FIRST, *KINDS],
        doc="What the two axes of a map are; 'first' leaves it to the data.",
    )
    at: Any = param.Selector(default="median", objects=list(AT), doc="Where the rest is fixed.")
    sample: Any = param.Integer(0, bounds=(0, 10_000_000), doc="Sample the rest is fixed at.")
    fixed: Any = param.List(
        [], item_type=tuple, bounds=(0, MOST_FIXED), doc="Features fixed by hand: (number, value)."
    )
    frame: Any = param.List(
        [],
        item_type=(int, float),
        bounds=(0, MOST_DIRECTIONS),
        doc="The two directions of a tour's plane, one after the other; none for its first plane.",
    )
    depth: Any = param.Number(
        0.0, bounds=(0, 100), doc="Half the thickness of a tour's slice; 0 shows all samples alike."
    )
    theme: Any = param.Selector(default="light", objects=["light", "dark"], doc="Light or dark.")
    present: Any = param.Boolean(False, doc="Larger type and marks, no sidebar, for a wall.")
    study: Any = param.String("", doc="Name of the study of a paper that is looked at.")
    measure: Any = param.Selector(
        default="anova", objects=list(MEASURES), doc="Importance shown under the spectra."
    )
    flipped: Any = param.Boolean(False, doc="Spectra run the other way than usual.")

    settings: Any = param.Dict({}, doc="Settings of single pages (setting_names.py), as texts.")

    def recipe(self) -> PlaneRecipe:
        """The plane that is chosen; `Looking.plane_now` asks the data where none is.

        Paint has two axes of its own.
        """
        if self.page == PAINT_PAGE:
            return PlaneRecipe()
        fixed = tuple(sorted((int(f), float(v)) for f, v in self.fixed))
        chosen = PlaneRecipe(self.plane, self.across, self.up, self.at, self.sample, fixed)
        if self.plane != "tour":
            return chosen
        return replace(chosen, frame=tuple(map(float, self.frame)), depth=float(self.depth))

    def fix(self, feature: int, value: float) -> None:
        """Fix one feature by hand; the others keep their values."""
        feature, value = int(feature), float(value)
        if not (0 <= feature < MOST_FEATURES and math.isfinite(value) and abs(value) < 1e12):
            raise ValueError("A feature is fixed at a finite number.")
        kept = [(f, v) for f, v in self.fixed if f != feature]
        if len(kept) >= MOST_FIXED:
            raise ValueError(f"At most {MOST_FIXED} features are fixed by hand.")
        self.param.update(at="values", fixed=sorted([*kept, (feature, value)]))

    def look_at_first(self) -> None:
        """The first plane of other data, which the data choose."""
        self.param.update(
            plane=FIRST, across=0, up=1, at="median", sample=0, fixed=[], frame=[], depth=0.0
        )


class SelectionState(param.Parameterized):
    """What is singled out: samples, a node, the class to paint, the card that is enlarged."""

    paint_class: Any = param.Integer(0, bounds=(0, 9), doc="Class of the next painted point.")
    tool: Any = param.Selector(
        default="Point",
        objects=["Point", "Spray", "Move", "Erase"],
        doc="What a click on a map does.",
    )
    model: Any = param.Integer(0, bounds=(0, MOST_MODELS - 1), doc="Forest whose tree is drawn.")
    tree: Any = param.Integer(0, bounds=(0, 1_000_000), doc="The tree that is drawn, from 0.")
    node: Any = param.Integer(
        0, bounds=(0, 100_000_000), doc="The node looked into; 0 is the root."
    )
    card: Any = param.Integer(-1, bounds=(-1, MOST_MODELS - 1), doc="Enlarged card; -1 for none.")
    rows: Any = param.List(
        [], item_type=int, bounds=(0, MOST_ROWS), doc="Selected samples, ascending."
    )
    why: Any = param.Integer(
        -1, bounds=(-1, 10_000_000), doc="Sample that is explained, from 0; -1 for none."
    )
    how: Any = param.Selector(
        default="", objects=["", *SELECTED_BY], doc="How they came to be selected."
    )


@dataclass
class State:
    """A whole session."""

    data: DataState = field(default_factory=DataState)
    models: ModelsState = field(default_factory=ModelsState)
    view: ViewState = field(default_factory=ViewState)
    selection: SelectionState = field(default_factory=SelectionState)

    def __post_init__(self) -> None:
        self.view.param.watch(self._page_turned, "page")
        self._page_turned(None)

    def _page_turned(self, event: Any) -> None:
        self.data.painting = self.view.page == PAINT_PAGE
