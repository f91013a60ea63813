"""A class's marker as a small inline SVG, for legends and tables."""

from __future__ import annotations

from explorer.views.theme import class_colour

_SHAPES = {
    "circle": '<circle cx="7" cy="7" r="4.5"/>',
    "triangle": '<path d="M7 2 12 11.5H2z"/>',
    "square": '<path d="M3 3h8v8H3z"/>',
    "diamond": '<path d="M7 1.5 11.5 7 7 12.5 2.5 7z"/>',
    "inverted_triangle": '<path d="M7 12 2 2.5h10z"/>',
    "hex": '<path d="M7 2l4.5 2.5v5L7 12l-4.5-2.5v-5z"/>',
    "star": '<path d="M7 1.5l1.6 3.7 4 .3-3 2.7.9 4L7 10l-3.5 2.2.9-4-3-2.7 4-.3z"/>',
    "plus": '<path d="M5.2 2h3.6v3.2H12v3.6H8.8v3.2H5.2V8.8H2V5.2h3.2z"/>',
    "square_pin": '<path d="M1.5 1.5Q7 5 12.5 1.5 9 7 12.5 12.5 7 9 1.5 12.5 5 7 1.5 1.5z"/>',
    "triangle_pin": '<path d="M7 1.5Q8 7.5 12.5 11.5 7 9.5 1.5 11.5 6 7.5 7 1.5z"/>',
}


def marker_svg(k: int) -> str:
    """A class's marker in its colour."""
    look = class_colour(k)
    return (
        '<svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true" '
        f'fill="{look.base}" stroke="var(--ink)" stroke-width="1">{_SHAPES[look.marker]}</svg>'
    )
