"""`Chain`: preparation steps in order, as a user writes them down, and as a file keeps them.

    chain = Chain.of(("baseline", {"method": "linear"}), ("snv", {}), ("derivative", {"order": 1}))
    fitted = chain.fit(training)      # references and axes come from the training part
    prepared = fitted.apply(training) # a Dataset
    rows = fitted.map(new_spectra)    # the same for rows measured later

A chain is a list of names and knobs (`to_json`), so it fits into a link and a script. A fitted
chain also holds arrays; `arrays` and `from_arrays` keep it in an .npz file, without pickle.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.data.dataset import Dataset
from explorer.data.transforms import TRANSFORMS
from explorer.data.transforms.base import Compose, Floats, Transform, with_learned
from explorer.data.transforms.fill import Fill

# In the order in which spectra are usually prepared; what each does, in one sentence.
STEPS = {
    "fill": "Fill missing values with the median of the training part.",
    "bands": "Keep a range of the axis, or cut it out.",
    "baseline": "Subtract an offset, a line or a smooth baseline.",
    "derivative": "Smooth, or take the first or second derivative (Savitzky-Golay).",
    "snv": "Bring every spectrum to mean 0 and standard deviation 1.",
    "msc": "Remove offset and scatter against the mean spectrum.",
    "emsc": "Remove scatter and a polynomial baseline against the mean spectrum.",
    "normalise": "Divide every spectrum by its area, length or a peak.",
    "binning": "Average neighbouring channels.",
    "centre": "Subtract the mean spectrum.",
}
MOST_STEPS = 12


@dataclass(frozen=True)
class Chain:
    """Steps of preparation, the first one first; an empty chain changes nothing."""

    steps: tuple[Transform, ...] = ()

    def __post_init__(self) -> None:
        count = sum(not isinstance(step, Fill) for step in self.steps)
        if count > MOST_STEPS:
            raise ValueError(f"A chain has at most {MOST_STEPS} steps; this has {count}.")

    @classmethod
    def of(cls, *steps: tuple[str, Mapping[str, Any]]) -> Chain:
        """The chain of (name, knobs); an unknown name or a wrong knob is a ValueError."""
        made = []
        for number, (name, knobs) in enumerate(steps, 1):
            if name not in STEPS:
                raise ValueError(f"Step {number} is '{name}'; choose one of {', '.join(STEPS)}.")
            known = TRANSFORMS[name].knobs()
            odd = [knob for knob in knobs if knob not in known]
            if odd:
                raise ValueError(
                    f"Step {number} ({name}) has no knob '{odd[0]}'; its knobs are: "
                    f"{', '.join(known) or 'none'}."
                )
            made.append(TRANSFORMS[name](**knobs))
        return cls(tuple(made))

    def __len__(self) -> int:
        return len(self.steps)

    def plain(self) -> list[tuple[str, dict[str, Any]]]:
        """(name, knobs that differ from their defaults) of every step."""
        names = {kind: name for name, kind in TRANSFORMS.items()}
        return [
            (
                names[type(step)],
                {
                    knob: getattr(step, knob)
                    for knob, setting in step.knobs().items()
                    if getattr(step, knob) != setting.default
                },
            )
            for step in self.steps
        ]

    def to_json(self) -> str:
        """The chain as text; `from_json` reads it."""
        return json.dumps([[name, knobs] for name, knobs in self.plain()], separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Chain:
        """The chain of a text from `to_json`; anything else is a ValueError with a sentence."""
        try:
            found = json.loads(text)
        except (json.JSONDecodeError, RecursionError):
            raise ValueError("This is not a chain of preparation steps.") from None
        if not isinstance(found, list) or not all(
            isinstance(s, list) and len(s) == 2 and isinstance(s[0], str) and isinstance(s[1], dict)
            for s in found
        ):
            raise ValueError("A chain is a list of steps, each a name and its knobs.")
        return cls.of(*((name, knobs) for name, knobs in found))

    def for_data(self, dataset: Dataset) -> Chain:
        """The chain with a first step that fills missing values, where the data set has some."""
        if dataset.gaps is None or any(isinstance(step, Fill) for step in self.steps):
            return self
        return Chain((Fill(), *self.steps))

    def fit(self, dataset: Dataset) -> FittedChain:
        """Take references and axes from a data set: the training part."""
        return FittedChain(Compose(self.steps).fitted(dataset).steps, dataset.n_features)

    def apply(self, dataset: Dataset) -> Dataset:
        """The prepared data set, every step fitted on it."""
        return Compose(self.steps).apply(dataset)


@dataclass(frozen=True)
class FittedChain:
    """A chain that knows its references: it prepares rows measured later as in training."""

    steps: tuple[Transform, ...]
    n_features: int  # channels that go in

    @property
    def chain(self) -> Chain:
        """The recipe, without what was learned."""
        return Chain.of(*Chain(self.steps).plain())

    def map(self, X: ArrayLike) -> Floats:
        """Prepared rows, float64 [n, p'], of rows [n, p]."""
        rows = np.asarray(X, np.float64)
        if rows.ndim != 2 or rows.shape[1] != self.n_features:
            raise ValueError(
                f"The chain was fitted on spectra of {self.n_features} channels; these have shape "
                f"{rows.shape}. Bring them onto the same axis first."
            )
        return Compose(self.steps).map(rows)

    def apply(self, dataset: Dataset) -> Dataset:
        """The prepared data set; its labels, names and groups stay."""
        if dataset.n_features != self.n_features:
            raise ValueError(
                f"The chain was fitted on {self.n_features} channels; data set '{dataset.name}' "
                f"has {dataset.n_features}."
            )
        return Compose(self.steps).apply(dataset)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that is needed to make the chain again, as arrays for an .npz file."""
        out: dict[str, NDArray[Any]] = {
            "chain": np.array(self.chain.to_json()),
            "n_features": np.array(self.n_features),
        }
        for number, step in enumerate(self.steps):
            for name in step.learned():
                out[f"step{number}.{name}"] = np.asarray(getattr(step, name))
        return out

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Any]) -> FittedChain:
        """The chain of `arrays`; a damaged one is a ValueError with a sentence."""
        try:
            chain = Chain.from_json(str(arrays["chain"]))
            n_features = int(arrays["n_features"])
            steps = []
            for number, step in enumerate(chain.steps):
                fields = {name: arrays[f"step{number}.{name}"] for name in step.learned()}
                for name, value in fields.items():
                    if value.dtype.kind not in "fiu" or not np.isfinite(value).all():
                        raise ValueError(f"Step {number + 1} holds values that are not numbers.")
                    if name == "index" and not (
                        value.ndim == 1 and value.dtype.kind in "iu" and value.min(initial=0) >= 0
                    ):
                        raise ValueError(f"Step {number + 1} holds channels that cannot be.")
                steps.append(with_learned(step, **fields) if fields else step)
        except KeyError as gone:
            raise ValueError(f"The chain in this file is incomplete: no {gone}.") from None
        return cls(tuple(steps), n_features)


def describe(chain: Chain | Sequence[Transform]) -> str:
    """The steps in words, joined by arrows: "baseline (linear) > SNV"."""
    steps = chain.steps if isinstance(chain, Chain) else tuple(chain)
    words = []
    for name, knobs in Chain(tuple(steps)).plain():
        inside = ", ".join(f"{knob} {value}" for knob, value in knobs.items())
        words.append(f"{name} ({inside})" if inside else name)
    return " > ".join(words) or "nothing"
