"""Numbers on axes and in lists: one notation, and never one label over another.

Large and small numbers are written as 2×10⁵, everywhere; others without an exponent.
"""

from __future__ import annotations

import math
from typing import Any

from bokeh.models import BasicTickFormatter, CustomJSTickFormatter, NoOverlap

LARGE, SMALL = 1e5, 1e-3  # from here on, and below this, a power of ten is shorter
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

# All labels of an axis have as many decimals as tell neighbours apart, and the same power.
_CODE = """
const most = Math.max(...ticks.map(Math.abs))
const gaps = ticks.slice(1).map((t, i) => Math.abs(t - ticks[i])).filter((g) => g > 0)
const gap = gaps.length ? Math.min(...gaps) : most || 1
if (tick === 0) return "0"
const raised = most >= large || most < small
const power = raised ? Math.floor(Math.log10(most) + 1e-9) : 0
const unit = 10 ** power
const decimals = Math.min(6, Math.max(0, Math.ceil(-Math.log10(gap / unit) - 1e-6)))
const text = (tick / unit).toFixed(decimals).replace("-", "\u2212")
if (!power) return text
const digits = [...String(power)].map((c) => c === "-" ? "\u207b" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]).join("")
return `${text}×10${digits}`
"""


def no_overlap() -> NoOverlap:
    """Drop labels that would overlap."""
    return NoOverlap(min_distance=6)


def number_formatter() -> CustomJSTickFormatter:
    """Ticks in our notation."""
    return CustomJSTickFormatter(args={"large": LARGE, "small": SMALL}, code=_CODE)


def number_ticks(plot: Any) -> None:
    """Give the plain axes of a figure our notation, and drop labels that would overlap."""
    for axis in plot.axis:
        axis.major_label_policy = no_overlap()
        if type(axis.formatter) is BasicTickFormatter:
            axis.formatter = number_formatter()


def power_of_ten(exponent: int) -> str:
    """10⁻³ for -3."""
    return f"10{str(exponent).translate(_RAISED)}"


def short_number(value: float, digits: int = 4) -> str:
    """A number with up to so many significant digits, in the notation of the axes."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    if SMALL <= abs(value) < LARGE:
        return f"{value:.{digits}g}" if abs(value) < 10**digits else f"{value:.0f}"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    mantissa = mantissa.rstrip("0").rstrip(".")
    power = power_of_ten(int(exponent))
    if mantissa in ("1", "-1"):
        return power if mantissa == "1" else f"-{power}"
    return f"{mantissa}×{power}"
