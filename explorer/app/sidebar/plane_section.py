"""The sidebar's choice of a plane, for data of more than two features."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import panel as pn
from bokeh.models import PrintfTickFormatter

from explorer.app.session.events import PageOpened, PlaneChanged
from explorer.app.session.session import Session
from explorer.app.sidebar.section import Box
from explorer.app.state.page_list import has_maps
from explorer.app.widgets import Choice, LiveFloatSlider, LiveIntSlider, Style
from explorer.data import Dataset

FEW = 12  # features that fit a plain list
PLANES = {
    "Two features": "features",
    "Two features, averaged over the rest": "marginal",
    "Principal components": "components",
    "Discriminant axes": "discriminant",
    "Tour: a plane that travels": "tour",
}
RESTS = {
    "at their medians": "median",
    "at their means": "mean",
    "as in a sample": "sample",
    "by sliders": "values",
}
THROUGH = {"the mean": "median", "a sample": "sample"}


class PlaneBox(Box):
    """What is seen of many features, and where those are fixed that are not seen."""

    def __init__(self, session: Session, style: Style) -> None:
        super().__init__(session, style)
        self._quiet = False  # while the lists follow the state instead of leading it
        self.view = self._column()
        session.subscribe(PlaneChanged, lambda event: self.build())
        session.subscribe(PageOpened, self._page_opened)

    def _page_opened(self, event: PageOpened) -> None:
        """A page without maps has no plane to choose."""
        self.view.visible = has_maps(event.page)

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
        view, seen = self.state.view, self.session.plane_now()
        kind = self._select(
            "Plane",
            PLANES,
            seen.kind,
            self.session.plane.choose,
            "The two axes of the maps; all maps show the same plane.",
        )
        children: list[Any] = [kind]
        if seen.kind not in ("discriminant", "tour"):  # these have two axes only
            children += self._pair(data)
        if seen.kind == "features":
            children.append(
                self._select(
                    "The rest",
                    RESTS,
                    view.at,
                    self.session.plane.choose_rest,
                    "Where the features are held that are not seen. "
                    "A click on a point of a map holds them at that sample.",
                )
            )
            if view.at == "sample":
                children.append(self._sample(data))
            if view.at == "values":
                children += [self._fixed(data, f, v) for f, v in view.fixed]
        if seen.kind == "tour":
            children.append(
                self._select(
                    "Through",
                    THROUGH,
                    "sample" if view.at == "sample" else "median",
                    self.session.plane.choose_through,
                    "A point that the plane always goes through. "
                    "A click on a point of a map chooses that sample.",
                )
            )
            if view.at == "sample":
                children.append(self._sample(data))
        self.view[:] = children

    def _select(
        self, label: str, options: dict[str, str], value: str, chosen: Any, tip: str
    ) -> pn.widgets.Select:
        select = Choice(
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
        """Two lists: which feature or component runs to the right, which up."""
        seen = self.session.plane_now()
        names = distinct(data.feature_names)
        what = "Feature"
        if seen.kind == "components":
            what = "Component"
            names = [f"PC {i + 1}" for i in range(min(data.n_samples, data.n_features))]
        fields: list[Any] = []
        for label, value in (("Across", seen.across), ("Up", seen.up)):
            where = "to the right" if label == "Across" else "up"
            field = self._choice(
                label, names, min(value, len(names) - 1), f"{what} that runs {where}."
            )
            field.param.watch(lambda event: self._look(fields, names), "value")
            fields.append(field)
        return fields

    def _choice(self, label: str, names: list[str], value: int, tip: str) -> Any:
        """A list of names; with a search where they are many."""
        common: dict[str, Any] = {
            "label": label,
            "tags": [f"label:{label}", f"tip:{tip}"],
            "value": names[value],
            "options": names,
            "css_classes": ["inline"],
            "stylesheets": [self.style.field],
            "margin": (0, 0, 6, 0),
            "sizing_mode": "stretch_width",
        }
        if len(names) <= FEW:
            return Choice(**common)
        common["tags"][1] = f"tip:{tip} Type a part of its name."
        return pn.widgets.AutocompleteInput(
            restrict=True,
            case_sensitive=False,
            search_strategy="includes",
            min_characters=1,
            placeholder="Search",
            **common,
        )

    def _look(self, fields: list[Any], names: list[str]) -> None:
        """Look at the chosen pair; what runs both ways trades places."""
        if self._quiet:
            return
        seen = self.session.plane_now()
        before = (seen.across, seen.up)
        wanted = [names.index(f.value) if f.value in names else -1 for f in fields]
        if -1 in wanted or tuple(wanted) == before:
            return
        if wanted[0] == wanted[1]:
            wanted = [before[1], before[0]]
            self._quiet = True
            for field, place in zip(fields, wanted, strict=True):
                field.value = names[place]
            self._quiet = False
        self.session.guarded(self.session.plane.look_at, *wanted)
        self.session.commit()

    def _sample(self, data: Dataset) -> LiveIntSlider:
        slider = LiveIntSlider(
            label="Sample",
            tags=["sample", "tip:All other features have the values of this sample."],
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
            self.session.plane.hold_sample(int(number) - 1)

        self.session.guarded(act)

    def _fixed(self, data: Dataset, feature: int, value: float) -> LiveFloatSlider:
        name = data.feature_names[feature] if feature < data.n_features else ""
        column = data.X[:, min(feature, data.n_features - 1)]
        low, high = float(column.min()), float(column.max())
        step = float(f"{(high - low or 1.0) / 200:.1g}")
        low, high = np.floor(low / step) * step, np.ceil(high / step) * step
        slider = LiveFloatSlider(
            label=name[:30],
            tags=[f"fix {feature}", "tip:The value at which this feature is fixed."],
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
        self.session.guarded(self.session.plane.fix_feature, feature, event.new)


def distinct(names: Sequence[str]) -> list[str]:
    """Names of which no two are equal: a second "age" is "age (2)"."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found
