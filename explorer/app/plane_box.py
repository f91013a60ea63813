"""Owns the sidebar's choice of a plane, for data of more than two features."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import panel as pn
from bokeh.models import CustomJSTickFormatter, PrintfTickFormatter

from explorer.app.box import Box
from explorer.app.widgets import LiveFloatSlider, LiveIntSlider, Style
from explorer.data import Dataset

if TYPE_CHECKING:
    from explorer.app.session import Session

PLANES = {
    "Two features": "features",
    "Two features, averaged over the rest": "marginal",
    "Principal components": "components",
}
RESTS = {
    "at their medians": "median",
    "at their means": "mean",
    "as in a sample": "sample",
    "by sliders": "values",
}


class PlaneBox(Box):
    """What is seen of many features, and where those are fixed that are not seen."""

    def __init__(self, session: Session, style: Style) -> None:
        super().__init__(session, style)
        self.view = self._column()

    def build(self) -> None:
        """Follow the state; nothing to choose where there are two features."""
        try:
            data = self.session.data_now()
        except ValueError:
            self.view[:] = []
            return
        if data.n_features <= 2:
            self.view[:] = []
            return
        view = self.state.view
        kind = self._select(
            "Plane",
            PLANES,
            view.plane,
            self.session.choose_plane,
            "What runs to the right and up; all maps show the same plane.",
        )
        children: list[Any] = [kind, *self._pair(data)]
        if view.plane == "features":
            children.append(
                self._select(
                    "The rest",
                    RESTS,
                    view.at,
                    self.session.choose_rest,
                    "Where the features are held that are not seen. "
                    "A click on a point of a map holds them at that sample.",
                )
            )
            if view.at == "sample":
                children.append(self._sample(data))
            if view.at == "values":
                children += [self._fixed(data, f, v) for f, v in view.fixed]
        self.view[:] = children

    def _select(
        self, label: str, options: dict[str, str], value: str, chosen: Any, tip: str
    ) -> pn.widgets.Select:
        select = pn.widgets.Select(
            label=label,
            tags=[f"tip:{tip}"],
            options=options,
            value=value,
            css_classes=["inline"],
            stylesheets=[self.style.field],
            margin=(0, 0, 6, 0),
            sizing_mode="stretch_width",
        )
        select.param.watch(lambda event: self.session.guarded(chosen, event.new), "value")
        return select

    def _options(self) -> dict[str, Any]:
        return {
            "stylesheets": [self.style.slider],
            "margin": (0, 0, 2, 0),
            "sizing_mode": "stretch_width",
        }

    def _pair(self, data: Dataset) -> list[Any]:
        """Two sliders: which feature or component runs to the right, which up."""
        view = self.state.view
        names = list(data.feature_names)
        what = "Feature"
        if view.plane == "components":
            what = "Component"
            names = [f"PC {i + 1}" for i in range(min(data.n_samples, data.n_features))]
        sliders: list[Any] = []
        for label, value in (("Across", view.across), ("Up", view.up)):
            where = "to the right" if label == "Across" else "up"
            slider = LiveIntSlider(
                label=label,
                tags=[f"tip:{what} that runs {where}."],
                start=0,
                end=len(names) - 1,
                value=min(value, len(names) - 1),
                format=CustomJSTickFormatter(args={"names": names}, code="return names[tick]"),
                **self._options(),
            )
            slider.param.watch(lambda event: self._look(sliders), "value")
            slider.param.watch(lambda event: self.session.commit(), "value_throttled")
            sliders.append(slider)
        return sliders

    def _look(self, sliders: list[Any]) -> None:
        self.session.guarded(self.session.look_at, sliders[0].value, sliders[1].value)

    def _sample(self, data: Dataset) -> LiveIntSlider:
        slider = LiveIntSlider(
            label="Sample",
            tags=["sample", "tip:The rest is held as in this sample."],
            start=1,
            end=data.n_samples,
            value=min(self.state.view.sample, data.n_samples - 1) + 1,
            **self._options(),
        )
        slider.param.watch(lambda event: self._hold(event.new), "value")
        slider.param.watch(lambda event: self.session.commit(), "value_throttled")
        return slider

    def _hold(self, number: Any) -> None:
        def act() -> None:
            self.session.hold_sample(int(number) - 1)

        self.session.guarded(act)

    def _fixed(self, data: Dataset, feature: int, value: float) -> LiveFloatSlider:
        name = data.feature_names[feature] if feature < data.n_features else ""
        column = data.X[:, min(feature, data.n_features - 1)]
        low, high = float(column.min()), float(column.max())
        step = float(f"{(high - low or 1.0) / 200:.1g}")
        low, high = np.floor(low / step) * step, np.ceil(high / step) * step
        slider = LiveFloatSlider(
            label=name[:30],
            tags=[f"fix {feature}", "tip:This feature is held here; one whose classes differ."],
            start=min(low, value),
            end=max(high, value, low + step),
            step=step,
            value=value,
            format=PrintfTickFormatter(format="%.3g"),
            **self._options(),
        )
        slider.param.watch(partial(self._fix, feature), "value")
        slider.param.watch(lambda event: self.session.commit(), "value_throttled")
        return slider

    def _fix(self, feature: int, event: Any) -> None:
        self.session.guarded(self.session.fix_feature, feature, event.new)
