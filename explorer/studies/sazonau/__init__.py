"""Sazonau: Implementation and Evaluation of a Random Forest Machine Learning Algorithm (2012)."""

from explorer.studies.sazonau.fig1 import Fig1
from explorer.studies.sazonau.fig2 import Fig2
from explorer.studies.sazonau.fig3 import Fig3
from explorer.studies.sazonau.fig4 import Fig4
from explorer.studies.sazonau.fig5 import Fig5

STUDIES = (Fig1(), Fig2(), Fig3(), Fig4(), Fig5())
