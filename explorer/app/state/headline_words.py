"""What is looked at, in one sentence."""

from __future__ import annotations

from explorer.app.state.uploads import Upload
from explorer.app.state.visitor import OWN, PAINT, State
from explorer.data import catalogue

PAPERS = "Every figure and table of five papers, run again here, beside what was printed."
IMAGES = "An image with a spectrum in every pixel: label some, and see the class of all."
FIRST = "Same points, same trees. Left may only cut straight; right may cut at a slant."


def headline_words(state: State) -> str:
    """What is looked at, in one sentence."""
    source, page = state.data.shown, state.view.page
    if page == "Papers":
        return PAPERS
    if page == "Images":
        return IMAGES
    if page == "Boundaries" and source == "clouds" and _straight_beside_slanted(state):
        return FIRST
    if source == PAINT:
        return "Your own points: every forest follows while you paint."
    if source == OWN:
        return own_words(state.data.upload)
    return catalogue()[source].description


def _straight_beside_slanted(state: State) -> bool:
    """Whether the two forests are RF and an oRF-ridge of as many trees that may cut at a slant."""
    models = state.models.models
    if [m.family for m in models] != ["RF", "oRF-ridge"]:
        return False
    straight, slanted = (m.spec(2) for m in models)
    return bool(straight.n_tree == slanted.n_tree and slanted.features_per_split(2) > 1)


def own_words(upload: Upload | None) -> str:
    """The headline over an own file."""
    if upload is None:
        return "Your own file."
    data = upload.data
    return (
        f"{upload.name[:60]}: {data.n_samples} samples, {data.n_features} features, "
        f"{data.n_classes} classes."
    )
