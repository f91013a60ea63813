"""The cards of the Importance page for whole bands and for features of tables, with the errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.analysis.band_importance import BandImportance
from explorer.app.export.download import table
from explorer.app.pages import band_text as words
from explorer.app.pages.picture import Picture
from explorer.app.state.visitor import LETTERS
from explorer.app.widgets import ButtonRow, Style
from explorer.app.work.band_work import FEATURES, GROUPS, BandRecords, WholeErrors
from explorer.data import Dataset
from explorer.views.band_lane import POINTS, BandLane
from explorer.views.importance_bars import ImportanceBars
from explorer.views.number_text import channels, unit_in_words
from explorer.views.spectra_figure import AxisFrame


class BandCards:
    """A lane of bands, bars of features, and beside both a card of errors and numbers."""

    def __init__(self, style: Style, frame: AxisFrame, theme: str, present: bool) -> None:
        self.frame = frame
        self.lane = BandLane(frame, theme, present)
        self.bars = ImportanceBars(theme, present)
        self.made: BandRecords | None = None
        self.whole: WholeErrors | None = None
        self._families: Sequence[str] = ()
        self.lane_card = Picture(
            style, "Bands", "band-importance", self.lane.figure, self.csv, lines=0
        )
        self.bars_card = Picture(
            style, "Features", "feature-importance", self.bars.figure, self.csv,
            classes=("tall", "wide"), lines=0,
        )  # fmt: skip
        self.side = Picture(
            style, "Errors", "importance-numbers", csv=self.csv, classes=("tall", "side"), lines=7
        )
        self.by = ButtonRow(
            options={"Features": FEATURES, "Groups": GROUPS},
            value=FEATURES,
            stylesheets=[style.button],
            align="center",
            margin=(0, 8, 0, 0),
            tags=["tip:One feature after the other, or features that correlate together."],
        )

    @property
    def views(self) -> list[Any]:
        return [card.view for card in (self.lane_card, self.bars_card, self.side)]

    def models(self) -> list[tuple[int, BandImportance]]:
        """Place and record of every forest that has one."""
        records = [] if self.made is None else self.made.models
        return [(i, record) for i, record in enumerate(records) if record is not None]

    def draw(self, data: Dataset, families: Sequence[str], theme: str) -> None:
        """Bring lane or bars to what was made."""
        made, models = self.made, self.models()
        if made is None:
            return
        self._families = families
        keys = words.model_keys(families, models, theme, made.sure)
        if made.spectra is not None:
            self.lane.update(made.spectra.axis, models, made.spectra.label)
            self.lane_card.title("Bands", keys=keys)
            height = np.zeros(data.n_features)
            for columns, drop in zip(models[0][1].features, models[0][1].drop, strict=True):
                height[columns] = POINTS * drop
            mean = made.spectra.mean[int(made.spectra.counts.argmax())]
            blank = [0.0] * data.n_features
            self.frame.set_features(
                {
                    "axis": made.spectra.axis,
                    "height": height,
                    "mean": mean,
                    "across": blank,
                    "up": blank,
                    "name": channels(made.spectra.axis),
                    "colour": [""] * data.n_features,
                    "marker": ["circle"] * data.n_features,
                }
            )
            self.lane_card.describe(self.in_words())
        else:
            drawn = self.bars.update(models)
            parts = len(models[0][1].names) if models else 0
            some = f"{drawn} of {parts}" if drawn < parts else ""
            self.bars_card.title("Features", some, keys)
            self.bars_card.describe(self.in_words())

    def tell(
        self, names: Sequence[str], errors: Sequence[float | None], bands: Any, tabular: bool
    ) -> None:
        """The card of errors and numbers."""
        hidden = words.hidden_words(bands)
        whole = () if self.whole is None else self.whole.errors
        models = self.models()
        html = words.error_table(names, errors, whole, hidden)
        html += words.part_table(models, words.FEATURE if tabular else words.BAND)
        self.side.fill(html)
        sure = self.made is not None and self.made.sure
        self.side.say(words.part_words(models, sure, tabular))

    def in_words(self) -> str:
        """The most important part of every forest."""
        sentences = []
        for place, record in self.models():
            best = record.names[int(record.drop.argmax())]
            if self.made is not None and self.made.spectra is not None:
                best = unit_in_words(best)
            drop = POINTS * float(record.drop.max())
            sentences.append(
                f"{LETTERS[place]} {self._families[place]} loses most, {drop:.1f} points, when "
                f"{best} is permuted."
            )
        return " ".join(sentences)

    def csv(self) -> str:
        """One row per band or feature and model."""
        models = self.models()
        if not models:
            return table(None)
        import pandas

        frames = []
        for place, record in models:
            frame = record.to_frame()
            frame.insert(0, "model", f"{LETTERS[place]} {self._families[place]}")
            frames.append(frame)
        return table(pandas.concat(frames))

    def say(self, sentence: str) -> None:
        for card in (self.lane_card, self.bars_card):
            card.say(sentence)

    def fault(self, sentence: str) -> None:
        self.side.fault(sentence)

    def restyle(self, theme: str, present: bool) -> None:
        self.lane.restyle(theme, present)
        self.bars.restyle(theme, present)
