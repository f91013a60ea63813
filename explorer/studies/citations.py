"""The five papers: how a study cites them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """key: the short name that begins its studies' names; authors, title, year as printed."""

    key: str
    short: str
    authors: str
    title: str
    year: int

    def __str__(self) -> str:
        return f"{self.authors}: {self.title} ({self.year})"


MENZE = Paper(
    "menze",
    "Menze",
    "Menze, Kelm, Splitthoff, Koethe, Hamprecht",
    "On Oblique Random Forests",
    2011,
)
TOMITA = Paper(
    "tomita",
    "Tomita",
    "Tomita, Maggioni, Vogelstein",
    "ROFLMAO: Robust Oblique Forests with Linear MAtrix Operations",
    2016,
)
DO = Paper(
    "do",
    "Do",
    "Do, Lenca, Lallich, Pham",
    "Classifying very-high-dimensional data with random forests of oblique decision trees",
    2010,
)
HO = Paper("ho", "Ho", "Ho", "Random Decision Forests", 1995)
SAZONAU = Paper(
    "sazonau",
    "Sazonau",
    "Sazonau",
    "Implementation and Evaluation of a Random Forest Machine Learning Algorithm",
    2012,
)
PAPERS = {paper.key: paper for paper in (MENZE, TOMITA, DO, HO, SAZONAU)}
