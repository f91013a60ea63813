"""Owns the Export menu: script, models and report of what is seen now."""

from __future__ import annotations

import io
import json
import re
import threading
import zipfile
from typing import TYPE_CHECKING, Any

from explorer import __version__
from explorer.app import link
from explorer.app.baseline import forests_of
from explorer.app.node_work import grown_forest
from explorer.app.report import About, report
from explorer.app.request import Pictures
from explorer.app.saving import Outbox
from explorer.app.script import script
from explorer.app.state import LETTERS
from explorer.app.widgets import button, icon, in_browser
from explorer.app.work import bayes
from explorer.engine import ForestSpec

if TYPE_CHECKING:
    from explorer.app.session import Session

SCRIPT, MODELS, REPORT = "forest-explorer.py", "forests.zip", "forest-explorer.html"
ITEMS = [
    [REPORT, "Report", "pictures and numbers in one file"],
    [SCRIPT, "Python script", "prints the same figures"],
    [MODELS, "Models", "the forests as .npz, zipped"],
]
WAIT = "The forests are still growing; try again in a moment."


class Exports:
    """Makes the files of one session, off the event loop, when they are asked for."""

    def __init__(self, session: Session) -> None:
        self.session = session
        makers = {SCRIPT: self.script, MODELS: self.models, REPORT: self.report}
        self.outbox = Outbox(makers, session.note)
        self.button = button(
            session.style,
            "Export",
            icon=icon("save", 16),
            icon_size="16px",
            tags=["tip:Take home what is seen: report, script, models."],
            css_classes=["short"],
            margin=(0, 4),
            align="center",
        )
        in_browser(
            self.button,
            "window.fx_export(source, outbox, items)",
            outbox=self.outbox.source,
            items=ITEMS,
        )

    def _shown(self) -> Pictures:
        shown = self.session.latest
        if shown is None or not (shown.finished and shown.judged):
            raise ValueError(WAIT)
        if shown.request.data != self.session.state.data.recipe():
            raise ValueError(WAIT)
        return shown

    def _families(self) -> tuple[str, ...]:
        return tuple(m.family for m in self.session.state.models.models)

    def _script(self, shown: Pictures) -> str:
        request = shown.request
        return script(
            request.data,
            self._families(),
            request.specs,
            request.trees,
            shown.source.data,
            link.write(self.session.state),
        )

    def script(self) -> bytes:
        return self._script(self._shown()).encode()

    def models(self) -> bytes:
        """A zip of one `.npz` per forest, and a note on what they are and how to load them."""
        shown = self._shown()
        data, specs = shown.source.data, shown.request.specs
        if not forests_of(specs):
            raise ValueError("There is no forest to save; choose one on the left.")
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
                forest = grown_forest(shown.source, spec, self.session.cache, threading.Event())
                file = io.BytesIO()
                forest.save(file)
                name = f"{LETTERS[i]}-{re.sub(r'[^A-Za-z0-9.-]+', '-', family).strip('-')}.npz"
                archive.writestr(name, file.getvalue())
                about["models"][name] = spec.to_dict()
            archive.writestr("about.json", json.dumps(about, indent=1))
        return out.getvalue()

    def report(self) -> bytes:
        shown = self._shown()
        session = self.session
        about = About(
            session.headline_words(),
            session.state.view.page,
            self._families(),
            settings(session.state),
            link.write(session.state),
            self._script(shown),
        )
        lines = shown.bayes
        if lines is None and shown.bayes_due:  # the page shows it later, the report at once
            lines = next(iter(bayes(shown, session.cache)), None)
        return report(about, shown, lines).encode()


def settings(state: Any) -> tuple[tuple[str, str], ...]:
    """What is set, as names and values for people; what is at its default is left out."""
    data, view = state.data, state.view
    found = [(f"Data: {k}", str(v)) for k, v in sorted(data.knobs.items())]
    if data.transform != "none":
        found.append(("Transform", data.transform))
        found += [(f"Transform: {k}", str(v)) for k, v in sorted(data.transform_knobs.items())]
    for keep, low, high in data.bands:
        found.append(("Band kept" if keep else "Band left out", f"{low:g} to {high:g}"))
    if view.trees:
        found.append(("Trees shown", str(view.trees)))
    found.append(("Page", view.page))
    return tuple(found)
