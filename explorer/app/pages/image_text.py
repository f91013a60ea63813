"""The words of the page Images: what is labelled, what was predicted, what to do next."""

from __future__ import annotations

from explorer.analysis.image_maps import ClassMap
from explorer.app.state.pixel_labels import PixelLabels
from explorer.app.widgets import plain
from explorer.data.cube import Cube
from explorer.views.theme import class_colour

NOTHING = (
    "An image with a spectrum in every pixel goes here: drop an ENVI image (both files), a Raman "
    "map (.wdf) or an imzML on the page, with labelled pixels if you have some. Then paint pixels "
    "of each class, grow, and see the class of every pixel."
)
PAINT_FIRST = (
    "Paint pixels of two classes, or drop labels (a table with line, sample and class; an .npy "
    "array; an ENVI classification). Then press Grow."
)
ANY_PIXEL = "The tool Spectrum adds that of any pixel, prepared in the same way."
_ERROR = "Out-of-bag error: {:.1f} %."


def about(cube: Cube) -> str:
    """Size of an image."""
    return f"{cube.lines} x {cube.samples} pixels, {cube.bands} bands"


def labelled(labels: PixelLabels, regions: bool) -> str:
    """How many pixels have a label, and whether errors on them are honest."""
    counts = labels.counts
    named = [f"{n} {name}" for n, name in zip(counts, labels.names, strict=True) if n]
    if not named:
        return "No labelled pixels yet."
    told = f"Labelled: {', '.join(named)}."
    if len(named) < 2:
        return f"{told} Paint pixels of a second class."
    if not regions:
        return f"{told} Two separate patches of each class would make the error honest."
    return f"{told} Patches stay together in bags."


def legend(found: ClassMap, places: list[int], error: float | None) -> str:
    """HTML: every class with its colour and its share of the image, and the error."""
    counts = found.counts
    total = sum(counts.values()) or 1
    squares = (
        f'<span><svg width="12" height="12"><rect width="12" height="12" rx="2" '
        f'fill="{class_colour(k).base}"/></svg>{plain(name[:28])} {100 * n / total:.0f} %</span>'
        for k, (name, n) in zip(places, counts.items(), strict=True)
    )
    told = "" if error is None else f" {_ERROR.format(100 * error)}"
    return f'<p class="note"><span class="keys wraps">{"".join(squares)}</span>{told}</p>'


def predicted(found: ClassMap, error: float | None) -> str:
    """The shares of the classes, and the error on labelled pixels."""
    counts = found.counts
    total = sum(counts.values()) or 1
    shares = ", ".join(f"{name} {100 * n / total:.0f} %" for name, n in counts.items())
    return f"{shares}.{'' if error is None else ' ' + _ERROR.format(100 * error)}"


def voted(found: ClassMap, name: str | None) -> str:
    """What the picture of votes shows."""
    if name is None:
        unsure = float((found.share[found.codes >= 0] < 0.6).mean()) if found.codes.size else 0.0
        return (
            "Faint: the trees disagree. The winner has under 60 % of votes in "
            f"{100 * unsure:.1f} % of pixels."
        )
    return f"Share of votes for {name}: faint is none, strong is all."
