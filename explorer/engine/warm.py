"""Compile kernels ahead of time, so that nobody waits for them later."""

import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path

import numpy as np

from .families import FAMILIES
from .flat import zero_lines
from .forest import Forest, grow
from .growing import Progress
from .kernels.directions import DIRECTIONS
from .kernels.jit import CACHE_DIR
from .plane import Plane
from .spec import ForestSpec


def warm(
    progress: Progress | None = None, families: Iterable[str] | None = None, processes: int = 1
) -> None:
    """Compile what the given families need to grow, and all that predicts and draws.

    families: names in FAMILIES; None for all. progress: called as progress(steps done, steps,
    what comes next) before every step and once at the end. processes: compile so many steps at a
    time, each in a process of its own, into the cache on disk; this process then loads them. What
    is in the cache already is only loaded; what is compiled when warming is interrupted stays.
    """
    names = list(FAMILIES) if families is None else list(families)
    steps = _steps(names)
    if processes > 1 and CACHE_DIR is not None:
        _compile_apart(names, [what for what, _ in steps], processes, progress)
        progress = None
    for done, (what, step) in enumerate(steps):
        if progress is not None:
            progress(done, len(steps), what)
        step()
    if progress is not None:
        progress(len(steps), len(steps), "ready")


def _compile_apart(
    names: list[str], steps: list[str], processes: int, progress: Progress | None
) -> None:
    """Run every step once in a child process, ``processes`` at a time.

    A child that fails is passed over: its step is then compiled by the caller, who sees why.
    """
    root = str(Path(__file__).resolve().parents[2])

    def run(number: int) -> None:
        code = (
            f"import sys; sys.path.insert(0, {root!r}); "
            f"from explorer.engine.warm import run_step; run_step({names!r}, {number})"
        )
        subprocess.run(
            [sys.executable, "-c", code],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    with ThreadPoolExecutor(processes) as pool:
        waiting = {pool.submit(run, number): what for number, what in enumerate(steps)}
        if progress is not None:
            progress(0, len(steps), ", ".join(steps[:processes]))
        for done, task in enumerate(as_completed(waiting), 1):
            task.result()
            going = [what for other, what in waiting.items() if other.running()]
            if progress is not None:
                progress(done, len(steps), ", ".join(going) or "loading")


def run_step(names: list[str], number: int) -> None:
    """One step of warming these families, in a process of its own."""
    _steps(names)[number][1]()


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
    # forests of axis and of oblique splits predict by kernels of their own
    kinds = {DIRECTIONS[FAMILIES[name].split].weighted: name for name in reversed(names)}
    for name in kinds.values():
        asked = FAMILIES[name].replace(bootstrap="with", prune=0)
        steps.append((f"predicting, {name}", partial(_ask, asked)))
    steps.append(("out-of-bag", partial(_out_of_bag, spec)))
    steps.append(("missing values", partial(_lack, spec)))
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
    for rows in (X, np.tile(X, (4, 1))):  # few rows and many take different ways
        forest.predict(rows, threads=1)
        forest.apply(rows, threads=1)


def _lack(spec: ForestSpec) -> None:
    X, y = _data()
    X[::3, 1] = np.nan
    forest = grow(spec.replace(n_tree=2, missing="accept"), X, y, threads=1)
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
