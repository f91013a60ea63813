"""The preparation of spectra in the sidebar: a chain of steps, their knobs, and what each does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import panel as pn

from explorer.analysis.chain_steps import means_after_steps
from explorer.app.session.session import Session
from explorer.app.sidebar.section import Box
from explorer.app.sidebar.transform_section import OF_METHOD
from explorer.app.sidebar.transform_section import STEPS as SLIDER_STEPS
from explorer.app.state.chain_choice import Steps, added, moved, removed, transforms_of, turned
from explorer.app.widgets import Choice, Style, button, plain, text
from explorer.app.work.requests import load_source
from explorer.data import Dataset
from explorer.data.chain import STEPS
from explorer.data.transforms import TRANSFORMS
from explorer.views.spark import spark_svg

TITLES = {
    "fill": "Fill missing values",
    "bands": "Cut",
    "baseline": "Baseline",
    "derivative": "Smooth, derivative",
    "snv": "SNV",
    "msc": "MSC",
    "emsc": "EMSC",
    "normalise": "Normalise",
    "binning": "Bin",
    "centre": "Mean-centre",
}
# knobs that do something with one choice of another knob only
ONLY_WITH = {("normalise", "at"): ("method", "peak")}


class ChainBox(Box):
    """Shown for spectra; every change goes through the state and asks for new pictures."""

    def __init__(self, session: Session, style: Style) -> None:
        super().__init__(session, style)
        self.view = self._column()
        self._sparks: list[Any] = []

    def build(self) -> None:
        """Follow the state."""
        data = self.state.data
        if data.painting or not self.session.maps.has_axis():
            self.view[:] = []
            return
        steps: Steps = tuple(data.chain)
        self._sparks = []
        parts: list[Any] = [self._heading("Preparation of the spectra")]
        for place in range(len(steps)):
            parts += self._step(place, steps)
        add = Choice(
            tags=["label:Add a preparation step", "tip:Steps are done from top to bottom."],
            options={"Add a step": "", **{TITLES[name]: name for name in STEPS}},
            value="",
            stylesheets=[self.style.field],
            margin=(2, 0, 8, 0),
            sizing_mode="stretch_width",
        )
        add.param.watch(lambda event: self._add(event.new), "value")
        # assets/steps.js writes into it which step was dragged where
        dragged = pn.widgets.TextInput(tags=["order of steps"], visible=False, width=1, margin=0)
        dragged.param.watch(lambda event: self._dragged(event.new), "value")
        self.view[:] = [*parts, add, dragged]
        self._draw()

    def _step(self, place: int, steps: Steps) -> list[Any]:
        name, knobs = steps[place]
        settings = TRANSFORMS[name].knobs()
        values = {k: dict(knobs).get(k, knob.default) for k, knob in settings.items()}
        title = text(
            self.style,
            f'<p class="stepname" draggable="true" data-step="{place}" title="Drag to reorder">'
            f"<b>{place + 1}</b> {plain(TITLES[name])}</p>",
            sizing_mode="stretch_width",
        )
        spark = text(self.style, width=124, height=28)
        self._sparks.append(spark)
        acts: list[tuple[str, str, Callable[[Steps], Steps], bool]] = [
            ("↑", "Earlier", lambda s: moved(s, place, place - 1), place == 0),
            ("↓", "Later", lambda s: moved(s, place, place + 1), place == len(steps) - 1),
            ("×", "Remove", lambda s: removed(s, place), False),
        ]
        buttons = []
        for sign, words, act, off in acts:
            one = button(
                self.style,
                sign,
                css_classes=["quiet"],
                disabled=off,
                tags=[f"label:{words}: step {place + 1}", f"tip:{words}"],
            )
            one.on_click(partial(self._clicked, act))
            buttons.append(one)
        made: list[Any] = [self._row(title, *buttons), self._row(spark)]
        for knob, setting in settings.items():
            other, needed = ONLY_WITH.get((name, knob), ("", None))
            if other and values[other] != needed:
                continue
            if name == "baseline" and OF_METHOD.get(knob, values["method"]) != values["method"]:
                continue
            made.append(
                self._knob(
                    knob.capitalize(),
                    setting,
                    values[knob],
                    partial(self._turned, place, knob),
                    SLIDER_STEPS.get((name, knob)),
                )
            )
        return made

    # ---- what a visitor does

    def _add(self, name: str) -> None:
        if not name:
            return
        knobs: dict[str, Any] = {}
        if name == "bands":  # its ends are first those of the axis
            axis = self._plain().axis
            if axis is not None:
                knobs = {"low": float(axis.values.min()), "high": float(axis.values.max())}
        self._change(lambda steps: added(steps, name, knobs))

    def _dragged(self, words: object) -> None:
        """A step was dropped on another: "from to", counted from 0, and a number that changes."""
        places = [int(word) for word in str(words)[:40].split()[:2] if word.isdigit()]
        if len(places) == 2 and max(places) < len(self.state.data.chain):
            self._change(lambda steps: moved(steps, *places))

    def _clicked(self, act: Callable[[Steps], Steps], event: Any) -> None:
        self._change(act)

    def _change(self, act: Callable[[Steps], Steps]) -> None:
        """Another chain; one that these data cannot bear becomes a notice, and the last stays."""
        self.session.guarded(self.session.data.change_chain, act)

    def _turned(self, place: int, knob: str, value: Any) -> None:
        self.session.data.turn_chain(lambda steps: turned(steps, place, knob, value))
        if knob == "method":
            self.build()
        else:
            self._draw()

    # ---- what each step does

    def _plain(self) -> Dataset:
        recipe = self.state.data.recipe().plain()
        return load_source(recipe, self.session.cache).data

    def _draw(self) -> None:
        data = self._plain()
        steps = transforms_of(tuple(self.state.data.chain))
        try:
            means = means_after_steps(data, steps)
        except ValueError:
            return
        values = data.axis.values if data.axis is not None else (0.0, 1.0)
        # drawn as the large picture draws it: from high to low where its craft does
        falling = (data.axis is not None and data.axis.reversed) != (values[0] > values[-1])
        for spark, found in zip(self._sparks, means, strict=False):
            spark.object = spark_svg(found, falling)
