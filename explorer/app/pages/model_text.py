"""The line under a model's name: first what tells the models apart, then what they share."""

from __future__ import annotations

import math
from collections.abc import Sequence

from explorer.app.state.baselines import BaselineSpec, Recipe, baseline_in_words
from explorer.engine import ForestSpec

ALL = "λ chosen at each node"
MINOR = ("min_leaf", "criterion", "vote", "seed")
CROWD = 3  # from this many cards on, subtitles show only what differs


def subtitle(specs: Sequence[Recipe], index: int, n_features: int | None) -> str:
    """HTML for one of several models; on a phone, what is common (class "trees") is hidden."""
    spec = specs[index]
    if isinstance(spec, BaselineSpec):
        return baseline_in_words(spec)
    mine = facts(spec, n_features)
    forests = [s for s in specs if isinstance(s, ForestSpec)]
    alike = [s for s in forests if s.split == spec.split]  # others differ by their name already
    differs = []
    for name in mine:
        others = [facts(s, n_features) for s in (alike if name in MINOR else forests)]
        if len({other[name] for other in others if name in other}) > 1:
            differs.append(name)
    common = [
        name
        for name in ("n_tree", "m_try", "n_combine", "lambdas", "scaling")
        if name in mine and name not in differs and mine[name] not in ("no scaling", ALL)
    ]
    told = ", ".join(mine[name] for name in differs)
    shared = ", ".join(mine[name] for name in common)
    if not shared or (told and len(specs) >= CROWD):
        return told
    return f'{told}<span class="trees">{", " if told else ""}{shared}</span>'


def facts(spec: ForestSpec, n_features: int | None) -> dict[str, str]:
    """What could be said about a forest, by the name of its knob; HTML."""
    found = {"lambdas": _penalty(spec.lambdas)} if spec.lambdas else {}
    if spec.scaling != "none" or spec.n_combine is not None:
        found["scaling"] = f"{spec.scaling} scaling" if spec.scaling != "none" else "no scaling"
    if n_features is not None and spec.n_combine is not None:
        tried = spec.candidates(n_features)
        found["n_combine"] = f"<i>L</i> {spec.n_combine}, <i>d</i> {tried}"
    found["n_tree"] = f"{spec.n_tree} tree{'s' if spec.n_tree != 1 else ''}"
    if n_features is not None and spec.m_try is not None:
        found["m_try"] = f"<i>m_try</i> {spec.features_per_split(n_features)}"
    found["min_leaf"] = f"leaf size {spec.min_leaf}"
    found["criterion"] = spec.criterion
    found["vote"] = f"{spec.vote} vote"
    found["seed"] = f"seed {spec.seed}"
    return found


def _penalty(values: tuple[float, ...]) -> str:
    if len(values) > 1:
        return ALL
    value = values[0]
    power = math.log10(value) if value > 0 else 0.5
    if power == round(power) and abs(power) > 1:
        return f"<i>λ</i> = 10<sup>{'−' if power < 0 else ''}{abs(round(power))}</sup>"
    return f"<i>λ</i> = {value:g}"
