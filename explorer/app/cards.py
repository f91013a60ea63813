"""Owns the card of a model: head, map, metrics, one sentence. Drawn once, then updated."""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import panel as pn
from numpy.typing import NDArray

from explorer.app.baseline import BaselineSpec
from explorer.app.measure import MapRecord
from explorer.app.plane import Window
from explorer.app.request import Pictures
from explorer.app.saving import save_button
from explorer.app.state import LETTERS, ModelState, ViewState
from explorer.app.widgets import Style, plain, text
from explorer.data import Dataset
from explorer.views.map_figure import MapFigure, SharedFrame

# Numbers follow a picture within a few milliseconds, when all of them are known; only if that
# takes longer than this (a drag on a slow machine) those that are known go first.
NUMBERS_WAIT = 0.25


class Card:
    """One model of the comparison on the Boundaries page."""

    def __init__(self, index: int, frame: SharedFrame, view: ViewState, style: Style) -> None:
        self.index, self.view_state = index, view
        self.record_cells: object = None
        self.map = MapFigure(frame, view.theme, view.soft, view.layers, view.present, index)
        self.record: MapRecord | None = None
        self.judged: MapRecord | None = None  # the last one whose numbers are all known
        self.data: Dataset | None = None
        self.model_name = ""
        self._named: object = None
        self._waits = 0.0  # since when numbers lag behind the picture
        self._wide = False
        self.title = text(style, sizing_mode="stretch_width", height=36)
        self.numbers = text(style, '<div class="numbers"></div>', sizing_mode="stretch_width")
        letter = LETTERS[index]
        save = save_button(style, f"map {letter}", f"forest-{letter}", self.map.figure, self.csv)
        self.pane = pn.pane.Bokeh(
            self.map.figure,
            sizing_mode="stretch_both",
            margin=0,
            css_classes=["map"],
            stylesheets=[style.panes],
        )
        self.view = pn.Column(
            pn.Row(
                self.title,
                save,
                css_classes=["head"],
                stylesheets=[style.panes],
                margin=0,
                sizing_mode="stretch_width",
                height=36,
            ),
            self.pane,
            self.numbers,
            css_classes=["card"],
            stylesheets=[style.panes],
            margin=0,
            sizing_mode="stretch_both",
        )

    def name(self, model: ModelState, n_features: int | None) -> None:
        """Write the head."""
        named = (model.family, dict(model.knobs), n_features)
        if named == self._named:
            return
        self._named = named
        spec = model.spec(n_features)
        if model.family != self.model_name:
            self.judged = None  # another model's numbers must not stand under this name
        self.model_name = model.family
        if isinstance(spec, BaselineSpec):
            self._write_title(_baseline_in_words(spec))
            return
        quiet = []
        if n_features is not None and spec.m_try is not None:
            quiet.append(f"<i>m_try</i> {spec.features_per_split(n_features)}")
        if n_features is not None and spec.n_combine is not None:
            quiet.append(f"<i>L</i> {spec.n_combine}, <i>d</i> {spec.candidates(n_features)}")
        if spec.scaling != "none":
            quiet.append(f"{spec.scaling} scaling")
        trees = f"{spec.n_tree} tree{'s' if spec.n_tree != 1 else ''}"
        # a phone has room for what tells forests apart only
        self._write_title(
            f'<span class="trees">{trees}{", " if quiet else ""}</span>{", ".join(quiet)}'
        )

    def _write_title(self, quiet: str) -> None:
        """The head: letter, name and one quiet line, HTML of our own."""
        self._set(
            self.title,
            f'<div class="name"><span class="letter">{LETTERS[self.index]}</span>'
            f"<b>{plain(self.model_name)}</b>"
            f'<span class="quiet">{quiet}</span></div>',
        )

    @staticmethod
    def _set(pane: pn.pane.HTML, html: str) -> None:
        if pane.object != html:
            pane.object = html

    def _write(self, html: str) -> None:
        """Under the map, in room that is kept: a map must not change its size."""
        self._set(self.numbers, f'<div class="numbers">{html}</div>')

    def update(self, pictures: Pictures) -> None:
        """Show this model's record; a number that is not known yet stays, but fades."""
        data = pictures.source.data
        record = pictures.records[self.index]
        if record is None:
            self.wait()
            return
        drawn = self.record is not None and record.shares is self.record.shares
        if not drawn or data is not self.data or record.cells is not self.record_cells:
            self.map.update(record, pictures.places.T)
            self.map.describe(pictures.plane.x_label, pictures.plane.y_label)
        if record.judged:
            self.judged = record
            if pictures.test is not None and record.test_wrong.size:
                self._show_test_errors(pictures, record)
        self.record, self.data, self.record_cells = record, data, record.cells
        self._age(False)
        now = time.monotonic()
        self._waits = 0.0 if record.judged else self._waits or now
        if record.judged or now - self._waits > NUMBERS_WAIT:
            self._waits = 0.0
            self._write(self._numbers_html(record, pictures.best))

    def _show_test_errors(self, pictures: Pictures, record: MapRecord) -> None:
        """Fresh rows that this model gets wrong; placed only while they are looked at."""
        if "Test errors" not in self.view_state.layers:
            return
        wrong = record.test_wrong > 0
        places = pictures.plane.project(pictures.test.X[wrong])
        self.map.set_test_errors(places[:, 0], places[:, 1], pictures.test.y[wrong])

    def wait(self) -> None:
        """Something else is being made: the old picture and its numbers stay, but fade."""
        if self.record is not None and self.judged is None:
            self.map.clear()
            self.record = None
        self._age(True)

    def widen(self, wide: bool) -> None:
        """Take the whole width of a phone, or only a half."""
        self._wide = wide
        self._age(False)

    def _age(self, old: bool) -> None:
        classes = ["card", *(["old"] if old else []), *(["wide"] if self._wide else [])]
        if self.view.css_classes != classes:
            self.view.css_classes = classes

    def _numbers_html(self, record: MapRecord, best: dict[str, int | None]) -> str:
        def mark(name: str, words: str) -> str:
            return f'<span class="best">{words}</span>' if best.get(name) == self.index else words

        tie = "oob" in best and best["oob"] is None
        lead = mark("oob", percent(record.oob_error))
        if not record.n_tree:
            lead = '<span class="none">no trees</span>'
        elif tie:
            lead += '<span class="tie">tie</span>'
        late = record if record.judged else self.judged
        rest = []
        fade = "" if record.judged else " late"
        if late is not None and late.test_error is not None and late.hellinger is not None:
            rest.append((fade, "Test error", mark("test", percent(late.test_error))))
            rest.append((fade, "Hellinger", mark("hellinger", f"{late.hellinger:.3f}")))
        nodes = "no trees" if record.nodes is None else mark("nodes", f"{record.nodes:.0f}")
        rest.append(("more", "Nodes per tree", nodes))
        rest.append(("more", "Time", duration(record.seconds)))
        items = "".join(
            f'<div class="{kind}"><dt>{label}</dt><dd>{value}</dd></div>'
            for kind, label, value in rest
        )
        words = self.sentence() if late is not None else ""
        return (
            f'<div class="metrics"><p class="lead"><small>OOB error</small><b>{lead}</b></p>'
            f"<dl>{items}</dl></div>"
            f'<p class="says{fade}">{plain(words)}</p>'
        )

    def sentence(self) -> str:
        """What is seen, in words."""
        record = self.judged
        if record is None:
            return ""
        more = ""
        if record.trees != record.n_tree:
            more = f" with {record.trees} of {record.n_tree} trees"
        elif record.chosen:
            more = f"; {record.chosen}"
        if record.n_tree and record.no_cells and "One tree" in self.view_state.layers:
            more += f"; no cells: {record.no_cells.rstrip('.')}"
        return f"{record.words[:1].upper()}{record.words[1:]}{more}."

    def fault(self, sentence: str, empty: bool = False) -> None:
        """Say beside the map why there is none; empty: nothing is wrong, there is nothing yet."""
        kind = "says" if empty else "says fault"
        self._write(f'<p class="{kind}">{plain(sentence)}</p>')

    def cover(self) -> None:
        """Nothing but the points, until a prediction is made."""
        self.map.clear()
        self.record = self.judged = None
        self._write(
            '<div class="metrics"><p class="lead"><small>OOB error</small><b>?</b></p></div>'
            '<p class="says">Covered until you have predicted.</p>'
        )

    def say(self, sentence: str) -> None:
        """Something is under way: in words, with the last numbers over them, faded."""
        old = ""
        if self.judged is not None and self.record is not None:
            old = self._numbers_html(self.record, {}).split('<p class="says')[0]
            old = f'<div class="late">{old}</div>'
        self._write(f'{old}<p class="says">{plain(sentence)}</p>')

    def csv(self) -> str:
        """The numbers of the map: one row per pixel, posterior by class."""
        if self.record is None or self.data is None:
            return "There is no map yet.\n"
        return map_csv(self.record, self.data)


def _baseline_in_words(spec: BaselineSpec) -> str:
    fixed = [f"{name} {value:g}" for name, value in spec.settings.items() if value is not None]
    return ", ".join(fixed) or "tuned by cross-validation"


def map_csv(record: MapRecord, data: Dataset) -> str:
    """Pixel centres and posterior by class, as CSV text."""
    return grid_csv(record.posterior, record.window, data.class_names)


def grid_csv(values: NDArray[Any], window: Window, names: Sequence[str]) -> str:
    """Pixel centres and values [h, w] or [h, w, k] there, k of them named, as CSV text."""
    h, w = values.shape[:2]
    x = window.x0 + (np.arange(w) + 0.5) / w * window.width
    y = window.y0 + (np.arange(h) + 0.5) / h * window.height
    gx, gy = np.meshgrid(x, y)
    flat = values.reshape(h * w, -1)
    columns = [gx.ravel(), gy.ravel(), *flat.T]
    named = ["across", "up", *names[: flat.shape[1]]]
    head = ",".join('"' + name.replace('"', '""') + '"' for name in named)
    body = io.StringIO()
    np.savetxt(body, np.column_stack(columns), fmt="%.5g", delimiter=",")
    return f"{head}\n{body.getvalue()}"


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def duration(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
