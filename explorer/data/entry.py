"""What the catalogue says about a data set: its knobs, their bounds, and how to load it.

Whatever a person, a link or a client sends is checked here, in Python, before a loader sees it.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.data.dataset import Dataset

SIGMA = "\N{GREEK SMALL LETTER SIGMA}"
GROUPS = ("2-D", "synthetic", "spectral", "real")


@dataclass(frozen=True)
class Knob:
    """One setting of a data set.

    doc: a plain sentence; symbol: the paper's letter. Numbers have low and high (both allowed);
    texts have choices. default comes from the loader's signature and gives the type.
    """

    doc: str
    low: float | None = None
    high: float | None = None
    choices: tuple[Any, ...] = ()
    symbol: str = ""
    default: Any = None

    def check(self, where: str, value: Any) -> Any:
        """The value in the knob's own type, or a ValueError that says what is allowed."""
        if self.choices:
            if value not in self.choices:
                allowed = ", ".join(map(repr, self.choices))
                raise ValueError(f"{where} cannot be {value!r}; choose one of {allowed}.")
            return value
        if isinstance(self.default, bool):
            if not isinstance(value, bool):
                raise ValueError(f"{where} is {value!r}; it must be True or False.")
            return value
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"{where} is {value!r}; it must be a number.") from None
        low, high = self.low, self.high
        if (
            not math.isfinite(number)
            or (low is not None and number < low)
            or (high is not None and number > high)
        ):
            ends = f"from {low:g} to {high:g}" if low is not None and high is not None else "finite"
            raise ValueError(f"{where} is {value!r}; it must be a number {ends}.")
        if isinstance(self.default, int):
            if number != int(number):
                raise ValueError(f"{where} is {value!r}; it must be a whole number.")
            return int(number)
        return number


@dataclass(frozen=True)
class Entry:
    """A data set of the catalogue: `entry.load(**knobs)` gives it.

    group is one of GROUPS; knobs: name -> Knob, in the order of the loader's signature.
    """

    name: str
    title: str
    group: str
    description: str
    knobs: Mapping[str, Knob]
    loader: Callable[..., Dataset]

    def load(self, **values: Any) -> Dataset:
        """The data set; an unknown knob or a value out of bounds is a ValueError."""
        checked = {}
        for knob, value in values.items():
            if knob not in self.knobs:
                known = ", ".join(self.knobs) or "none"
                raise ValueError(
                    f"Data set '{self.name}' has no knob '{knob}'; its knobs are: {known}."
                )
            checked[knob] = self.knobs[knob].check(
                f"Knob '{knob}' of data set '{self.name}'", value
            )
        return self.loader(**checked)

    @property
    def defaults(self) -> dict[str, Any]:
        """Knob name -> default value."""
        return {name: knob.default for name, knob in self.knobs.items()}


def entry(
    loader: Callable[..., Dataset], title: str, group: str, description: str, **knobs: Knob
) -> Entry:
    """An entry named after its loader; the defaults are read from the loader's signature.

    Every parameter of the loader must have its knob here and the other way round, and every
    default must lie within its bounds: checked when the catalogue is read.
    """
    parameters = inspect.signature(loader).parameters
    name = loader.__name__
    if set(parameters) != set(knobs):
        odd = sorted(set(parameters) ^ set(knobs))
        raise TypeError(f"Loader '{name}' and its knobs disagree on: {', '.join(odd)}.")
    if group not in GROUPS:
        raise TypeError(f"Group '{group}' of '{name}' is not one of {GROUPS}.")
    full = {}
    for parameter in parameters:
        default = parameters[parameter].default
        knob = replace(knobs[parameter], default=default)
        knob.check(f"The default of knob '{parameter}' of '{name}'", default)
        full[parameter] = knob
    return Entry(name, title, group, description, full, loader)


def samples(high: int = 20_000) -> Knob:
    """The knob n, worded once."""
    return Knob("Samples drawn; more show the distribution better.", 4, high, symbol="n")


def seed() -> Knob:
    """The knob seed, worded once."""
    return Knob("Another number draws other samples of the same distribution.", 0, 2**31 - 1)


def flipped() -> Knob:
    """The knob noise of data sets that turn labels, worded once."""
    return Knob("Share of labels turned to the other class; no classifier can beat it.", 0.0, 0.5)


def sigma(low: float, high: float) -> Knob:
    """The knob noise of Gaussian data sets, worded once."""
    doc = "Spread of the points around their centre; more overlap."
    return Knob(doc, low, high, symbol=SIGMA)
