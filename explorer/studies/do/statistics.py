"""The paper's two tests over data sets: paired Student and sign test (s.3, tables 5 to 9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.analysis.comparison import SAME, paired_student, sign_test_p


@dataclass(frozen=True)
class Tests:
    """RF-ODT minus another model, in percentage points over data sets."""

    mean: float
    deviation: float
    student: float
    student_p: float
    win: int
    tie: int
    defeat: int
    sign_p: float

    def row(self) -> dict[str, Any]:
        return {
            "mean": self.mean,
            "standard deviation": self.deviation,
            "student ratio": self.student,
            "student p": self.student_p,
            "win": self.win,
            "tie": self.tie,
            "defeat": self.defeat,
            "sign p": self.sign_p,
        }

    def words(self) -> str:
        return (
            f"{self.mean:+.2f} points, t {self.student:.2f}, p {self.student_p:.4f}; "
            f"{self.win} wins, {self.tie} ties, {self.defeat} defeats, p {self.sign_p:.4f}"
        )


def both_tests(mine: Any, other: Any) -> Tests:
    """Both tests of mine - other, per cent, one value per data set."""
    mine, other = np.asarray(mine, np.float64), np.asarray(other, np.float64)
    away = mine - other
    win, defeat = int((away > SAME).sum()), int((away < -SAME).sum())
    t, p = paired_student(mine, other)
    deviation = float(away.std(ddof=1)) if away.size > 1 else float("nan")
    return Tests(
        float(away.mean()),
        deviation,
        t,
        p,
        win,
        away.size - win - defeat,
        defeat,
        sign_test_p(win, defeat),
    )
