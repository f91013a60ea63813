"""The Export menu: script, models and report of the current view."""

from __future__ import annotations

import io
import json
import re
import threading
import zipfile
from typing import Any

from explorer import __version__
from explorer.analysis.fitted_model import FittedModel
from explorer.app.export.caption import Caption
from explorer.app.export.download import Outbox
from explorer.app.export.report import About, report
from explorer.app.export.script import script
from explorer.app.session.session import Session
from explorer.app.state import link
from explorer.app.state.baselines import forests_of
from explorer.app.state.headline_words import headline_words
from explorer.app.state.page_list import has_maps
from explorer.app.state.visitor import LETTERS, PAINT, painted
from explorer.app.widgets import button, icon, in_browser
from explorer.app.work.map_work import bayes, pictures
from explorer.app.work.node_work import grown_forest
from explorer.app.work.requests import Pictures, load_source
from explorer.data.chain import FittedChain
from explorer.data.transforms.base import Compose
from explorer.engine import Forest, ForestSpec

SCRIPT, MODELS, REPORT = "forest-explorer.py", "forests.zip", "forest-explorer.html"
ITEMS = [
    [REPORT, "Report", "pictures and numbers in one file"],
    [SCRIPT, "Python script", "prints the same figures"],
    [MODELS, "Models", "the forests as .npz, with axis and preparation"],
]
PREDICT = "forest-explorer predict NAME-model.npz FILES ... judges spectra measured later"
EMPTY = "There is nothing to export yet. Paint points of two classes first."
WAIT = "The forests are still growing; try again in a moment."


class Exports:
    """Makes the files of one session, off the event loop, when they are asked for."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.gone = threading.Event()  # ends forests that are grown for a file
        makers = {SCRIPT: self.script, MODELS: self.models, REPORT: self.report}
        self.outbox = Outbox(makers, session.note)
        self.caption = Caption(session)
        self.button = button(
            session.style,
            "Export",
            icon=icon("save", 16),
            icon_size="16px",
            tags=["tip:Download this view: report, script, models."],
            css_classes=["short"],
            margin=(0, 4),
            align="center",
        )
        in_browser(
            self.button,
            "window.fx_export(source, outbox, items)",
            outbox=self.outbox.source,
            items=ITEMS,
            words=self.caption.source,
        )

    def _shown(self) -> Pictures:
        shown, data = self.session.latest, self.session.state.data
        if data.shown == PAINT:
            if not data.points:
                raise ValueError(EMPTY)
            painted(tuple(data.points))  # says what is missing for a forest
        if not has_maps(self.session.state.view.page):
            return self._drawn_now()
        if shown is None or not (shown.finished and shown.judged):
            raise ValueError(WAIT)
        if shown.request.data != self.session.state.data.recipe():
            raise ValueError(WAIT)
        return shown

    def _drawn_now(self) -> Pictures:
        """Maps for a file; a page without maps has none. Its forests are in the cache."""
        grown = self.session.grown
        if grown is not None and not grown.finished:
            raise ValueError(WAIT)
        made = pictures(self.session.request(), self.session.cache, threading.Event())
        *_, last = (found for found in made if isinstance(found, Pictures))
        return last

    def _families(self) -> tuple[str, ...]:
        return tuple(m.family for m in self.session.state.models.models)

    def _script(self, shown: Pictures) -> str:
        return script(shown, self._families(), link.write(self.session.state))

    def script(self) -> bytes:
        return self._script(self._shown()).encode()

    def models(self) -> bytes:
        """A zip of one `.npz` per forest, and a note on what they are and how to load them."""
        shown = self._shown()
        data, specs = shown.source.data, shown.request.specs
        if not forests_of(specs):
            raise ValueError("There is no forest to save; choose one among the models.")
        out = io.BytesIO()
        about: dict[str, Any] = {
            "written by": f"forest-explorer {__version__}",
            "load": "from explorer.engine import Forest; Forest.load('A-RF.npz')",
            "link": link.write(self.session.state),
            "data": data.title,
            "features": list(data.feature_names),
            "classes": list(data.class_names),
            "models": {},
        }
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
            for i, (family, spec) in enumerate(zip(self._families(), specs, strict=True)):
                if not isinstance(spec, ForestSpec):
                    continue
                forest = grown_forest(shown.source, spec, self.session.cache, self.gone)
                file = io.BytesIO()
                forest.save(file)
                name = f"{LETTERS[i]}-{re.sub(r'[^A-Za-z0-9.-]+', '-', family).strip('-')}.npz"
                archive.writestr(name, file.getvalue())
                about["models"][name] = spec.to_dict()
                whole = self._whole_model(shown, forest, family)
                if whole is not None:
                    archive.writestr(name.replace(".npz", "-model.npz"), whole)
                    about["predict"] = PREDICT
            archive.writestr("about.json", json.dumps(about, indent=1))
        return out.getvalue()

    def _whole_model(self, shown: Pictures, forest: Forest, family: str) -> bytes | None:
        """A forest of spectra with its axis and preparation, for `forest-explorer predict`.

        None for tables, and for transforms that no preparation has (a rotation).
        """
        recipe = shown.request.data
        plain = load_source(recipe.plain(), self.session.cache).data
        if plain.axis is None or not forest.has_oob:
            return None
        steps = Compose(recipe.steps()).fitted(plain).steps
        chain = FittedChain(steps, plain.n_features)
        out = io.BytesIO()
        try:
            FittedModel(forest, shown.source.data, chain, plain.axis, family).save(out)
        except ValueError:
            return None
        return out.getvalue()

    def report(self) -> bytes:
        shown = self._shown()
        session = self.session
        about = About(
            headline_words(session.state),
            session.state.view.page,
            self._families(),
            settings(session.state),
            link.write(session.state),
            self._script(shown),
            tuple(session.state.view.layers),
            bool(session.state.view.soft),
        )
        lines = shown.bayes
        if lines is None and shown.bayes_due:  # the page shows it later, the report at once
            lines = next(iter(bayes(shown, session.cache)), None)
        return report(about, shown, lines).encode()


def settings(state: Any) -> tuple[tuple[str, str], ...]:
    """What is set, as names and values for people; what is at its default is left out."""
    data, view = state.data, state.view
    recipe = data.recipe()
    found = [(f"Data: {k}", str(v)) for k, v in recipe.knobs]
    if recipe.transform != "none":
        found.append(("Transform", recipe.transform))
        found += [(f"Transform: {k}", str(v)) for k, v in recipe.transform_knobs]
    for keep, low, high in recipe.bands:
        found.append(("Band kept" if keep else "Band left out", f"{low:g} to {high:g}"))
    if view.trees:
        found.append(("Trees shown", str(view.trees)))
    found.append(("Page", view.page))
    return tuple(found)
