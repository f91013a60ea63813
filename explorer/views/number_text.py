"""How numbers are written for people: as many digits as needed to tell them apart."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

MINUS = "\N{MINUS SIGN}"


def rounded(value: float, digits: int = 3) -> str:
    """A number with so many significant digits, never with an exponent: 4115.7 is 4120."""
    if not math.isfinite(value):
        return "none" if math.isnan(value) else ("∞" if value > 0 else f"{MINUS}∞")
    if value == 0:
        return "0"
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    return true_minus(f"{round(value, decimals):.{max(0, decimals)}f}")


def true_minus(text: str) -> str:
    """A number in a text with a minus sign instead of a hyphen: "x2 ≤ -1.4" becomes "x2 ≤ −1.4"."""
    return re.sub(r"(?<![\w.)])-(?=\d)", MINUS, text)


def signed(value: float) -> str:
    """A number with its sign, a true minus, and two decimals."""
    return f"{value:+.2f}".replace("-", MINUS)


def unit_in_words(unit: str) -> str:
    """A unit, or numbers with one, as people write it: cm-1 is cm⁻¹, and -1 stays a number."""
    return re.sub(r"(?<=[a-zA-Z])-1\b", "\N{SUPERSCRIPT MINUS}\N{SUPERSCRIPT ONE}", unit)


def axis_decimals(axis: Any) -> int:
    """Decimals that tell neighbouring channels of an axis apart."""
    steps = np.abs(np.diff(np.asarray(axis, np.float64)))
    steps = steps[steps > 0]
    if not steps.size:
        return 0
    return max(0, math.ceil(-math.log10(float(np.median(steps))) - 1e-9))


def channels(axis: Any) -> Sequence[str]:
    """The channels of an axis as they are read aloud: 1026.42 is 1026 where steps are 3 wide."""
    decimals = axis_decimals(axis)
    return [f"{value:.{decimals}f}" for value in np.asarray(axis, np.float64)]


def percent(share: float | None) -> str:
    """A share with one decimal; a dash where there is none."""
    return "–" if share is None else f"{100 * share:.1f} %"


def duration(seconds: float) -> str:
    """Milliseconds below a second, else seconds with one decimal."""
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
