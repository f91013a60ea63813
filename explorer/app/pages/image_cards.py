"""The parts of the page Images: tools over the pictures, four cards and their fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import panel as pn
from bokeh.models import CustomJSTickFormatter

from explorer.app.pages import image_text as words
from explorer.app.pages.picture import Picture, forest_options
from explorer.app.widgets import ButtonRow, Choice, LiveIntSlider, Style, button, in_browser, text
from explorer.data.cube import Cube
from explorer.views.image_figure import ImageFigure
from explorer.views.spectra_figure import SpectraFigure

TOOLS = ["Label", "Erase", "Spectrum"]
SIZES = {"1 pixel": 1, "3 pixels": 3, "7 pixels": 7, "15 pixels": 15}
GREY, COLOURS = "One band", "Three bands"
WINNER = "winner"


class ImageTools:
    """Widgets of the row over the pictures."""

    def __init__(self, style: Style) -> None:
        here: dict[str, Any] = {"align": "center", "margin": (0, 8, 0, 0)}
        self.choose = button(
            style, "Choose files", tags=["tip:An image, or labels; or drop them."], **here
        )
        in_browser(self.choose, "window.fx_choose(false)")
        self.label = ButtonRow(
            options={"class 1": 0, "class 2": 1},
            value=0,
            stylesheets=[style.button],
            tags=["tip:The class that is painted."],
            **here,
        )
        self.tool = ButtonRow(options=TOOLS, value=TOOLS[0], stylesheets=[style.button], **here)
        self.size = Choice(
            options=SIZES,
            value=3,
            width=92,
            tags=["label:Size of the brush"],
            stylesheets=[style.field],
            **here,
        )
        self.undo = button(style, "Undo", disabled=True, **here)
        self.clear = button(style, "Clear", tags=["tip:Remove all labels."], **here)
        self.grow = button(
            style,
            "Grow",
            css_classes=["first"],
            tags=["tip:Grow forests on the labelled pixels, and predict all others."],
            **here,
        )
        self.painting = (self.label, self.tool, self.size, self.undo, self.clear, self.grow)


class ImageCards:
    """The image, the classes, the votes and the spectra, with the fields of each."""

    def __init__(
        self,
        style: Style,
        figures: tuple[ImageFigure, ImageFigure, ImageFigure],
        spectra: SpectraFigure,
        models: Any,
        labels_csv: Callable[[], str],
        map_csv: Callable[[], str],
    ) -> None:
        self._style = style
        self._make_fields(models)
        image, classes, votes = (one.figure for one in figures)
        self.image = Picture(
            style,
            "Image",
            "labelled-pixels",
            image,
            labels_csv,
            lines=3,
            top=(self._line(self.shown, *self.bands),),
            extra=(self._line(self.box),),
        )
        self.classes = Picture(
            style,
            "Classes",
            "class-map",
            classes,
            map_csv,
            lines=3,
            top=(self._line(self.model),),
            extra=(self._line(self.names),),
        )
        self.votes = Picture(
            style,
            "Votes",
            "vote-map",
            votes,
            map_csv,
            lines=3,
            top=(self._line(self.votes_of),),
            extra=(self._line(self.whole),),
        )
        self.spectra = Picture(
            style,
            "Spectra of labelled pixels",
            "pixel-spectra",
            spectra.figure,
            lines=1,
            classes=("wide",),
        )
        self.all = (self.image, self.classes, self.votes, self.spectra)
        self.nothing = text(style, f'<p class="centre">{words.NOTHING}</p>', css_classes=["middle"])
        self.example = button(
            style,
            "Open an example image",
            align="center",
            tags=["tip:Fields, a wood and a lake from above: 60 bands, some pixels labelled."],
        )

    def show_classes(self, sentence: str, legend: str) -> None:
        """What was predicted; legend: HTML of our own, with the colours of the classes."""
        self.classes.describe(sentence)
        if self.classes.words.object != legend:
            self.classes.words.object = legend

    def _make_fields(self, models: Any) -> None:
        style = self._style
        field: dict[str, Any] = {"stylesheets": [style.field], "margin": (0, 8, 0, 0)}
        slide: dict[str, Any] = {"stylesheets": [style.slider], "sizing_mode": "stretch_width"}
        slide |= {"start": 0, "end": 1, "value": 0, "margin": (0, 8, 0, 0)}
        self.shown = Choice(
            options=[GREY, COLOURS], value=GREY, width=110, tags=["label:Picture"], **field
        )
        self.bands = [
            LiveIntSlider(label=label, tags=[f"label:{name}"], **slide)
            for label, name in (("Band", "Band"), ("R", "Red"), ("G", "Green"), ("B", "Blue"))
        ]
        self.names = pn.widgets.TextInput(
            value="",
            placeholder="soil, leaf, water",
            tags=["label:Class names", "tip:Names of the classes, with commas between."],
            sizing_mode="stretch_width",
            **field,
        )
        self.box = pn.widgets.TextInput(
            value="",
            placeholder="Label lines, samples: 10-20, 5-15",
            tags=["label:Label a box", "tip:Lines and samples to label, counted from 1; Enter."],
            sizing_mode="stretch_width",
            **field,
        )
        self.model = ButtonRow(
            options=forest_options(models, only_forests=True),
            stylesheets=[style.button],
            align="center",
            margin=(0, 8, 0, 0),
            tags=["tip:The forest that predicts."],
        )
        self.votes_of = Choice(
            options={"for the winner": WINNER},
            value=WINNER,
            width=170,
            tags=["label:Votes", "tip:Whose share of votes is shown."],
            **field,
        )
        self.whole = button(
            style,
            "Whole image",
            tags=["tip:The mouse wheel zooms; this shows all of it again."],
            margin=(0, 8, 0, 0),
        )

    def _line(self, *widgets: Any) -> pn.Row:
        return pn.Row(
            *widgets,
            css_classes=["bands"],
            stylesheets=[self._style.panes],
            margin=(2, 0),
            height=42,
            sizing_mode="stretch_width",
        )


def positions_shown(cube: Cube, short: bool) -> CustomJSTickFormatter:
    """Shows where a band lies instead of its number; short: three stand side by side."""
    unit = "" if cube.axis is None or short else f" {cube.axis.unit}"
    places = np.arange(1.0, cube.bands + 1) if cube.axis is None else cube.axis.values
    texts = [f"{value:.{3 if short else 5}g}{unit}" for value in places]
    if short and places.max() >= 1000:
        texts = [f"{value:.0f}" for value in places]
    return CustomJSTickFormatter(args={"words": texts}, code="return words[tick]")
