"""Menze, Kelm, Splitthoff, Koethe, Hamprecht: On Oblique Random Forests (2011), run again."""

from explorer.studies.menze.fig1 import Fig1
from explorer.studies.menze.fig2 import Fig2
from explorer.studies.menze.fig3 import Fig3
from explorer.studies.menze.fig4 import Fig4
from explorer.studies.menze.fig5 import Fig5
from explorer.studies.menze.fig6 import Fig6
from explorer.studies.menze.fig7 import Fig7
from explorer.studies.menze.fig8 import Fig8
from explorer.studies.menze.tables import Table1, Table2

STUDIES = (Fig1(), Fig2(), Fig3(), Fig4(), Table1(), Table2(), Fig5(), Fig6(), Fig7(), Fig8())
