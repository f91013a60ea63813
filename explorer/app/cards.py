"""Owns the card of a model: head, map, metrics, one sentence. Drawn once, then updated."""

from __future__ import annotations

import io
import time

import numpy as np
import panel as pn

from explorer.app.measure import MapRecord
from explorer.app.state import LETTERS, ModelState, ViewState
from explorer.app.widgets import Style, button, plain, text
from explorer.app.work import Pictures
from explorer.data import Dataset
from explorer.views.map_figure import MapFigure, SharedFrame

# Numbers follow a picture within a few milliseconds, when all of them are known; only if that
# takes longer than this (a drag on a slow machine) those that are known go first.
NUMBERS_WAIT = 0.25

_SAVE_PNG = """
const view = Bokeh.index.find_one(figure)
if (view == null) return
view.export("png", true).to_blob().then((blob) => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name + ".png"
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
})
"""


class Card:
    """One model of the comparison on the Boundaries page."""

    def __init__(self, index: int, frame: SharedFrame, view: ViewState, style: Style) -> None:
        self.index = index
        self.map = MapFigure(frame, view.theme, view.soft, view.layers, view.present)
        self.record: MapRecord | None = None
        self.judged: MapRecord | None = None  # the last one whose numbers are all known
        self.data: Dataset | None = None
        self.model_name = ""
        self._named: object = None
        self._written = 0.0
        self.title = text(style, sizing_mode="stretch_width", height=36)
        self.numbers = text(style, '<div class="numbers"></div>', sizing_mode="stretch_width")
        png = button(style, "PNG", css_classes=["quiet"], align="center")
        png.js_on_click(
            args={"figure": self.map.figure, "name": f"forest-{LETTERS[index]}"}, code=_SAVE_PNG
        )
        csv = pn.widgets.FileDownload(
            callback=self.csv,
            filename=f"forest-{LETTERS[index]}.csv",
            label="CSV",
            icon=None,
            css_classes=["quiet"],
            stylesheets=[style.button],
            margin=0,
            align="center",
            width=46,
            height=30,
        )
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
                png,
                csv,
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
        spec = model.spec(n_features)
        if (spec, n_features) == self._named:
            return
        self._named = (spec, n_features)
        self.model_name = model.family
        quiet = [f"{spec.n_tree} tree{'s' if spec.n_tree != 1 else ''}"]
        if n_features is not None and spec.m_try is not None:
            quiet.append(f"<i>m_try</i> {spec.features_per_split(n_features)}")
        if n_features is not None and spec.n_combine is not None:
            quiet.append(f"<i>L</i> {spec.n_combine}, <i>d</i> {spec.candidates(n_features)}")
        if spec.scaling != "none":
            quiet.append(f"{spec.scaling} scaling")
        self._set(
            self.title,
            f'<div class="name"><span class="letter">{LETTERS[self.index]}</span>'
            f"<b>{plain(model.family)}</b>"
            f'<span class="quiet">{", ".join(quiet)}</span></div>',
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
        across, up = pictures.axes
        drawn = self.record is not None and record.posterior is self.record.posterior
        if not drawn or data is not self.data:
            self.map.update(record, (data.X[:, across], data.X[:, up]))
            self.map.describe(data.feature_names[across], data.feature_names[up])
        if record.judged:
            self.judged = record
        self.record, self.data = record, data
        now = time.monotonic()
        if record.judged or now - self._written > NUMBERS_WAIT:
            self._written = now
            self._write(self._numbers_html(record, pictures.best))

    def _numbers_html(self, record: MapRecord, best: dict[str, int | None]) -> str:
        def mark(name: str, words: str) -> str:
            return f'<span class="best">{words}</span>' if best.get(name) == self.index else words

        tie = "oob" in best and best["oob"] is None
        lead = mark("oob", percent(record.oob_error))
        if tie:
            lead += '<span class="tie">tie</span>'
        late = record if record.judged else self.judged
        rest = []
        fade = "" if record.judged else " late"
        if late is not None and late.test_error is not None and late.hellinger is not None:
            rest.append((fade, "Test error", mark("test", percent(late.test_error))))
            rest.append((fade, "Hellinger", mark("hellinger", f"{late.hellinger:.3f}")))
        rest.append(("more", "Nodes per tree", mark("nodes", f"{record.nodes:.0f}")))
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
        trees = ""
        if record.trees != record.n_tree:
            trees = f" with {record.trees} of {record.n_tree} trees"
        return f"{record.words[:1].upper()}{record.words[1:]}{trees}."

    def fault(self, sentence: str) -> None:
        """Say beside the map why there is none."""
        self._write(f'<p class="says fault">{plain(sentence)}</p>')

    def say(self, sentence: str) -> None:
        self._write(f'<p class="says">{plain(sentence)}</p>')

    def csv(self) -> io.BytesIO:
        """The numbers of the map: one row per pixel, posterior by class."""
        out = io.BytesIO()
        if self.record is None or self.data is None:
            out.write(b"There is no map yet.\n")
        else:
            out.write(map_csv(self.record, self.data).encode())
        out.seek(0)
        return out


def map_csv(record: MapRecord, data: Dataset) -> str:
    """Pixel centres and posterior by class, as CSV text."""
    h, w, K = record.posterior.shape
    window = record.window
    x = window.x0 + (np.arange(w) + 0.5) / w * window.width
    y = window.y0 + (np.arange(h) + 0.5) / h * window.height
    gx, gy = np.meshgrid(x, y)
    columns = [gx.ravel(), gy.ravel(), *(record.posterior[..., k].ravel() for k in range(K))]
    names = ["across", "up", *(data.class_names[k] for k in range(K))]
    head = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    body = io.StringIO()
    np.savetxt(body, np.column_stack(columns), fmt="%.5g", delimiter=",")
    return f"{head}\n{body.getvalue()}"


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def duration(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
