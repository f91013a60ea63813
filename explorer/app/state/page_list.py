"""The pages, in the order of their tabs: a new one is a file in `pages/` and a line here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PAINT_PAGE = "Paint"


@dataclass(frozen=True)
class PageEntry:
    """A tab.

    needs: what is computed while it is open: maps of all models, their forests alone, or nothing.
    made_by: "module:Class" of what is made with the session when the tab is first opened; it may
    have a `view`, which then takes the place of the maps, and a `row` of controls. takes_files:
    what is dropped while it is open is for the page, not new data.
    """

    name: str
    needs: Literal["maps", "forests", "nothing"]
    made_by: str = ""
    takes_files: bool = False


ENTRIES: list[PageEntry] = [
    PageEntry("Boundaries", "maps"),
    PageEntry(PAINT_PAGE, "maps", "explorer.app.pages.paint:Painter"),
    PageEntry("Posterior", "maps", "explorer.app.pages.posterior:PosteriorPage"),
    PageEntry("Nodes", "maps", "explorer.app.pages.nodes:NodesPage"),
    PageEntry("Importance", "forests", "explorer.app.pages.importance:ImportancePage"),
    PageEntry("Proximity", "forests", "explorer.app.pages.proximity:ProximityPage"),
    PageEntry("Evaluate", "forests", "explorer.app.pages.evaluate:EvaluatePage"),
    PageEntry("Unknowns", "forests", "explorer.app.pages.unknowns:UnknownsPage", True),
    PageEntry("Images", "forests", "explorer.app.pages.images:ImagesPage", True),
    PageEntry("Papers", "nothing", "explorer.app.pages.papers:PapersPage"),
]


def page_names() -> list[str]:
    """The names of all tabs."""
    return [entry.name for entry in ENTRIES]


def page_entry(name: str) -> PageEntry:
    """The entry of a tab."""
    return next(entry for entry in ENTRIES if entry.name == name)


def has_maps(name: str) -> bool:
    """Whether a page shows maps, so that there is a plane to choose."""
    return page_entry(name).needs == "maps"
