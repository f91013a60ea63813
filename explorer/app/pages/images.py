"""The page Images: a picture with a spectrum in every pixel, labelled pixels, classes and votes.

Files dropped while it is open are an image, or labels for it. Labelled pixels become the data of
all pages; the class of every other pixel is predicted by a forest of the comparison.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.events import Pan, PanEnd, PanStart, Tap

from explorer.analysis.image_maps import band_picture, colour_picture
from explorer.app.export.download import table
from explorer.app.pages import image_text as words
from explorer.app.pages.board import Board, Look, Rows, set_class
from explorer.app.pages.image_cards import (
    COLOURS,
    SIZES,
    WINNER,
    ImageCards,
    ImageTools,
    positions_shown,
)
from explorer.app.pages.importance_text import class_keys
from explorer.app.pages.picture import forest_options
from explorer.app.session.events import FilesArrived
from explorer.app.session.session import Session
from explorer.app.state.baselines import NO_FORESTS, forests_of
from explorer.app.state.bundle import Bundle
from explorer.app.state.pixel_labels import PixelLabels
from explorer.app.state.uploads import ImageChoices, Upload
from explorer.app.state.visitor import OWN
from explorer.app.widgets import css, plain
from explorer.app.work.folder_work import FilesRead
from explorer.app.work.grow_work import Forests
from explorer.app.work.image_work import (
    ImageFound,
    ImageMapped,
    mapping,
    reading_image,
    suits,
)
from explorer.app.work.insight_work import ForestQuestion, ProgressText
from explorer.app.work.requests import load_source
from explorer.data.cube import Cube, regions
from explorer.data.scene import MATERIALS, example_scene
from explorer.sentences import sentence_of
from explorer.views.image_figure import ImageFigure, ImageFrame
from explorer.views.spectra_figure import AxisFrame, SpectraFigure

MOST_LABELLED = 20_000  # pixels a forest is grown on


class ImagesPage(Board):
    """The image to paint on, the map of classes, the map of votes, spectra of labelled pixels."""

    name = "Images"
    works = ("image", "image files")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.cube: Cube | None = None
        self.file = ""
        self.labels = PixelLabels(1, 1)
        self.upload: Upload | None = None
        self.mapped: ImageMapped | None = None
        self.grouped = False
        self._painting = False
        frame = ImageFrame()
        theme, present, _ = self.look
        self.frame = frame
        self.image, self.classes, self.votes = (
            ImageFigure(frame, theme, present) for _ in range(3)
        )
        self.spectra = SpectraFigure(AxisFrame(), theme, present)
        self.spectra.figure.xaxis.visible = True
        self.spectra.figure.toolbar.update(tools=[], active_drag=None)  # nothing is brushed here
        self._make_parts()
        self._listen()
        session.viewport.measured(self.name, None)  # no maps here: keep their size
        session.subscribe(FilesArrived, self._files)
        self.start()

    # ---- parts

    def _make_parts(self) -> None:
        style = self.session.style
        self.tools = tools = ImageTools(style)
        self.cards = cards = ImageCards(
            style,
            (self.image, self.classes, self.votes),
            self.spectra,
            self.state.models.models,
            lambda: self.labels.csv(),
            lambda: table(None if self.mapped is None else self.mapped.classes),
        )
        tools.undo.on_click(lambda event: self._labels_do(self.labels.undo))
        tools.clear.on_click(lambda event: self._labels_do(self.labels.clear))
        tools.grow.on_click(lambda event: self.use_labels())
        cards.example.on_click(lambda event: self.open_example())
        cards.whole.on_click(lambda event: self._look_at_all())
        for widget in (cards.shown, *cards.bands):
            widget.param.watch(lambda event: self._redraw_image(), "value")
        cards.names.param.watch(lambda event: self._rename(event.new), "value")
        cards.box.param.watch(lambda event: self._box(event.new), "value")
        cards.model.param.watch(lambda event: self._again(), "value")
        cards.votes_of.param.watch(lambda event: self._draw_votes(), "value")
        self.row = self.controls(tools.choose, *tools.painting)
        self.view = self.board(*(card.view for card in cards.all), cards.nothing, cards.example)
        self.view.stylesheets = [style.panes, css("insight")]
        self._arrange()

    def _listen(self) -> None:
        figure = self.image.figure
        figure.on_event(Tap, lambda event: self._touched(event, True, True))
        figure.on_event(PanStart, lambda event: self._touched(event, True, False))
        figure.on_event(Pan, lambda event: self._touched(event, False, False))
        figure.on_event(PanEnd, lambda event: self._touched(event, False, True))

    def _arrange(self) -> None:
        there = self.cube is not None
        for card in self.cards.all:
            set_class(card.view, "hidden", not there)
        for part in (self.cards.nothing, self.cards.example):
            set_class(part, "hidden", there)
        for tool in self.tools.painting:
            tool.visible = there
        set_class(self.view, "empty", not there)
        set_class(self.view, "cube", there)

    # ---- files come

    def _files(self, event: FilesArrived) -> None:
        if self.seen:
            self.arrived(event.name, event.bundle)

    def arrived(self, name: str, bundle: Bundle) -> None:
        """An image, its labels, or both."""
        self.say_progress(f"Reading {name[:40]}")
        known, owner = self.cube, self.session.worker.key
        files = [n.rsplit("/", 1)[-1] for n in bundle.files]
        self.ask(
            "image files",
            lambda cancel: reading_image(owner, bundle, name, known, cancel),
            lambda value: self._read(value, files),
        )

    def _read(self, value: Any, files: list[str]) -> None:
        if isinstance(value, FilesRead):
            if value.of:
                self.say_progress(f"{value.done} of {value.of} files read")
            return
        if not isinstance(value, ImageFound):
            return
        self.say_progress("")
        if value.cube is not None:
            header = next((f for f in files if f.lower().endswith(".hdr")), files[0])
            self.open(value.cube, header)
        if value.labels is not None:
            self.take_labels(value.labels, value.names)

    def open_example(self) -> None:
        """A generated image with some labelled pixels."""
        cube, labels, _ = example_scene()
        self.open(cube, "")
        self.take_labels(labels, MATERIALS)

    def open(self, cube: Cube, file: str) -> None:
        """Show another image, without labels."""
        self.cube, self.file = cube, file
        self.labels = PixelLabels(cube.lines, cube.samples)
        self.upload = self.mapped = None
        self.frame.lines, self.frame.samples = cube.lines, cube.samples
        self._quiet = True
        for k, widget in enumerate(self.cards.bands):
            # first: a slider writes its value when that changes
            widget.format = positions_shown(cube, k > 0)
            widget.param.update(end=max(1, cube.bands - 1), value=cube.bands // 2)
        for widget, share in zip(self.cards.bands[1:], (0.75, 0.45, 0.2), strict=True):
            widget.value = int(share * (cube.bands - 1))
        self._quiet = False
        for figure in (self.image, self.classes, self.votes):
            figure.clear()
        self._look_at_all()
        self._arrange()
        self._redraw_image()
        self._labels_changed()
        self.cards.classes.say(words.PAINT_FIRST)
        self.cards.votes.say("")

    def take_labels(self, labels: Any, names: tuple[str, ...]) -> None:
        """Labels that came with files, or with the example."""
        try:
            self.labels.replace(labels, names)
        except ValueError as error:
            self.session.note(sentence_of(error))
            return
        self._labels_changed()
        self.use_labels()

    # ---- the picture

    def _look_at_all(self) -> None:
        for figure in (self.image, self.classes, self.votes):
            figure.look_at_all()

    def _redraw_image(self) -> None:
        cube = self.cube
        if cube is None or self._quiet:
            return
        colours = self.cards.shown.value == COLOURS
        for widget, seen in zip(self.cards.bands, (not colours, *(colours,) * 3), strict=True):
            widget.visible = seen
        places = np.arange(1.0, cube.bands + 1) if cube.axis is None else cube.axis.values
        at = [
            float(places[min(max(int(w.value or 0), 0), cube.bands - 1)]) for w in self.cards.bands
        ]
        picture: Any = colour_picture(cube, *at[1:]) if colours else band_picture(cube, at[0])
        self.image.show(picture)

    # ---- labels

    def _touched(self, event: Any, begins: bool, ends: bool) -> None:
        x, y = getattr(event, "x", None), getattr(event, "y", None)
        if self.cube is None or not all(isinstance(v, (int, float)) for v in (x, y)):
            return
        pixel = self.frame.pixel(float(x), float(y))  # type: ignore[arg-type]
        if self.tools.tool.value == "Spectrum":
            if pixel is not None:
                self.show_spectrum(*pixel)
            return
        if begins:
            self.labels.begin()
        if pixel is not None:
            label = -1 if self.tools.tool.value == "Erase" else self.tools.label.value
            size = self.tools.size.value if self.tools.size.value in SIZES.values() else 3
            self.session.guarded(self.labels.touch, *pixel, size, label)
            self.image.mark(self.labels.codes)
        if ends:
            self._labels_changed()
            if self._in_use():
                self.use_labels()

    def _labels_do(self, act: Any, *args: Any) -> None:
        self.session.guarded(act, *args)
        self._labels_changed()
        if self._in_use():
            self.use_labels()

    def _rename(self, names: str) -> None:
        if not self._quiet and names.strip():
            self._labels_do(self.labels.rename, names)

    def _box(self, where: str) -> None:
        if self.cube is None or not where.strip():
            return
        label = -1 if self.tools.tool.value == "Erase" else self.tools.label.value
        self._labels_do(self.labels.box, where, label)
        self.cards.box.value = ""

    def _labels_changed(self) -> None:
        labels = self.labels
        options = {name: k for k, name in enumerate(labels.names)}
        if self.tools.label.options != options:
            now = self.tools.label.value if self.tools.label.value in options.values() else 0
            self.tools.label.param.update(options=options, value=now)
        self._quiet = True
        self.cards.names.value = ", ".join(labels.names)
        self._quiet = False
        self.tools.undo.disabled = not labels.before
        self.tools.grow.disabled = sum(n > 0 for n in labels.counts) < 2
        self.image.mark(labels.codes)
        self.grouped = self._two_patches_each()
        self.cards.image.say(words.labelled(labels, self.grouped))
        self.cards.image.title("Image", "" if self.cube is None else words.about(self.cube))

    def _two_patches_each(self) -> bool:
        """Whether every class that is labelled has patches that touch nowhere."""
        codes = self.labels.codes
        patches = regions(codes)
        counts = [np.unique(patches[codes == k]).size for k in range(len(self.labels.names))]
        return all(n >= 2 for n in counts if n)

    def _in_use(self) -> bool:
        """Whether the labelled pixels are the data of all pages."""
        data = self.state.data
        return self.upload is not None and data.source == OWN and data.upload is self.upload

    def use_labels(self) -> None:
        """Grow forests on the labelled pixels; they are the data of all pages from now on."""
        cube, codes = self.cube, self.labels.codes.astype(np.intp)
        if cube is None:
            return
        groups = regions(codes) if self.grouped else None
        try:
            data = cube.labelled(codes, self.labels.names, groups, MOST_LABELLED)
        except ValueError as error:
            self.cards.classes.say(sentence_of(error))
            return
        again = self._in_use()
        choices = ImageChoices(self.file, self.grouped, MOST_LABELLED)
        self.upload = Upload.of(cube.name, data, image=choices)
        if again:
            self.session.data.renew_own(self.upload)
        else:
            self.session.data.use_own(self.upload)

    # ---- predicting

    def follow(self, maps: Forests) -> None:
        options = forest_options(self.state.models.models, only_forests=True)
        if self.cards.model.options != options:
            now = self.cards.model.value
            value = now if now in options.values() else next(iter(options.values()), None)
            self.cards.model.param.update(options=options, value=value)
        cube = self.cube
        if cube is None:
            return
        cache, recipe = self.session.cache, maps.request.data
        if not self._in_use() and not suits(load_source(recipe.plain(), cache).data, cube):
            self.cards.classes.say(words.PAINT_FIRST)
            return
        specs = forests_of(maps.request.specs)
        if not specs:
            self.fault(NO_FORESTS)
            return
        places = [i for i, m in enumerate(self.state.models.models) if m.has_trees]
        chosen = places.index(self.cards.model.value) if self.cards.model.value in places else 0
        question = ForestQuestion(maps.source, specs)
        owner = self.session.worker.key
        self.ask(
            "image",
            lambda cancel: mapping(owner, cube, recipe, question, chosen, cache, cancel),
            self._take,
        )

    def _again(self) -> None:
        if self.maps is not None and self.seen:
            self.follow(self.maps)

    def _take(self, value: Any) -> None:
        if isinstance(value, ProgressText):
            self.say_progress(value.words)
        elif isinstance(value, ImageMapped):
            self.say_progress("")
            self.mapped = value
            self.session.aside(self.draw)

    def draw(self) -> None:
        """The map of classes and of votes, and the spectra."""
        mapped = self.mapped
        if mapped is None or self.cube is None:
            return
        found = mapped.classes
        names = self.labels.names if set(found.class_names) <= set(self.labels.names) else None
        listed = names or found.class_names
        places = [listed.index(name) for name in found.class_names]
        self.classes.show_classes(found, places, len(listed), self.look[2])
        forest = mapped.fitted.forest
        error = float(forest.oob_error[-1]) if forest.has_oob else None
        self.cards.show_classes(words.predicted(found, error), words.legend(found, places, error))
        options = {"for the winner": WINNER, **{f"for {n}": n for n in found.class_names}}
        if self.cards.votes_of.options != options:
            self.cards.votes_of.param.update(options=options, value=WINNER)
        self._draw_votes()
        if mapped.spectra is not None:
            self.spectra.update(mapped.spectra)
            self.cards.spectra.title(
                "Spectra of labelled pixels", keys=class_keys(mapped.spectra, self.look[0], "")
            )
            label = mapped.spectra.label
            self.cards.spectra.say(f"{label[:1].upper()}{label[1:]}. {words.ANY_PIXEL}")

    def _draw_votes(self) -> None:
        if self.mapped is None:
            return
        found, name = self.mapped.classes, self.cards.votes_of.value
        one = name in found.class_names
        share = found.votes[:, :, found.class_names.index(name)] if one else found.share
        self.votes.show_amounts(share)
        self.cards.votes.say(words.voted(found, name if one else None))

    def show_spectrum(self, line: int, sample: int) -> None:
        """Mark a pixel and draw its spectrum over those of the labelled ones."""
        cube, mapped = self.cube, self.mapped
        if cube is None:
            return
        for figure in (self.image, self.classes, self.votes):
            figure.point_at(line, sample)
        if mapped is None or mapped.spectra is None:
            self.cards.spectra.say("Grow first: spectra are shown as the forest sees them.")
            return
        raw = cube.spectra([line * cube.samples + sample])
        code = int(mapped.classes.codes[line, sample])
        if code < 0:
            self.cards.spectra.say(f"Nothing was measured at line {line + 1}, sample {sample + 1}.")
            return
        self.spectra.pick(mapped.fitted.chain.map(raw), [code])
        votes = mapped.classes.votes[line, sample]
        told = ", ".join(
            f"{name} {100 * v:.0f} %"
            for name, v in zip(mapped.classes.class_names, votes, strict=True)
        )
        self.cards.spectra.say(f"Line {line + 1}, sample {sample + 1}: votes {told}.")

    # ---- files, faults, looks

    def fault(self, sentence: str) -> None:
        self.say_progress("")
        if self.cube is None:
            self.cards.nothing.object = f'<p class="centre">{plain(sentence)}</p>'
        else:
            self.cards.classes.fault(sentence)

    def light_up(self, rows: Rows) -> None:
        """Selected samples have no mark here."""

    def restyle(self, look: Look) -> None:
        for figure in (self.image, self.classes, self.votes):
            figure.restyle(*look[:2])
        self.spectra.restyle(*look[:2])
        self.draw()
