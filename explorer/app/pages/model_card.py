"""The card of a model: head, map, metrics, one sentence. Built once, then updated."""

from __future__ import annotations

import time
from collections.abc import Sequence

import panel as pn

from explorer.app.export.download import save_button
from explorer.app.export.map_csv import map_csv
from explorer.app.pages.model_text import subtitle
from explorer.app.state.baselines import BaselineSpec
from explorer.app.state.visitor import LETTERS, ModelState, ViewState
from explorer.app.widgets import Style, plain, text
from explorer.app.work.map_record import MapRecord
from explorer.app.work.requests import Pictures
from explorer.data import Dataset
from explorer.engine import ForestSpec
from explorer.engine.units import units_remark
from explorer.views.map_figure import MapFigure, SharedFrame
from explorer.views.number_text import duration, percent

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
        self._quiet = ""  # what the head says after the name
        self._spec: ForestSpec | None = None
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

    def name(self, models: Sequence[ModelState], n_features: int | None) -> None:
        """Write the head: this model's name, and how it differs from the others."""
        specs = [m.spec(n_features) for m in models]
        model = models[self.index]
        named = (model.family, specs, n_features)
        if named == self._named:
            return
        self._named = named
        if model.family != self.model_name:
            self.judged = None  # another model's numbers must not stand under this name
        self.model_name = model.family
        spec = specs[self.index]
        self._spec = None if isinstance(spec, BaselineSpec) else spec
        self._write_title(subtitle(specs, self.index, n_features))

    def _write_title(self, quiet: str) -> None:
        """The head: letter, name and one quiet line, HTML of our own."""
        self._quiet = quiet
        remark = self._units_remark()
        if remark is not None:
            mark = f'<span class="units" title="{plain(remark)}">mixes units</span>'
            quiet = f"{quiet}{', ' if quiet else ''}{mark}"
        self._set(
            self.title,
            f'<div class="name"><span class="letter">{LETTERS[self.index]}</span>'
            f"<b>{plain(self.model_name)}</b>"
            f'<span class="quiet">{quiet}</span></div>',
        )

    def _units_remark(self) -> str | None:
        """What to say of a forest that mixes features of unlike units; None for the others."""
        if self._spec is None or self.data is None:
            return None
        names = [str(name) for name in self.data.feature_names]
        return units_remark(self.model_name, self._spec, self.data.X, names)

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
            self.map.update(record, (pictures.places[:, 0], pictures.places[:, 1]))
            self.map.describe(pictures.plane.x_label, pictures.plane.y_label)
        if record.judged:
            self.judged = record
            if pictures.test is not None and record.test_wrong.size:
                self._show_test_errors(pictures, record)
        other_data = data is not self.data
        self.record, self.data, self.record_cells = record, data, record.cells
        if other_data:
            self._write_title(self._quiet)
        self._age(False)
        now = time.monotonic()
        self._waits = 0.0 if record.judged else self._waits or now
        if record.judged or now - self._waits > NUMBERS_WAIT:
            self._waits = 0.0
            self._write(self._numbers_html(record, pictures))

    def _show_test_errors(self, pictures: Pictures, record: MapRecord) -> None:
        """Fresh rows that this model gets wrong; placed only while they are looked at."""
        if "Test errors" not in self.view_state.layers:
            return
        wrong = record.test_wrong > 0
        places = pictures.plane.project(pictures.test.X[wrong])
        self.map.set_test_errors(places[:, 0], places[:, 1], pictures.test.y[wrong])

    def blank(self) -> None:
        """No picture: an equal one that comes later is drawn again."""
        self.map.clear()
        self.record = self.judged = None

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

    def _numbers_html(self, record: MapRecord, pictures: Pictures | None) -> str:
        """The numbers and the sentence; pictures: what they are compared with, if anything."""

        def mark(name: str, words: str) -> str:
            wins = pictures is not None and pictures.wins(name, self.index)
            return f'<span class="best">{words}</span>' if wins else words

        def counted(nodes: float) -> str:
            others = () if pictures is None else pictures.records
            same = [r for r in others if r is not None and r.nodes is not None and r is not record]
            words = f"{nodes:.0f}"
            # trees of 2.9 and of 3.1 nodes may differ surely, but not to a reader of "3"
            alike = any(f"{r.nodes:.0f}" == words for r in same)
            return words if alike else mark("nodes", words)

        tie = pictures is not None and pictures.ties("oob", self.index)
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
        nodes = "no trees" if record.nodes is None else counted(record.nodes)
        rest.append(("nodes", 'Nodes<span class="long"> per tree</span>', nodes))
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
        parts = [record.words] if record.words else []
        if record.trees != record.n_tree:
            few = f"with {record.trees} of {record.n_tree} trees"
            parts = [f"{record.words} {few}" if record.words else few]
        elif record.chosen:
            parts.append(record.chosen)
        if record.n_tree and record.no_cells and "One tree" in self.view_state.layers:
            parts.append(f"no cells: {record.no_cells.rstrip('.')}")
        said = "; ".join(parts)
        return f"{said[:1].upper()}{said[1:]}." if said else ""

    def fault(self, sentence: str, empty: bool = False) -> None:
        """Say beside the map why there is none; empty: nothing is wrong, there is nothing yet."""
        kind = "says" if empty else "says fault"
        self._write(f'<p class="{kind}">{plain(sentence)}</p>')

    def cover(self) -> None:
        """Nothing but the points, until a prediction is made."""
        self.blank()
        self._write(
            '<div class="metrics"><p class="lead"><small>OOB error</small><b>?</b></p></div>'
            '<p class="says">Covered until you have predicted.</p>'
        )

    def say(self, sentence: str, busy: bool = False) -> None:
        """Something is under way: in words, with the last numbers over them, faded.

        busy: it takes seconds, and a bar shows that it goes on.
        """
        old = ""
        if self.judged is not None and self.record is not None:
            old = self._numbers_html(self.record, None).split('<p class="says')[0]
            old = f'<div class="late">{old}</div>'
        said = plain(sentence)
        bar = f'<div class="filling" role="progressbar" aria-label="{said}"><i></i></div>'
        self._write(f'{old}<p class="says">{said}</p>{bar if busy else ""}')

    def csv(self) -> str:
        """The numbers of the map: one row per pixel, posterior by class."""
        if self.record is None or self.data is None:
            return "There is no map yet.\n"
        return map_csv(self.record, self.data)
