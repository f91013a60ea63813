"""Do, Lenca, Lallich, Pham: random forests of oblique decision trees (2010), run again."""

from explorer.studies.do.high import Table4, Table5, Table6, Table7, Table8
from explorer.studies.do.table9 import Table9
from explorer.studies.do.table10 import Cover, Table10

STUDIES = (Table4(), Table5(), Table6(), Table7(), Table8(), Table9(), Table10(), Cover())
