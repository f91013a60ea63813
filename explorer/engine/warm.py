"""Compile kernels ahead of time, so that nobody waits for them later."""

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from .families import FAMILIES
from .flat import zero_lines
from .forest import Forest, grow
from .growing import Progress
from .kernels.directions import DIRECTIONS
from .plane import Plane
from .spec import ForestSpec


def warm(progress: Progress | None = None, families: Iterable[str] | None = None) -> None:
    """Compile what the given families need to grow, and all that predicts and draws.

    families: names in FAMILIES; None for all. progress: called as progress(steps done, steps,
    what comes next) before every step and once at the end. What is in the cache on disk
    already is only loaded; what is compiled when warming is interrupted stays in it.
    """
    steps = _steps(list(FAMILIES) if families is None else list(families))
    for done, (what, step) in enumerate(steps):
        if progress is not None:
            progress(done, len(steps), what)
        step()
    if progress is not None:
        progress(len(steps), len(steps), "ready")


def _steps(names: list[str]) -> list[tuple[str, Callable[[], None]]]:
    unknown = [name for name in names if name not in FAMILIES]
    if unknown or not names:
        raise ValueError(
            f"There is no family named {', '.join(map(repr, unknown)) or 'nothing'}; "
            f"choose from {', '.join(FAMILIES)}."
        )
    # families whose splits live in one file share one kernel
    together: dict[str, list[str]] = {}
    for name in names:
        together.setdefault(DIRECTIONS[FAMILIES[name].split].module, []).append(name)
    steps: list[tuple[str, Callable[[], None]]] = [
        (f"growing {', '.join(group)}", partial(_grow, group)) for group in together.values()
    ]
    spec = FAMILIES[names[0]].replace(bootstrap="with", prune=0)
    steps.append(("predicting", partial(_ask, spec)))
    steps.append(("out-of-bag", partial(_out_of_bag, spec)))
    for scaling in ("none", "rank"):  # affine, and monotone only
        drawn = spec.replace(scaling=scaling)
        steps.append((f"pictures, scaling {scaling}", partial(_draw, drawn)))
    return steps


def _data() -> tuple[np.ndarray, np.ndarray]:
    """A little of everything: 48 samples, 4 features, 3 classes."""
    X = np.random.default_rng(0).normal(size=(48, 4))
    y = np.arange(48) % 3
    return X + y[:, None], y


def _tiny(spec: ForestSpec) -> Forest:
    return grow(spec.replace(n_tree=2), *_data(), threads=1)


def _grow(names: list[str]) -> None:
    for name in names:
        _tiny(FAMILIES[name])


def _ask(spec: ForestSpec) -> None:
    forest, (X, _) = _tiny(spec), _data()
    forest.predict(X, threads=1)
    forest.apply(X, threads=1)


def _out_of_bag(spec: ForestSpec) -> None:
    _tiny(spec).oob_error  # noqa: B018  worked out when asked for


def _draw(spec: ForestSpec) -> None:
    forest = _tiny(spec)
    at = np.zeros(forest.n_features)
    forest.posterior_on(Plane.axes(0, 1, (-1.0, 1.0), (-1.0, 1.0), at), 8, 8, threads=1)
    slanted = Plane(at, np.ones(forest.n_features), np.eye(forest.n_features)[0])
    picture = forest.posterior_on(slanted, 8, 8, threads=1)
    zero_lines(picture[..., 1] - picture[..., 0])
