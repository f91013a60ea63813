"""The parts of a page that are there whatever tab is open."""

from __future__ import annotations

import panel as pn

from explorer.app.pages.folder_preview import FolderPlace
from explorer.app.pages.headline import Headline
from explorer.app.pages.map_cards import MapCards
from explorer.app.pages.model_card import Card
from explorer.app.pages.notice import Notice
from explorer.app.pages.selection_line import SelectionLine
from explorer.app.pages.summary import Summary
from explorer.app.pages.tour_controls import TourControls
from explorer.app.pages.why_card import WhyCard
from explorer.app.session.session import Session
from explorer.app.sidebar.sidebar import Sidebar


class Screen:
    """Sidebar, cards, headline, notice, selection, summary and tour of one session.

    stage: what is over each other in the middle: the cards, and the view of each opened page.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.maps = MapCards(session)
        self.sidebar = Sidebar(session, session.style)
        self.folder = FolderPlace(session)
        self.headline = Headline(session)
        self.summary = Summary(session, self.maps)
        self.selection = SelectionLine(session)
        self.notice = Notice(session)
        self.tour = TourControls(session)
        self.why = WhyCard(session)
        self.stage = pn.Column(
            self.maps.view,
            self.tour.card,
            self.why.card,
            css_classes=["stage"],
            stylesheets=[session.style.panes],
            margin=0,
            sizing_mode="stretch_both",
        )

    @property
    def cards(self) -> list[Card]:
        """The cards of the models, in their order."""
        return self.maps.cards

    def close(self) -> None:
        """The visitor has gone."""
        self.session.close()
        self.sidebar.close()
