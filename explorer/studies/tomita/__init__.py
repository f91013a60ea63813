"""Tomita, Maggioni, Vogelstein: ROFLMAO (2016), run again."""

from explorer.studies.tomita.benchmark import Fig5, Table1
from explorer.studies.tomita.fig1 import Fig1
from explorer.studies.tomita.fig2 import Fig2
from explorer.studies.tomita.simulations import Fig3, Fig4

STUDIES = (Fig1(), Fig2(), Fig3(), Fig4(), Fig5(), Table1())
