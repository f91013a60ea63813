"""The table of contents: every study's name, paper, place and title, without importing it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.studies.citations import DO, HO, MENZE, PAPERS, SAZONAU, TOMITA, Paper


@dataclass(frozen=True)
class StudyEntry:
    """A line of the contents.

    home: the class, as "module:class" within this package. many: whether its work is many units of
    one thread each, rather than few that use all cores.
    """

    paper: Paper
    name: str
    where: str
    title: str
    home: str
    many: bool = False


_LINES = (
    StudyEntry(
        MENZE, "menze-fig1", "Fig. 1", "Correlated data and their marginals", "menze.fig1:Fig1"
    ),
    StudyEntry(
        MENZE, "menze-fig2", "Fig. 2", "Split directions under regularisation", "menze.fig2:Fig2"
    ),
    StudyEntry(
        MENZE, "menze-fig3", "Fig. 3", "Number of trees and of features per node", "menze.fig3:Fig3"
    ),
    StudyEntry(
        MENZE,
        "menze-fig4",
        "Fig. 4",
        "Decision boundaries on the mixture of Gaussians",
        "menze.fig4:Fig4",
    ),
    StudyEntry(
        MENZE,
        "menze-table1",
        "Table 1",
        "Nine classifiers on many data sets",
        "menze.tables:Table1",
        many=True,
    ),
    StudyEntry(
        MENZE,
        "menze-table2",
        "Table 2",
        "Ranks of the classifiers by kind of data",
        "menze.tables:Table2",
        many=True,
    ),
    StudyEntry(MENZE, "menze-fig5", "Fig. 5", "Bias and variance", "menze.fig5:Fig5", many=True),
    StudyEntry(
        MENZE,
        "menze-fig6",
        "Fig. 6",
        "Performance on artificially correlated data",
        "menze.fig6:Fig6",
    ),
    StudyEntry(MENZE, "menze-fig7", "Fig. 7", "Feature importance on spectra", "menze.fig7:Fig7"),
    StudyEntry(MENZE, "menze-fig8", "Fig. 8", "Sample proximity", "menze.fig8:Fig8"),
    StudyEntry(
        TOMITA, "tomita-fig1", "Fig. 1", "Best first split on sparse parity", "tomita.fig1:Fig1"
    ),
    StudyEntry(
        TOMITA,
        "tomita-fig2",
        "Fig. 2",
        "Posteriors on sparse parity, three representations",
        "tomita.fig2:Fig2",
        many=True,
    ),
    StudyEntry(
        TOMITA,
        "tomita-fig3",
        "Fig. 3",
        "Error and training time by the number of dimensions",
        "tomita.simulations:Fig3",
        many=True,
    ),
    StudyEntry(
        TOMITA,
        "tomita-fig4",
        "Fig. 4",
        "Effects of rotation, scaling, affine maps and corruption",
        "tomita.simulations:Fig4",
        many=True,
    ),
    StudyEntry(
        TOMITA,
        "tomita-figs1",
        "Fig. S1",
        "Ranks, percentiles and z-scores against scaling and corruption",
        "tomita.supplement:FigS1",
        many=True,
    ),
    StudyEntry(
        TOMITA,
        "tomita-fig5",
        "Fig. 5",
        "Error relative to RF, binned",
        "tomita.benchmark:Fig5",
        many=True,
    ),
    StudyEntry(
        TOMITA,
        "tomita-table1",
        "Table 1",
        "Which forests beat RF over many data sets",
        "tomita.benchmark:Table1",
        many=True,
    ),
    StudyEntry(
        DO, "do-table4", "Table 4", "Very-high-dimensional data", "do.high:Table4", many=True
    ),
    StudyEntry(DO, "do-table5", "Table 5", "Accuracy, tested", "do.high:Table5", many=True),
    StudyEntry(DO, "do-table6", "Table 6", "Precision, tested", "do.high:Table6", many=True),
    StudyEntry(DO, "do-table7", "Table 7", "Recall, tested", "do.high:Table7", many=True),
    StudyEntry(DO, "do-table8", "Table 8", "F1, tested", "do.high:Table8", many=True),
    StudyEntry(DO, "do-table9", "Table 9", "Standard data", "do.table9:Table9", many=True),
    StudyEntry(DO, "do-table10", "Table 10", "Execution time", "do.table10:Table10"),
    StudyEntry(DO, "do-cover", "s.3.4", "Half a million samples", "do.table10:Cover"),
    StudyEntry(
        HO,
        "ho-table1",
        "Table 1",
        "Nodes and accuracy of single trees",
        "ho.table1:Table1",
        many=True,
    ),
    StudyEntry(HO, "ho-fig1", "Fig. 1", "Forests by central axis projection", "ho.figures:Fig1"),
    StudyEntry(HO, "ho-fig2", "Fig. 2", "Forests by perceptron", "ho.figures:Fig2"),
    StudyEntry(
        SAZONAU,
        "sazonau-settings",
        "s.3, eq. 4",
        "Split functions, voting, and the bound on the error",
        "sazonau.settings:Settings",
    ),
    StudyEntry(SAZONAU, "sazonau-fig1", "Fig. 1", "Error by number of trees", "sazonau.fig1:Fig1"),
    StudyEntry(
        SAZONAU, "sazonau-fig2", "Fig. 2", "Error by features per node", "sazonau.fig2:Fig2"
    ),
    StudyEntry(
        SAZONAU, "sazonau-fig3", "Fig. 3", "ROC of a forest and of a tree", "sazonau.fig3:Fig3"
    ),
    StudyEntry(SAZONAU, "sazonau-fig4", "Fig. 4", "Variable importance", "sazonau.fig4:Fig4"),
    StudyEntry(SAZONAU, "sazonau-fig5", "Fig. 5", "Selecting variables", "sazonau.fig5:Fig5"),
)
CONTENTS = {entry.name: entry for entry in _LINES}


def names_of(words: Sequence[str]) -> list[str]:
    """Studies by name, paper or "all", each once, in the list's order."""
    wanted: set[str] = set()
    for word in words:
        if word == "all":
            wanted |= set(CONTENTS)
        elif word in PAPERS:
            wanted |= {n for n, entry in CONTENTS.items() if entry.paper.key == word}
        elif word in CONTENTS:
            wanted.add(word)
        else:
            raise ValueError(
                f"There is no study '{word}'. Choose among: {', '.join(CONTENTS)}; "
                f"a paper ({', '.join(PAPERS)}), or 'all'."
            )
    return [name for name in CONTENTS if name in wanted]
