"""The words that go with a saved picture: title, models and legend (assets/saving.js)."""

from __future__ import annotations

from typing import Any

from bokeh.models import ColumnDataSource

from explorer.app.session.events import MapsDrawn
from explorer.app.session.session import Session
from explorer.app.state.baselines import BaselineSpec, baseline_in_words
from explorer.app.state.visitor import LETTERS, ModelState
from explorer.data import Dataset
from explorer.views.theme import class_colour

MOST_LISTED = 12  # classes in the legend of a saved picture


class Caption:
    """Data, models and classes of the maps that are shown; plain text."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.source: Any = ColumnDataSource({}, name="export words", tags=["", "", []])
        session.subscribe(MapsDrawn, lambda event: self._write(event.maps.source.data))

    def _write(self, data: Dataset) -> None:
        models = [
            f"{LETTERS[i]} {model_in_words(m, self.session.n_features)}"
            for i, m in enumerate(self.session.state.models.models)
        ]
        classes = []
        for k, name in enumerate(data.class_names[:MOST_LISTED]):
            look = class_colour(k)
            classes.append([name[:24], look.base, look.marker])
        if data.n_classes > MOST_LISTED:
            rest = class_colour(data.n_classes)
            classes.append([f"and {data.n_classes - MOST_LISTED} more", rest.base, rest.marker])
        tags = [data.title, "; ".join(models), classes]
        if self.source.tags != tags:
            self.source.tags = tags


def model_in_words(model: ModelState, n_features: int | None) -> str:
    """A model in plain text: its family and what is set."""
    return f"{model.family} ({', '.join(_settings_of(model.spec(n_features), n_features))})"


def _settings_of(spec: Any, n_features: int | None) -> list[str]:
    """What is set, in words; the number of trees first."""
    if isinstance(spec, BaselineSpec):
        return [baseline_in_words(spec)]
    found = [f"{spec.n_tree} tree{'s' if spec.n_tree != 1 else ''}"]
    if n_features is not None and spec.m_try is not None:
        found.append(f"m_try {spec.features_per_split(n_features)}")
    if n_features is not None and spec.n_combine is not None:
        found += [f"L {spec.n_combine}", f"d {spec.candidates(n_features)}"]
    if spec.scaling != "none":
        found.append(f"{spec.scaling} scaling")
    return found
