"""What Do et al. print: tables 1 to 10, typed from the text.

Tables 5 to 8 are not all that follows from Table 4. Whole numbers tell more: on the sets whose
number of positive test samples is known, every precision is k / labelled and every recall
k / positives; LibSVM's of sets 1, 5, 8 and 15 fit only if the two are exchanged.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.studies.do.statistics import Tests

MODELS = ("LibSVM", "RF-C4.5", "RF-ODT")
MEASURES = ("precision", "recall", "F1", "accuracy")
LOO, SPLIT, TEN = "loo", "trn-tst", "10-fold"


@dataclass(frozen=True)
class PaperSet:
    """A line of tables 1 to 3: shape, classes, protocol, n' and k.

    files: names under which a folder may hold it; catalogue: ours, where we have it. positive:
    names of the +1 class in such files (else the rarer class).
    """

    number: int
    title: str
    samples: int
    dimensions: int
    protocol: str
    random: int
    trees: int
    files: tuple[str, ...]
    positive: tuple[str, ...]
    catalogue: str = ""


HIGH = (
    PaperSet(1, "Colon Tumor", 62, 2000, LOO, 100, 200, ("colon_tumor", "colon"), ("n", "normal")),
    PaperSet(2, "ALL-AML-Leukemia", 72, 7129, SPLIT, 100, 300, ("all_aml", "golub"), ("all",)),
    PaperSet(3, "MLL-Leukemia", 72, 12582, SPLIT, 500, 100, ("mll",), ("mll",)),
    PaperSet(4, "Breast Cancer", 97, 24481, SPLIT, 100, 500, ("breast_relapse",), ("relapse",)),
    PaperSet(5, "Duke Breast Cancer", 42, 7129, LOO, 200, 500, ("duke_breast",), ("cancer",)),
    PaperSet(6, "Prostate Cancer", 136, 12600, SPLIT, 250, 100, ("prostate", "singh"), ("tumor",)),
    PaperSet(7, "Lung Cancer", 181, 12533, SPLIT, 250, 100, ("lung", "gordon"), ("mesothelioma",)),
    PaperSet(8, "Central Nervous System", 60, 7129, LOO, 500, 100, ("cns", "pomeroy"), ("died",)),
    PaperSet(9, "Translation Initiation Site", 13375, 927, TEN, 150, 200, ("tis",), ("positive",)),
    PaperSet(10, "Ovarian Cancer", 253, 15154, LOO, 500, 100, ("ovarian",), ("cancer",)),
    PaperSet(
        11, "Diffuse Large B-Cell Lymphoma", 47, 4026, LOO, 150, 200, ("dlbcl",), ("germinal",)
    ),
    PaperSet(
        12,
        "Acute Lymphoblastic (Hyperdip)",
        327,
        12558,
        SPLIT,
        150,
        500,
        ("all_hyperdip",),
        ("hyperdip",),
    ),
    PaperSet(
        13,
        "Acute Lymphoblastic (TEL-AML1)",
        327,
        12558,
        SPLIT,
        150,
        500,
        ("all_tel_aml1",),
        ("tel-aml1",),
    ),
    PaperSet(
        14, "Acute Lymphoblastic (T-ALL)", 327, 12558, SPLIT, 200, 100, ("all_t_all",), ("t-all",)
    ),
    PaperSet(
        15,
        "Acute Lymphoblastic (Others)",
        327,
        12558,
        SPLIT,
        500,
        500,
        ("all_others",),
        ("others",),
    ),
)
STANDARD = (
    PaperSet(16, "Bupa", 345, 6, TEN, 4, 50, ("liver_bupa", "bupa"), ("1",)),
    PaperSet(
        17,
        "Breast Cancer Wisconsin",
        569,
        30,
        TEN,
        10,
        50,
        ("wdbc",),
        ("malignant", "m"),
        "breast_cancer",
    ),
    PaperSet(18, "Pima", 768, 8, TEN, 5, 50, ("pima",), ("pos", "1")),
    PaperSet(19, "Segment", 2310, 19, TEN, 10, 50, ("segment",), ("1",)),
    PaperSet(20, "Spambase", 4601, 57, TEN, 20, 50, ("spambase",), ("spam", "1")),
    PaperSet(21, "Opticdigits", 5620, 64, SPLIT, 20, 50, ("optdigits",), ("0",)),
    PaperSet(22, "Satimage", 6435, 36, SPLIT, 6, 200, ("satimage",), ("1", "red soil")),
    PaperSet(23, "Pendigits", 10992, 16, SPLIT, 8, 50, ("pendigits",), ("9",)),
    PaperSet(24, "Letters", 20000, 16, TEN, 8, 50, ("letter",), ("a",)),
    PaperSet(25, "Shuttle", 58000, 9, SPLIT, 5, 50, ("shuttle",), ("1", "rad.flow")),
)

# Table 4: precision, recall, F1 and accuracy of LibSVM, RF-C4.5, RF-ODT on sets 1 ... 15
_TABLE4 = """
68.18 76.19 82.61 75.00 72.73 86.36 71.43 74.42 84.44 80.65 82.26 88.71
100 95.24 95.24 95.00 100 100 97.44 97.56 97.56 97.06 97.06 97.06
75.00 100 100 100 100 100 85.71 100 100 93.33 100 100
69.23 83.33 84.62 75.00 83.33 91.67 72.00 83.33 88.00 63.16 78.94 84.21
85.00 94.12 90.00 94.44 80.00 90.00 89.47 86.49 90.00 90.48 88.10 90.48
73.53 75.76 100 100 100 96.00 84.75 86.21 97.96 73.53 76.47 97.06
88.26 93.75 93.75 100 100 100 93.75 96.77 96.77 98.66 99.33 99.33
47.62 45.46 61.91 55.56 23.81 61.91 51.28 31.25 61.91 68.33 63.33 73.33
83.13 92.58 90.78 84.42 73.83 79.75 83.77 82.15 84.91 92.15 92.30 93.20
100 98.78 100 100 100 100 100 99.39 100 100 99.21 100
91.30 95.65 92.00 87.50 91.67 95.83 89.36 93.62 93.88 89.36 93.62 93.62
95.46 95.24 100 95.46 90.91 95.46 95.46 93.02 97.67 98.21 97.32 99.11
100 100 100 100 96.30 96.30 100 98.11 98.11 100 99.11 99.11
100 100 100 100 100 100 100 100 100 100 100 100
92.59 100 100 39.68 29.63 55.56 55.56 45.71 71.43 64.29 83.93 89.29
"""
TABLE4 = np.array([line.split() for line in _TABLE4.strip().splitlines()], np.float64).reshape(
    15, len(MEASURES), len(MODELS)
)
# positive test samples of sets 1, 5, 8 and 15, by which LibSVM's two columns are exchanged
EXCHANGED = {1: 22, 5: 20, 8: 21, 15: 27}

# tables 5 (accuracy) to 8 (F1), against LibSVM and RF-C4.5; Table 9
TESTS = {
    "accuracy": {
        "LibSVM": Tests(6.35, 9.41, 2.61, 0.0204, 10, 4, 1, 0.0117),
        "RF-C4.5": Tests(3.57, 6.32, 2.19, 0.0462, 9, 6, 0, 0.0039),
    },
    "precision": {
        "LibSVM": Tests(8.11, 9.26, 3.39, 0.0044, 11, 3, 1, 0.0063),
        "RF-C4.5": Tests(2.99, 7.68, 1.51, 0.1540, 6, 6, 3, 0.5078),
    },
    "recall": {
        "LibSVM": Tests(3.37, 6.98, 1.87, 0.0828, 6, 6, 3, 0.5078),
        "RF-C4.5": Tests(7.11, 11.37, 2.42, 0.0296, 8, 6, 1, 0.0391),
    },
    "F1": {
        "LibSVM": Tests(6.18, 6.90, 3.47, 0.0038, 12, 2, 1, 0.0034),
        "RF-C4.5": Tests(6.31, 9.88, 2.47, 0.0269, 10, 5, 0, 0.0020),
    },
}
MEANS = {  # tables 5 to 8, first rows
    "accuracy": (87.28, 90.07, 93.63),
    "precision": (84.62, 89.74, 92.73),
    "recall": (86.80, 83.06, 90.17),
    "F1": (84.67, 84.54, 90.84),
}
TABLE9 = Tests(0.69, 3.10, 0.70, 0.5001, 8, 0, 2, 0.1094)

# Table 10: seconds of RF-C4.5 and RF-ODT on sets 1 ... 25 (Pentium, 2.4 GHz)
_TABLE10 = """
2.96 3.96 5.98 11.38 7.41 3.09 1.30 3.33 797.10 29.97 2.55 19.82 17.70 4.00 74.68
0.21 1.87 0.93 1.87 10.08 2.79 7.83 4.90 8.62 28.07
0.66 3.42 17.97 6.58 6.81 2.49 2.50 5.88 671.00 22.99 1.73 10.37 11.96 4.30 86.20
0.28 0.15 0.83 0.20 3.65 1.07 3.74 1.35 1.56 6.56
"""
SECONDS = dict(
    zip(("RF-C4.5", "RF-ODT"), np.array(_TABLE10.split(), np.float64).reshape(2, 25), strict=True)
)
COVER_SECONDS = {"RF-C4.5": 17484.0, "RF-ODT": 801.61}
COVER_PRECISION = {"RF-C4.5": 99.57, "RF-ODT": 99.98}
