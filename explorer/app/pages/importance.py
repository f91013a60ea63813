"""The Importance page: what each forest finds important, and what its error is.

Spectra are shown along their axis with the importance of channels or of whole bands under them
(after Menze Fig. 7), and bands can be hidden; tables as sorted bars with intervals (after Sazonau
Fig. 4); images as images. Built when its tab is first opened.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn

from explorer.app.export.insight_tables import importance_csv, spectra_csv
from explorer.app.pages import importance_text as words
from explorer.app.pages.band_brush import BandBrush
from explorer.app.pages.band_cards import BandCards
from explorer.app.pages.band_text import error_table, hidden_words
from explorer.app.pages.board import Look, LookingBoard, Rows, set_class
from explorer.app.pages.picture import Picture
from explorer.app.session.session import Session
from explorer.app.state.baselines import NO_FORESTS, forests_of
from explorer.app.state.visitor import LETTERS, MEASURES
from explorer.app.widgets import css, text
from explorer.app.work.band_work import (
    FEATURES,
    GROUPS,
    BandRecords,
    Bands,
    WholeErrors,
    band_records,
    whole_errors,
)
from explorer.app.work.grow_work import Forests
from explorer.app.work.insight_work import ForestQuestion, Importances, importances
from explorer.data import Dataset
from explorer.views.importance_image import ImportanceImage
from explorer.views.importance_lane import ImportanceLane, Trace
from explorer.views.importance_scatter import ImportanceScatter, feature_looks
from explorer.views.number_text import axis_decimals, channels
from explorer.views.spectra_figure import LAYERS, AxisFrame, SpectraFigure

WAITING = "Growing the forests, then looking into them."


class ImportancePage(LookingBoard):
    """Pictures that follow the session's forests while they are seen."""

    name = "Importance"
    works = ("importance", "whole")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        look = self.look[:2]
        self.frame = AxisFrame()
        self.spectra = SpectraFigure(self.frame, *look)
        self.lane = ImportanceLane(self.frame, *look)
        self.scatter = ImportanceScatter(self.frame, *look)
        self.images: list[ImportanceImage] = []
        self.image_cards: list[Picture] = []
        self.made: Importances | BandRecords | None = None
        self.bands = BandCards(session.style, self.frame, *look)
        self.brush = BandBrush(
            session, self.frame, (self.spectra, self.lane, self.bands.lane), self._brushed
        )
        self._make_row()
        self._make_view()
        session.viewport.measured(self.name, None)  # no maps here: keep their size
        self.start()

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
        self.session.settings.bind("spectra", self.layers)
        self.spectra.show_layers(self.layers.value)
        self.layers.param.watch(lambda event: self._show_layers(), "value")
        self.flip = pn.widgets.Toggle(
            label="Flip",
            value=self.state.view.flipped,
            stylesheets=[style.button],
            tags=["flip", "tip:Reverse the axis. Key X."],
            **here,
        )
        self.flip.param.watch(self._flip, "value")
        self.measure = pn.widgets.Select(
            options={label: name for name, label in MEASURES.items()},
            value=self.state.view.measure,
            width=126,
            stylesheets=[style.field],
            tags=[
                "label:Importance measure",
                "tip:How important a feature is; each measure answers another question.",
            ],
            **here,
        )
        self.measure.param.watch(self._choose_measure, "value")
        self.bandwise = (self.layers, self.flip, *self.brush.widgets)
        self.session.settings.bind("features", self.bands.by)
        self.bands.by.param.watch(lambda event: self._again(), "value")
        self.row = self.controls(
            self.layers,
            self.flip,
            self.measure,
            self.bands.by,
            *self.brush.widgets,
            self.brush.undo,
        )

    def _make_view(self) -> None:
        style = self.session.style
        self.spectra_card = Picture(
            style,
            "Spectra",
            "spectra",
            self.spectra.figure,
            lambda: spectra_csv(self.made),
            lines=0,
        )
        self.lane_card = Picture(
            style,
            "Importance",
            "importance",
            self.lane.figure,
            self._importance_csv,
            lines=0,
        )
        self.errors = text(style, sizing_mode="stretch_width")
        self.scatter_card = Picture(
            style,
            "Importance, A against B",
            "importance-pairs",
            self.scatter.figure,
            self._importance_csv,
            classes=("tall",),
            top=(self.errors,),
            lines=11,
        )
        self.along = [c.view for c in (self.spectra_card, self.lane_card, self.scatter_card)]
        self._make_images(len(self.state.models.models))
        self.image_words = text(style, sizing_mode="stretch_width", css_classes=["foot", "all"])
        self.view = self.board(*self._parts())
        self.view.stylesheets = [style.panes, css("insight")]
        for card in (self.spectra_card, self.lane_card, self.scatter_card):
            card.say(WAITING)
        self.bands.say(WAITING)
        if self.session.maps.has_axis():
            self._arrange("spectra", self.along)
        else:
            self._arrange("bars", [self.bands.bars_card.view, self.bands.side.view])

    def _parts(self) -> list[Any]:
        images = [card.view for card in self.image_cards]
        bands = [
            card.view for card in (self.bands.lane_card, self.bands.bars_card, self.bands.side)
        ]
        return [*self.along, *bands, *images, self.image_words]

    def _make_images(self, n: int) -> None:
        while len(self.images) < n:
            letter = LETTERS[len(self.images)]
            self.images.append(ImportanceImage(*self.look[:2]))
            self.image_cards.append(
                Picture(
                    self.session.style,
                    letter,
                    f"importance-{letter}",
                    self.images[-1].figure,
                    self._importance_csv,
                    lines=0,
                    label=f"importance of forest {letter}",
                )
            )

    def _importance_csv(self) -> str:
        made = self.made if isinstance(self.made, Importances) else None
        return importance_csv(made, self.families())

    def _arrange(self, kind: str, parts: list[Any]) -> None:
        """Show some of the parts; kind: "spectra", "bars" or "images"."""
        if list(self.view) != self._parts():
            self.view[:] = self._parts()
        for part in self.view:
            set_class(part, "hidden", part not in parts)
        for name in ("spectra", "images", "bars"):
            set_class(self.view, name, name == kind)
        for widget in self.bandwise:
            widget.visible = kind == "spectra"
        self.measure.visible = kind != "bars"
        self.bands.by.visible = kind == "bars"
        self.brush.undo.visible = bool(self.state.data.bands) or kind == "spectra"

    # ---- what is asked and what comes

    def follow(self, maps: Forests) -> None:
        """New forests: ask for their importance."""
        data, view = maps.source.data, self.state.view
        self.brush.undo.disabled = not self.state.data.bands
        self._follow_controls()
        specs = forests_of(maps.request.specs)
        if not specs:
            self.fault(NO_FORESTS)
            return
        question = ForestQuestion(maps.source, specs, view.measure == "permutation")
        self._ask_for_whole(maps, question)
        whole = self._by_bands(data)
        asked: Any = (maps.source, question.specs, whole or question.permute)
        if asked == self._asked:
            self.draw_aside()
            return
        self._asked = asked
        cache = self.session.cache
        if whole is not None:
            self.ask(
                "importance",
                lambda cancel: band_records(question, whole, cache, cancel),
                self.take,
            )
        else:
            self.ask("importance", lambda cancel: importances(question, cache, cancel), self.take)

    def _by_bands(self, data: Dataset) -> Bands | None:
        """Which whole bands or features are permuted; None where channels are asked for."""
        if data.axis is None and data.image_shape is None:
            by = self.bands.by.value
            return Bands(by=by if by in (FEATURES, GROUPS) else FEATURES)
        if data.axis is not None and self.state.view.measure == "bands":
            return Bands(self.brush.band)
        return None

    def _ask_for_whole(self, maps: Forests, question: ForestQuestion) -> None:
        """What the errors were before bands were hidden."""
        recipe = maps.request.data
        self.bands.whole = None
        if not recipe.bands:
            return
        cache = self.session.cache

        def take(value: Any) -> None:
            if isinstance(value, WholeErrors) and self.maps is maps:
                self.bands.whole = value
                self._tell_errors()

        self.ask(
            "whole",
            lambda cancel: whole_errors(recipe, question, cache, cancel),
            take,
            lambda sentence: None,
        )

    def take(self, value: Any) -> None:
        if isinstance(value, BandRecords) and not value.sure:
            self.made = value
            self.draw_aside()
            return
        super().take(value)

    def _brushed(self) -> None:
        """Another band is chosen: it is judged as a whole, where bands are."""
        if self.state.view.measure == "bands":
            self._again()

    def _again(self) -> None:
        if self.maps is not None and self.seen:
            self.follow(self.maps)

    def _follow_controls(self) -> None:
        view = self.state.view
        self._quiet = True
        if self.measure.value != view.measure:
            self.measure.value = view.measure
        if self.flip.value != view.flipped:
            self.flip.value = view.flipped
        self._quiet = False

    def fault(self, sentence: str) -> None:
        self.say_progress("")
        self._asked = None
        self.scatter_card.fault(sentence)
        self.bands.fault(sentence)
        if self.made is None:
            for card in (self.spectra_card, self.lane_card):
                card.fault(sentence)

    def _choose_measure(self, event: Any) -> None:
        if self._quiet:
            return

        def act() -> None:
            self.state.view.param.update(measure=event.new)

        self.session.guarded(act)
        if self.maps is not None:
            self.follow(self.maps)
        self.session.commit()

    def _flip(self, event: Any) -> None:
        if self._quiet:
            return
        self.state.view.flipped = bool(event.new)
        self.spectra.flip(self.state.view.flipped)
        self.draw()
        self.session.commit()

    # ---- drawing

    def draw(self) -> None:
        """Bring every picture to what was made, in the measure that is chosen."""
        made, maps = self.made, self.maps
        if made is None or maps is None or len(made.models) != len(self.families()):
            return
        data = maps.source.data
        whole = self._by_bands(data)
        if isinstance(made, BandRecords) != (whole is not None):
            return  # of another measure: its own is on the way
        if isinstance(made, BandRecords):
            self._draw_bands(made, data)
            return
        if made.models[0].feature_names != data.feature_names:
            return
        if data.axis is None or made.spectra is None:
            if data.image_shape is not None:
                self._draw_images(made, data.image_shape)
            return
        self._arrange("spectra", self.along)
        self._draw_spectra(made)
        self._tell_errors()
        measure, theme, families = self.state.view.measure, self.look[0], self.families()
        if measure == "t":
            traces = [Trace(-1, made.models[0].t)]
        else:
            values = [getattr(m, measure) for m in made.models]
            traces = [Trace(i, v) for i, v in enumerate(values) if v is not None]
        only = None if made.slanted is None else made.models[made.slanted].only_oblique
        spectra = made.spectra
        self.lane.update(
            spectra.axis,
            spectra.breaks,
            traces,
            words.UNITS[measure],
            spectra.label,
            only,
            data.informative,
        )
        keys = words.model_keys(families, traces, only, data, theme)
        self.lane_card.title("Importance", keys=keys)
        self._draw_scatter(made, measure, only)
        found = words.summary(made, measure, families, channels(spectra.axis), data.axis.unit)
        about = f"{words.meaning(made, measure)} {words.class_line(data)}."
        self.scatter_card.say(f"{found} {about}")
        self.lane_card.say("")
        self.lane_card.describe(found)

    def _draw_bands(self, made: BandRecords, data: Dataset) -> None:
        """Whole bands under the spectra, or the bars of a table."""
        records = [record for record in made.models if record is not None]
        if not records:
            self.fault("No forest here has out-of-bag samples to permute; use a bootstrap.")
            return
        if sum(f.size for f in records[0].features) < data.n_features:
            return  # of other data
        if (made.spectra is None) != (data.axis is None):
            return
        cards = self.bands
        cards.made = made
        if made.spectra is not None:
            parts = [self.spectra_card, cards.lane_card, cards.side]
            self._arrange("spectra", [card.view for card in parts])
            self._draw_spectra(made)
        else:
            self._arrange("bars", [cards.bars_card.view, cards.side.view])
        cards.say("")
        cards.draw(data, self.families(), self.look[0])
        self._tell_errors()

    def _tell_errors(self) -> None:
        """The errors beside the picture: now, and before bands were hidden."""
        maps = self.maps
        if maps is None:
            return
        pairs = zip(self.state.models.models, maps.oob_errors(), strict=False)
        errors = [error for m, error in pairs if m.has_trees]
        bands, names = self.state.data.bands, self.names()
        self.bands.tell(names, errors, bands, maps.source.data.axis is None)
        whole = () if self.bands.whole is None else self.bands.whole.errors
        self.errors.object = error_table(names, errors, whole, hidden_words(bands))

    def _draw_spectra(self, made: Importances | BandRecords) -> None:
        spectra = made.spectra
        assert spectra is not None
        if spectra is not self.spectra.record:
            before = self.spectra.record
            self.spectra.flipped = self.state.view.flipped
            self.spectra.update(spectra)
            self.brush.decimals = axis_decimals(spectra.axis)
            if before is None or not np.array_equal(before.axis, spectra.axis):
                self.brush.show(None)
        elif self.spectra.flipped != self.state.view.flipped:
            self.spectra.flip(self.state.view.flipped)
        self.spectra_card.say("")
        self.light_up(self.session.selected.rows)

    def _show_layers(self) -> None:
        self.spectra.show_layers(self.layers.value)
        self.light_up(self.session.selected.rows)

    def light_up(self, rows: Rows) -> None:
        record, maps = self.spectra.record, self.maps
        if record is None or maps is None or maps.source.data.n_features != record.axis.size:
            return
        data = maps.source.data
        drawn = self.spectra.pick(data.X[rows], data.y[rows])
        chosen = f"{drawn} of {rows.size} selected" if drawn < rows.size else f"{drawn} selected"
        keys = words.class_keys(record, self.look[0], chosen if drawn else "", self.layers.value)
        self.spectra_card.title("Spectra", keys=keys)
        self.spectra_card.describe(words.of_spectra(record, int(rows.size)))

    def _draw_scatter(self, made: Importances, measure: str, only: Any) -> None:
        assert made.spectra is not None
        n = len(made.models)
        i = made.straight if made.straight is not None else 0
        j = made.slanted if made.slanted is not None else min(1, n - 1)
        if i == j and n > 1:
            i, j = 0, 1
        names = [self.names()[k] for k in (i, j)]
        x: Any
        y: Any
        if measure == "t":
            x, y = made.models[i].t, made.models[j].anova
            labels = ("|t| of the data", f"{names[1]}, {words.UNITS['anova']}")
        else:
            x, y = getattr(made.models[i], measure), getattr(made.models[j], measure)
            labels = (f"{names[0]}, {words.UNITS[measure]}", names[1])
        p = len(made.models[0].feature_names)
        x, y = ([0.0] * p if v is None else v for v in (x, y))
        colours, markers = feature_looks(only, p, self.look[0])
        height: Any = y if measure != "t" else made.models[0].t
        self.frame.set_features(
            {
                "axis": made.spectra.axis,
                "height": height,
                "mean": made.spectra.mean[int(made.spectra.counts.argmax())],
                "across": x,
                "up": y,
                "name": channels(made.spectra.axis),
                "colour": colours,
                "marker": markers,
            }
        )
        self.scatter.update(*labels, same_units=measure != "t")
        self.scatter_card.title("Importance, A against B" if n > 1 else "Importance of A")

    def _draw_images(self, made: Importances, shape: tuple[int, int]) -> None:
        measure = self.state.view.measure
        if measure == "bands":  # of spectra: images have no bands
            measure = "anova"
        values = [getattr(m, measure) for m in made.models]
        if measure == "t":
            values = values[:1]
        self._make_images(len(values))
        most = max((float(abs(v).max()) for v in values if v is not None), default=1.0)
        found = words.image_words(made, measure, self.families(), shape)
        parts: list[Any] = []
        for i, value in enumerate(values):
            if value is not None:
                card = self.image_cards[i]
                self.images[i].update(value, shape, most, measure == "weight")
                card.title("The data" if measure == "t" else self.names()[i])
                card.describe(found)
                parts.append(card.view)
        for k in (1, 2):
            set_class(self.view, f"of{k}", len(parts) == k)
        set_class(self.view, "two", len(parts) > 3)
        self.image_words.object = f'<p class="note">{words.plain(found)}</p>'
        self._arrange("images", [*parts, self.image_words])

    def restyle(self, look: Look) -> None:
        picture: Any
        for picture in (self.spectra, self.lane, self.scatter, self.bands, *self.images):
            picture.restyle(*look[:2])
