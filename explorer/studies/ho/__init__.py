"""Ho: Random Decision Forests (1995), run again."""

from explorer.studies.ho.figures import Fig1, Fig2
from explorer.studies.ho.table1 import Table1

STUDIES = (Table1(), Fig1(), Fig2())
