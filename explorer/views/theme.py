"""All colours: light and dark, class colours and markers, palettes of posteriors.

One rule for two classes and for K: hue = winner, strength = margin. A map is an image of uint8
indices; what theme and softness change is only the palette of 256 colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.posterior_index import levels

STRENGTH = 0.62  # share of the class colour where one class is certain
OTHER = "#7D848C"  # classes beyond the tenth share it


@dataclass(frozen=True)
class Theme:
    """The neutral colours of one theme, as hex strings."""

    name: str
    page: str
    card: str
    neutral: str
    ink: str
    muted: str
    hairline: str
    accent: str
    error: str
    amounts: tuple[str, str]
    low: str
    high: str
    models: tuple[str, ...]


LIGHT = Theme(
    "light",
    page="#F6F6F4",
    card="#FFFFFF",
    neutral="#F4F4F2",
    ink="#1A1D21",
    muted="#59616B",
    hairline="#DADDE1",
    accent="#2F4858",
    error="#B3261E",
    amounts=("#C4609F", "#4A0D3A"),
    low="#4D7D1E",
    high="#7A3FB5",
    models=("#1A1D21", "#D6336C", "#6887FF", "#813200", "#5B8C00", "#590281"),
)
DARK = Theme(
    "dark",
    page="#14171B",
    card="#1B1F24",
    neutral="#262B31",
    ink="#ECEFF2",
    muted="#A9B2BC",
    hairline="#343A42",
    accent="#9FC3D1",
    error="#FF8A80",
    amounts=("#B0458C", "#FFD9F0"),
    low="#9CC45A",
    high="#B48CF2",
    models=("#ECEFF2", "#FF5C93", "#72A7FF", "#FBC600", "#309210", "#856AE6"),
)
THEMES = {"light": LIGHT, "dark": DARK}


@dataclass(frozen=True)
class ClassColour:
    """What a class looks like: a name to say aloud, its colour and marker."""

    name: str
    base: str
    marker: str
    on_light: str = ""
    on_dark: str = ""

    def line(self, theme: Theme) -> str:
        """A tone with 3:1 against the page, for thin lines."""
        return (self.on_dark if theme is DARK else self.on_light) or self.base


CLASSES = (
    ClassColour("blue", "#0072B2", "circle"),
    ClassColour("orange", "#E69F00", "triangle", on_light="#C88300"),
    ClassColour("sky", "#75C4FA", "square", on_light="#4A99CD"),
    ClassColour("brick", "#B53900", "diamond", on_dark="#C34617"),
    ClassColour("teal", "#00A4A0", "inverted_triangle"),
    ClassColour("violet", "#A276FB", "hex"),
    ClassColour("salmon", "#E05C45", "star"),
    ClassColour("sage", "#A7C599", "plus", on_light="#7C996F"),
    ClassColour("wine", "#984C70", "square_pin", on_dark="#A5587C"),
    ClassColour("pink", "#F66FC5", "triangle_pin", on_light="#E660B7"),
)
_REST = ClassColour("grey", OTHER, "circle")


def class_colour(k: int) -> ClassColour:
    """Colour and marker of class k; the eleventh and later ones share a grey."""
    return CLASSES[k] if k < len(CLASSES) else _REST


def _to_linear(hexes: tuple[str, ...]) -> NDArray[np.float64]:
    channels = [[int(h[i : i + 2], 16) for i in (1, 3, 5)] for h in hexes]
    s = np.array(channels, np.float64) / 255.0
    return np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)


_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def oklab(*hexes: str) -> NDArray[np.float64]:
    """OKLab coordinates, float64 [n, 3], of hex colours (Ottosson 2020)."""
    return np.cbrt(_to_linear(hexes) @ _TO_LMS.T) @ _TO_LAB.T


def _hex(lab: NDArray[np.float64]) -> list[str]:
    lms = (lab @ np.linalg.inv(_TO_LAB).T) ** 3
    rgb = np.clip(lms @ np.linalg.inv(_TO_LMS).T, 0.0, 1.0)
    s = np.where(rgb <= 0.0031308, 12.92 * rgb, 1.055 * rgb ** (1 / 2.4) - 0.055)
    return ["#{:02X}{:02X}{:02X}".format(*row) for row in np.rint(255 * s).astype(int).tolist()]


def mix(start: str, end: str, shares: NDArray[np.float64]) -> list[str]:
    """Colours on the straight OKLab line from start (share 0) to end (share 1)."""
    a, b = oklab(start, end)
    t = np.asarray(shares, np.float64)[:, None]
    return _hex(a + t * (b - a))


@lru_cache(maxsize=64)
def posterior_palette(n_classes: int, theme: str = "light", soft: bool = True) -> tuple[str, ...]:
    """256 colours for the indices of `posterior_index`.

    Soft: strength grows with the margin. Hard: the winner at full strength everywhere.
    """
    colours = THEMES[theme]
    L = levels(n_classes)
    shares = STRENGTH * (np.arange(L) / (L - 1) if soft else np.ones(L))
    palette: list[str] = []
    for k in range(n_classes):
        palette += mix(colours.neutral, class_colour(k).base, shares)
    palette += [colours.neutral] * (256 - len(palette))
    return tuple(palette[:256])


@lru_cache(maxsize=8)
def amount_palette(theme: str = "light") -> tuple[str, ...]:
    """256 colours from nothing (neutral) to much, for values 0 ... 1."""
    colours = THEMES[theme]
    half = np.linspace(0.0, 1.0, 128)
    first = mix(colours.neutral, colours.amounts[0], half)
    return tuple(first + mix(colours.amounts[0], colours.amounts[1], half))


@lru_cache(maxsize=8)
def signed_palette(theme: str = "light") -> tuple[str, ...]:
    """256 colours from low (green) over neutral to high (violet), for values -1 ... 1."""
    colours = THEMES[theme]
    half = np.linspace(0.0, 1.0, 128)
    return tuple(mix(colours.low, colours.neutral, half) + mix(colours.neutral, colours.high, half))


def css_variables(theme: Theme) -> str:
    """The theme as CSS custom properties, one declaration list."""
    named = {
        "page": theme.page,
        "card": theme.card,
        "neutral": theme.neutral,
        "ink": theme.ink,
        "muted": theme.muted,
        "hairline": theme.hairline,
        "accent": theme.accent,
        "fault": theme.error,  # Bokeh sets --error in every widget
    }
    return " ".join(f"--{name}: {value};" for name, value in named.items())
