"""What a person chose for a folder of spectra: classes, replicates and the common axis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

MOST_CUTS = 8
LONGEST = 200  # characters of a typed text


@dataclass(frozen=True)
class FolderChoices:
    """classes and groups: ways in words, as `MeasuredSpectra.classes_by` takes them; None leaves
    them to the proposals, "" means none. unit, low, high, step: of the common axis,
    None where they are proposed. cut: regions that are left out.
    """

    classes: str | None = None
    groups: str | None = None
    unit: str | None = None
    low: float | None = None
    high: float | None = None
    step: float | None = None
    method: str = "linear"
    cut: tuple[tuple[float, float], ...] = ()

    def grid(self) -> dict[str, Any]:
        """What `propose_grid` is asked for: all that is not its default."""
        asked = {
            "unit": self.unit,
            "low": self.low,
            "high": self.high,
            "step": self.step,
            "method": self.method if self.method != "linear" else None,
            "cut": self.cut or None,
        }
        return {name: value for name, value in asked.items() if value is not None}


def number(text: object, what: str) -> float | None:
    """The number in a field, None for an empty one; anything else is a ValueError in words."""
    words = str(text or "").strip()[:LONGEST].replace(",", ".")
    if not words:
        return None
    try:
        value = float(words)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{what} is a number, such as 400 or 0.5.")
    return value


def regions(text: object) -> tuple[tuple[float, float], ...]:
    """Regions typed as "2300-2400, 650 to 700"; anything else is a ValueError in words."""
    found = []
    for part in str(text or "")[:LONGEST].replace(";", ",").split(","):
        words = part.replace(" to ", "-").strip()
        if not words:
            continue
        # the "-" between the ends, not the sign of the first one
        at = words.find("-", 1)
        try:
            low, high = float(words[:at]), float(words[at + 1 :])
        except ValueError:
            low = high = math.nan
        if at < 1 or not (math.isfinite(low) and math.isfinite(high)) or low == high:
            raise ValueError("Regions are written as 2300-2400, 650-700.")
        found.append((min(low, high), max(low, high)))
    if len(found) > MOST_CUTS:
        raise ValueError(f"At most {MOST_CUTS} regions can be cut out.")
    return tuple(found)
