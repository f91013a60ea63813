"""Owns the Spectra page: spectra, what each forest finds important in them, and bands to try.

After Menze Fig. 7. Built when its tab is first opened.
"""

from __future__ import annotations

import math
from typing import Any

import panel as pn
from bokeh.events import SelectionGeometry

from explorer.app.importance_words import (
    UNITS,
    class_keys,
    class_line,
    image_words,
    model_keys,
    summary,
)
from explorer.app.insight import Importances, Look, Step, importances
from explorer.app.session import Session
from explorer.app.state import LETTERS, MEASURES
from explorer.app.widgets import button, css, plain, text
from explorer.app.work import Pictures
from explorer.views.importance_image import ImportanceImage
from explorer.views.importance_lane import ImportanceLane, Trace
from explorer.views.importance_scatter import ImportanceScatter, feature_looks
from explorer.views.spectra_figure import LAYERS, AxisFrame, SpectraFigure

SPECTRAL = ("spectra_ir", "Load simulated infrared spectra")
NO_AXIS = (
    "Spectra go here: the classes' means along their axis, and under them what each forest "
    "finds important. These data have no axis."
)


class SpectraPage:
    """Pictures along one axis; they follow the session's forests while they are seen."""

    def __init__(self, session: Session) -> None:
        self.session, self.state = session, session.state
        theme = self.state.view.theme
        self.frame = AxisFrame()
        self.spectra = SpectraFigure(self.frame, theme)
        self.lane = ImportanceLane(self.frame, theme)
        self.scatter = ImportanceScatter(self.frame, theme)
        self.images: list[ImportanceImage] = []
        self.image_panes: list[Any] = []
        self.made: Importances | None = None
        self.shown: Pictures | None = None
        self.band: tuple[float, float] | None = None
        self._asked: Any = None
        self._theme = theme
        self._quiet = False
        self._make_row()
        self._make_view()
        for plot in (self.spectra.figure, self.lane.figure):
            plot.on_event(SelectionGeometry, self.brushed)
        # what is sent while a browser still opens the page may be lost on the way
        self.ready = True
        self._early: Pictures | None = None
        if session.mailbox.live and not pn.state.loaded:
            self.ready = False
            pn.state.onload(self._opened)
        session.listeners.append(self.follow)

    def _opened(self) -> None:
        self.ready = True
        if self._early is not None:
            self.follow(self._early)

    # ---- parts

    def _make_row(self) -> None:
        style = self.session.style
        here: dict[str, Any] = {"align": "center", "margin": (0, 8, 0, 0)}
        self.layers = pn.widgets.CheckButtonGroup(
            options=list(LAYERS),
            value=["Means"],
            css_classes=["chips"],
            stylesheets=[style.button],
            tags=["tip:Means with the middle 80 % of each class, or up to 200 single spectra."],
            **here,
        )
        self.layers.param.watch(lambda event: self.spectra.show_layers(event.new), "value")
        self.measure = pn.widgets.Select(
            options={words: name for name, words in MEASURES.items()},
            value=self.state.view.measure,
            width=150,
            stylesheets=[style.field],
            tags=[
                "label:Importance measure",
                "tip:How much a feature is worth to a forest; each measure asks another question.",
            ],
            **here,
        )
        self.measure.param.watch(self._choose_measure, "value")
        field: dict[str, Any] = {
            "value": None,
            "width": 92,
            "stylesheets": [style.field],
            "mode": "float",
        }
        self.low, self.high = (
            pn.widgets.FloatInput(
                placeholder=word,
                tags=[f"label:Band {word}", "tip:An end of the band; or drag over the spectra."],
                **{k: v for k, v in field.items() if k != "mode"},
                **here,
            )
            for word in ("from", "to")
        )
        for end in (self.low, self.high):
            end.param.watch(self._typed, "value")
        self.keep = button(
            style,
            "Keep only",
            disabled=True,
            tags=["tip:Grow the forests again on this band alone."],
            **here,
        )
        self.keep.on_click(lambda event: self.use_band(True))
        self.drop = button(
            style,
            "Leave out",
            disabled=True,
            tags=["tip:Grow the forests again without this band."],
            **here,
        )
        self.drop.on_click(lambda event: self.use_band(False))
        self.undo = button(
            style, "Undo", disabled=True, tags=["tip:Take back the last band."], **here
        )
        self.undo.on_click(lambda event: self.session.guarded(self.session.undo_band))
        self.progress = text(style, align="center")
        self.stop = button(
            style, "Stop", visible=False, align="center", tags=["tip:Stop computing importance."]
        )
        self.stop.on_click(lambda event: self._stop())
        self.bandwise = (self.layers, self.low, self.high, self.keep, self.drop)
        self.row = pn.Row(
            self.layers,
            self.measure,
            self.low,
            self.high,
            self.keep,
            self.drop,
            self.undo,
            self.progress,
            self.stop,
            margin=0,
            css_classes=["controls"],
            stylesheets=[style.panes],
            sizing_mode="stretch_width",
        )

    def _make_view(self) -> None:
        self.sheets = [self.session.style.panes, css("insight")]
        self.key = pn.pane.HTML("", stylesheets=self.sheets, sizing_mode="stretch_width")
        self.lane_key = pn.pane.HTML("", stylesheets=self.sheets, sizing_mode="stretch_width")
        self.words = pn.pane.HTML("", stylesheets=self.sheets, sizing_mode="stretch_width")
        both = self._tile(
            self.key, _pane(self.spectra.figure), self.lane_key, _pane(self.lane.figure)
        )
        beside = self._tile(_pane(self.scatter.figure), self.words)
        beside.css_classes = ["tile", "beside"]
        self.along = [both, beside]
        self.empty_words = pn.pane.HTML(
            f'<p class="words centre">{NO_AXIS}</p>', stylesheets=self.sheets
        )
        self.image_words = pn.pane.HTML("", stylesheets=self.sheets, sizing_mode="stretch_width")
        self.image_tile = self._tile(self.image_words)
        self._make_images(len(self.state.models.models))
        self.strip = pn.Column(
            *self.image_panes,
            css_classes=["board", "strip"],
            stylesheets=self.sheets,
            margin=0,
            sizing_mode="stretch_both",
        )
        self.waiting = pn.pane.HTML(
            '<p class="words centre">Growing the forests, then looking into them.</p>',
            stylesheets=self.sheets,
        )
        load = button(
            self.session.style,
            SPECTRAL[1],
            tags=["tip:Simulated spectra whose informative channels are known."],
        )
        load.on_click(lambda event: self.session.choose_data(SPECTRAL[0]))
        self.nothing = [self.empty_words, load]
        self.view = pn.Column(
            *self.along,
            self.strip,
            self.image_tile,
            *self.nothing,
            self.waiting,
            css_classes=["board", "spectra"],
            stylesheets=self.sheets,
            margin=0,
            sizing_mode="stretch_both",
        )
        self._arrange("empty", [self.waiting])

    def _make_images(self, n: int) -> None:
        while len(self.images) < n:
            self.images.append(ImportanceImage(self._theme))
            self.image_panes.append(self._tile(_pane(self.images[-1].figure)))

    def _tile(self, *parts: Any) -> pn.Column:
        return pn.Column(
            *parts,
            css_classes=["tile"],
            stylesheets=self.sheets,
            margin=0,
            sizing_mode="stretch_both",
        )

    def _arrange(self, kind: str, parts: list[Any]) -> None:
        """Show some of the parts. All are on the page from the start: a part that is added
        while a browser still opens the page would not be known to it."""
        gone = [c for c in self.view.css_classes if c == "gone"]
        for part in self.view:
            _show(part, part in parts)
        wanted = ["board", kind, *gone]
        if self.view.css_classes != wanted:
            self.view.css_classes = wanted
        for widget in self.bandwise:
            widget.visible = kind == "spectra"
        self.measure.visible = kind != "empty"
        self.undo.visible = bool(self.state.data.bands) or kind == "spectra"

    # ---- what is asked and what comes

    def follow(self, shown: Pictures) -> None:
        """New forests: ask for their importance, if this page is seen."""
        view = self.state.view
        if view.page != "Spectra":
            return
        if not self.ready:
            self._early = shown
            return
        self._restyle()
        self.shown = shown
        data = shown.source.data
        self.undo.disabled = not self.state.data.bands
        if data.axis is None and data.image_shape is None:
            self._arrange("empty", self.nothing)
            self._say("")
            return
        if self.measure.value != view.measure:
            self._quiet = True
            self.measure.value = view.measure
            self._quiet = False
        if not shown.finished:
            self._say(f"{shown.done} of {shown.wanted} trees")
            return
        look = Look(shown.source, shown.request.specs, view.measure == "permutation")
        asked = (shown.source, look.specs, look.permute)
        if asked == self._asked:
            self._say("")
            self.draw()
            return
        self._asked = asked
        self.session.scheduler.submit(
            self.session.key,
            "importance",
            lambda cancel: importances(look, self.session.cache, cancel),
            lambda value: self.session.mailbox.post("importance", lambda: self.take(value)),
            lambda error: self.session.mailbox.post("importance", lambda: self.fault(error)),
        )

    def take(self, value: Any) -> None:
        """Progress, or the result."""
        if isinstance(value, Step):
            self._say(value.words)
            return
        self._say("")
        self.made = value
        self.draw()

    def fault(self, error: BaseException) -> None:
        self._say("")
        known = isinstance(error, ValueError)
        words = str(error) if known else "Importance could not be computed; the last is kept."
        self.words.object = f'<p class="words fault">{plain(words)}</p>'

    def _say(self, words: str) -> None:
        html = f'<p class="progress">{plain(words)}</p>' if words else ""
        if self.progress.object != html:
            self.progress.object = html
        if self.stop.visible != bool(words):
            self.stop.visible = bool(words)

    def _stop(self) -> None:
        for kind in ("maps", "importance"):
            self.session.scheduler.stop(self.session.key, kind)
        self._say("")
        self._asked = None
        self.words.object = '<p class="words">Stopped. Choose a measure to begin again.</p>'

    def _choose_measure(self, event: Any) -> None:
        if self._quiet:
            return

        def act() -> None:
            self.state.view.param.update(measure=event.new)

        self.session.guarded(act)
        if self.shown is not None:
            self.follow(self.shown)
        self.session.commit()

    # ---- drawing

    def draw(self) -> None:
        """Bring every picture to what was made, in the measure that is chosen."""
        made, shown = self.made, self.shown
        if made is None or shown is None or len(made.models) != len(self.state.models.models):
            return
        data = shown.source.data
        if made.models[0].feature_names != data.feature_names:
            return
        if data.axis is None or made.spectra is None:
            if data.image_shape is not None:
                self._draw_images(made, data.image_shape)
            return
        measure = self.state.view.measure
        spectra, axis = made.spectra, made.spectra.axis
        self._arrange("spectra", self.along)
        families = [m.family for m in self.state.models.models]
        if spectra is not self.spectra.record:
            self.spectra.update(spectra)
            self.show_band(None)
        self.key.object = class_keys(spectra, self._theme)
        if measure == "t":
            traces = [Trace(-1, made.models[0].t)]
        else:
            values = [getattr(m, measure) for m in made.models]
            traces = [Trace(i, v) for i, v in enumerate(values) if v is not None]
        only = None if made.slanted is None else made.models[made.slanted].only_oblique
        self.lane.update(
            axis, spectra.breaks, traces, UNITS[measure], spectra.label, only, data.informative
        )
        self.lane_key.object = model_keys(families, traces, only, data, self._theme)
        self._draw_scatter(made, measure, families, only)
        self.words.object = summary(
            made, measure, families, class_line(spectra, data), data.axis.unit
        )

    def _draw_scatter(
        self, made: Importances, measure: str, families: list[str], only: Any
    ) -> None:
        assert made.spectra is not None
        n = len(made.models)
        i = made.straight if made.straight is not None else 0
        j = made.slanted if made.slanted is not None else min(1, n - 1)
        if i == j and n > 1:
            i, j = 0, 1
        names = [f"{LETTERS[k]} {families[k]}" for k in (i, j)]
        x: Any
        y: Any
        if measure == "t":
            x, y = made.models[i].t, made.models[j].anova
            labels = ("|t| of the data", f"{names[1]}, {UNITS['anova']}")
        else:
            x, y = getattr(made.models[i], measure), getattr(made.models[j], measure)
            labels = (f"{names[0]}, {UNITS[measure]}", names[1])
        p = len(made.models[0].feature_names)
        x, y = ([0.0] * p if v is None else v for v in (x, y))
        colours, markers = feature_looks(only, p, self._theme)
        height: Any = y if measure != "t" else made.models[0].t
        self.frame.features.data = {
            "axis": made.spectra.axis,
            "height": height,
            "mean": made.spectra.mean[int(made.spectra.counts.argmax())],
            "across": x,
            "up": y,
            "name": list(made.models[0].feature_names),
            "colour": colours,
            "marker": markers,
        }
        self.scatter.update(*labels, same_units=measure != "t")

    def _draw_images(self, made: Importances, shape: tuple[int, int]) -> None:
        measure = self.state.view.measure
        families = [m.family for m in self.state.models.models]
        values = [getattr(m, measure) for m in made.models]
        if measure == "t":
            values = values[:1]
        self._make_images(len(values))
        most = max((float(abs(v).max()) for v in values if v is not None), default=1.0)
        parts: list[Any] = []
        for i, value in enumerate(values):
            name = "The data" if measure == "t" else f"{LETTERS[i]} {families[i]}"
            if value is not None:
                self.images[i].update(value, shape, most, measure == "weight", name)
                parts.append(self.image_panes[i])
        self.image_words.object = image_words(made, measure, families, shape)
        if len(self.strip) < len(self.image_panes):
            self.strip[:] = list(self.image_panes)
        for pane in self.image_panes:
            _show(pane, pane in parts)
        self._arrange("images", [self.strip, self.image_tile])

    def _restyle(self) -> None:
        theme = self.state.view.theme
        if theme != self._theme:
            self._theme = theme
            picture: Any
            for picture in (self.spectra, self.lane, self.scatter, *self.images):
                picture.restyle(theme)

    # ---- bands

    def brushed(self, event: Any) -> None:
        """Somebody dragged over the spectra."""
        geometry = getattr(event, "geometry", None) or {}
        ends: list[Any] = [geometry.get("x0"), geometry.get("x1")]
        if not getattr(event, "final", True) or not all(_number(e) for e in ends):
            return
        self.show_band((min(ends), max(ends)))

    def _typed(self, event: Any) -> None:
        if self._quiet:
            return
        ends: list[Any] = [self.low.value, self.high.value]
        self._mark((min(ends), max(ends)) if all(_number(e) for e in ends) else None)

    def show_band(self, band: tuple[float, float] | None) -> None:
        """Write a band into the fields and over the pictures."""
        self._quiet = True
        self.low.value, self.high.value = (
            (None, None) if band is None else (float(f"{band[0]:.5g}"), float(f"{band[1]:.5g}"))
        )
        self._quiet = False
        self._mark(band)

    def _mark(self, band: tuple[float, float] | None) -> None:
        if band is not None and band[0] >= band[1]:
            band = None
        self.band = band
        self.spectra.brush.show(band)
        self.lane.brush.show(band)
        self.keep.disabled = self.drop.disabled = band is None

    def use_band(self, keep: bool) -> None:
        """Grow the forests again on this band alone, or without it."""
        if self.band is not None:
            self.session.guarded(self.session.choose_band, keep, *self.band)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _show(part: Any, seen: bool) -> None:
    classes = [c for c in part.css_classes if c != "gone"] + ([] if seen else ["gone"])
    if part.css_classes != classes:
        part.css_classes = classes


def _pane(figure: Any) -> pn.pane.Bokeh:
    return pn.pane.Bokeh(figure, sizing_mode="stretch_both", margin=0)
