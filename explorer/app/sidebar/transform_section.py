"""The transform in the sidebar: what is done to the features, and the knobs that apply."""

from __future__ import annotations

from functools import partial
from typing import Any

from explorer.app.session.events import TransformChanged
from explorer.app.session.session import Session
from explorer.app.sidebar.section import Box
from explorer.app.state.visitor import OFFERED_TRANSFORMS
from explorer.app.widgets import Choice, Style
from explorer.data.transforms import TRANSFORMS

# name -> what the list says, and one sentence about it
WORDS: dict[str, tuple[str, str]] = {
    "none": ("As they are", "Nothing is done to the features."),
    "turn": ("Turn", "The first two features are turned about the origin."),
    "rotation": ("Rotation", "All features are rotated at random; distances stay the same."),
    "scaling": ("Scaling", "Each feature is multiplied by a random factor, as if units differed."),
    "affine": ("Affine", "A random rotation, then a random scaling."),
    "corruption": ("Corruption", "Some values are replaced by noise, as from broken sensors."),
    "correlation": ("Correlation", "Features are mixed with their neighbours, more or less."),
    "snv": ("SNV", "Scales each spectrum to mean 0 and deviation 1; removes offset and scatter."),
    "derivative": ("Derivative", "Slope or curvature in a moving window; order 0 only smooths."),
    "baseline": ("Baseline removed", "A smooth background is subtracted from each spectrum."),
    "binning": ("Binning", "Neighbouring channels are averaged: fewer and less noisy features."),
}
# steps of sliders where not every value makes sense
STEPS: dict[tuple[str, str], list[int]] = {
    ("derivative", "window"): [3, 5, 7, 9, 11, 15, 21, 31, 51, 101],
    ("baseline", "smoothness"): [10**k for k in range(1, 10)],
    ("binning", "size"): [1, 2, 3, 4, 5, 8, 10, 16, 20, 32, 50, 100],
}
# knobs of one method only
OF_METHOD = {"smoothness": "asls", "asymmetry": "asls", "degree": "polynomial"}


class TransformBox(Box):
    """A list of transforms; one for spectra only where an older link has it."""

    def __init__(self, session: Session, style: Style) -> None:
        super().__init__(session, style)
        self.view = self._column()
        session.subscribe(TransformChanged, lambda event: self.build())

    def offered(self) -> list[str]:
        """Names of the transforms that make sense for the data as they come."""
        now = self.state.data.transform
        names = list(OFFERED_TRANSFORMS)  # spectra are prepared by a chain of steps
        return names if now in names else [*names, now]

    def build(self) -> None:
        """Follow the state; on Paint the points are where they were painted."""
        data = self.state.data
        if data.painting:
            self.view[:] = []
            return
        choose = Choice(
            label="Transform",
            tags=[f"tip:{WORDS[data.transform][1]}"],
            options={WORDS[name][0]: name for name in self.offered()},
            value=data.transform,
            css_classes=["inline"],
            stylesheets=[self.style.field],
            margin=(0, 0, 6, 0),
            sizing_mode="stretch_width",
        )
        choose.param.watch(lambda event: self.session.data.choose_transform(event.new), "value")
        children: list[Any] = [choose]
        if data.transform != "none":
            children += self._knobs()
        self.view[:] = children

    def _knobs(self) -> list[Any]:
        data = self.state.data
        knobs = TRANSFORMS[data.transform].knobs()
        values = {k: data.transform_knobs.get(k, knob.default) for k, knob in knobs.items()}
        made = []
        for name, knob in knobs.items():
            if name in ("first", "second") or name == self.session.maps.lead_knob():
                continue
            if (
                data.transform == "baseline"
                and OF_METHOD.get(name, values["method"]) != (values["method"])
            ):
                continue
            made.append(
                self._knob(
                    name.capitalize(),
                    knob,
                    values[name],
                    partial(self._turned, name),
                    STEPS.get((data.transform, name)),
                )
            )
        return made

    def _turned(self, name: str, value: Any) -> None:
        self.session.data.turn_transform(name, value)
        if name == "method":
            self.build()
