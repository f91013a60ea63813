"""How objects show themselves in a notebook: `NotebookDisplay` gives them a card and a picture.

Nothing that draws is imported before a notebook asks for it, so arrays, forests and records stay
as light as they are.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


class NotebookDisplay:
    """Mixin of data sets, forests and records: a rich card in Jupyter, and ``plot()``."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """A small picture and the numbers that matter, as HTML that needs no script."""
        html: str = import_module("explorer.plot.cards").card(self)
        return html

    def plot(self, **options: Any) -> Any:
        """The picture of this object as a HoloViews element.

        Parameters
        ----------
        **options
            Options of the function of `explorer.plot` that draws it, such as ``theme``.

        Returns
        -------
        holoviews element
            It composes with ``*`` and ``+`` and takes ``.opts``.
        """
        return import_module("explorer.plot.drawn").draw(self, **options)
