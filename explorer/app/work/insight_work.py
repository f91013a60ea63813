"""Long analyses of grown forests: importance and proximity, with progress and Stop.

A generator like `work.pictures`: it yields while the looking goes on in a thread of its own, so
sessions still take turns. Two such threads serve the whole process.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from explorer.analysis.class_spectra import ClassSpectra, class_spectra
from explorer.analysis.importance import Importance, importance
from explorer.analysis.proximity import Proximity, proximity
from explorer.analysis.proximity_picture import SampleVotes, sample_votes
from explorer.app.work.cache import Cache
from explorer.app.work.cache_key import cache_key
from explorer.app.work.requests import Source
from explorer.data import Dataset
from explorer.engine import FAMILIES, Forest, ForestSpec, grow
from explorer.engine.kernels import jit
from explorer.engine.threads import stand_back

TURN = 0.03  # seconds a scheduler's worker waits for the looking thread
LARGEST = 2e10  # trees x samples x features of a permutation: refused beyond
PREPARING = "Preparing, once, about 20 s"
QUICK = ("gini", "anova", "t", "weight")

_threads = ThreadPoolExecutor(2, "insight", initializer=stand_back)
_ready = threading.Event()


@dataclass(frozen=True)
class ForestQuestion:
    """A question about the forests of a page. permute: also permutation importance."""

    source: Source
    specs: tuple[ForestSpec, ...]
    permute: bool = False


@dataclass(frozen=True)
class ProgressText:
    """Progress, in words; 0 <= done <= wanted."""

    words: str


@dataclass(frozen=True)
class Importances:
    """Importance of every model, and the spectra if there are any.

    straight and slanted: the models (places in specs) that are compared, or None.
    """

    spectra: ClassSpectra | None
    models: tuple[Importance, ...]
    straight: int | None
    slanted: int | None


@dataclass(frozen=True)
class Nearness:
    """Proximity and out-of-bag votes of every model."""

    models: tuple[Proximity, ...]
    votes: tuple[SampleVotes, ...]


def pair(specs: tuple[ForestSpec, ...]) -> tuple[int | None, int | None]:
    """The first forest with straight cuts and the first with slanted ones."""
    straight = next((i for i, s in enumerate(specs) if not s.oblique), None)
    slanted = next((i for i, s in enumerate(specs) if s.oblique), None)
    return straight, slanted


def forest_of(look: ForestQuestion, i: int, cache: Cache, cancel: Any = None) -> Forest:
    """A grown forest out of the cache; grown here if it had to leave it."""
    spec, data = look.specs[i], look.source.data
    held = cache.get(cache_key("forest", look.source.digest, spec))
    if held is not None and held.forest.n_tree >= spec.n_tree:
        forest: Forest = held.forest
        return forest if forest.n_tree == spec.n_tree else forest.take(spec.n_tree)
    return grow(spec, data.X, data.y, groups=data.groups, cancel=cancel, threads=1)


def importances(look: ForestQuestion, cache: Cache, cancel: threading.Event) -> Iterator[Any]:
    """Steps, then `Importances`."""
    return kept(("importances", look.permute), look, cache, cancel, _importances)


def nearness(look: ForestQuestion, cache: Cache, cancel: threading.Event) -> Iterator[Any]:
    """Steps, then `Nearness`."""
    return kept(("nearness",), look, cache, cancel, _nearness)


Tell = Callable[[str], None]
Make = Callable[[ForestQuestion, Cache, threading.Event, Tell], Any]


def _key(look: ForestQuestion) -> tuple[Any, ...]:
    # the digest knows nothing of names and of the axis
    return look.source.digest, look.source.data.feature_names, look.specs


def kept(
    what: tuple[Any, ...], look: ForestQuestion, cache: Cache, cancel: threading.Event, make: Make
) -> Iterator[Any]:
    """Steps, then what is made of a look; kept in the cache under ``what`` and the look."""
    key = cache_key(what[0], *_key(look), *what[1:])
    held = cache.get(key)
    if held is not None:
        yield held
        return
    words: list[str] = []
    task = _threads.submit(_run, make, look, cache, cancel, words.append)
    last = ""
    try:
        while not task.done():
            wait_for([task], TURN)
            now = words[-1] if words else ""
            yield ProgressText(now) if now != last else None
            last = now
        made = _result(task)
        if made is not None:
            cache.put(key, made, _size(made))
            yield made
    finally:
        task.cancel()


def _result(task: Future[Any]) -> Any:
    try:
        return task.result()
    except CancelledError:
        return None


def _size(made: Any) -> int:
    if hasattr(made, "nbytes"):
        return int(made.nbytes)
    if isinstance(made, Nearness):
        return sum(r.nbytes for r in (*made.models, *made.votes)) + 1000
    spectra = 0 if made.spectra is None else made.spectra.nbytes
    return sum(r.nbytes for r in made.models) + spectra + 1000


def _run(
    make: Make, look: ForestQuestion, cache: Cache, cancel: threading.Event, tell: Tell
) -> Any:
    if not _ready.is_set():
        tell(PREPARING)
        prepare()
        _ready.set()
    return make(look, cache, cancel, tell)


def _importances(
    look: ForestQuestion, cache: Cache, cancel: threading.Event, tell: Tell
) -> Importances:
    data = look.source.data
    straight, slanted = pair(look.specs)
    measures = [*QUICK, "permutation"] if look.permute else list(QUICK)
    for spec in look.specs if look.permute else ():
        if spec.n_tree * data.n_samples * data.n_features > LARGEST:
            raise ValueError(
                "Permuting every feature of these data in so many trees would take too long. "
                "Choose fewer trees or another measure."
            )
    forests = [forest_of(look, i, cache, cancel) for i in range(len(look.specs))]
    records = []
    for i, forest in enumerate(forests):
        wanted = measures if forest.has_oob else [m for m in measures if m != "permutation"]
        tell(f"Forest {i + 1} of {len(forests)}")
        records.append(
            importance(
                forest,
                data,
                wanted,
                against=None
                if straight is None or not look.specs[i].oblique
                else forests[straight],
                threads=1,
                progress=lambda done, of, what: tell(f"{what}: {done} of {of} trees"),
                cancel=cancel,
            )
        )
    spectra = None if data.axis is None else class_spectra(data)
    return Importances(spectra, tuple(records), straight, slanted)


def _nearness(look: ForestQuestion, cache: Cache, cancel: threading.Event, tell: Tell) -> Nearness:
    data = look.source.data
    records, votes = [], []
    for i in range(len(look.specs)):
        tell(f"Forest {i + 1} of {len(look.specs)}")
        forest = forest_of(look, i, cache, cancel)
        records.append(
            proximity(
                forest,
                data,
                threads=1,
                progress=lambda done, of, what: tell(f"{what}: {done} of {of} trees"),
                cancel=cancel,
            )
        )
        votes.append(sample_votes(forest, data))
    return Nearness(tuple(records), tuple(votes))


# ---- kernels

_MARK = "explorer.app.work.insight_work.ready"


def prepare() -> None:
    """Have a child compile the kernels: compiling here would hold up every visitor."""
    if jit.CACHE_DIR is None or (jit.CACHE_DIR / _MARK).exists():
        return
    root = str(Path(__file__).parents[3])
    code = (
        f"import sys; sys.path.insert(0, {root!r}); "
        "from explorer.app.work.insight_work import compile_all"
    )
    try:
        subprocess.run(
            [sys.executable, "-c", f"{code}; compile_all()"],
            timeout=180,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        (jit.CACHE_DIR / _MARK).touch()
    except (OSError, subprocess.SubprocessError):
        return  # then this process compiles, as it would have without a child


def compile_all() -> None:
    """Look into tiny forests: every kernel a look needs is then compiled."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 3))
    data = Dataset("tiny", X, (X[:, 0] > 0).astype(np.intp), ("a", "b"))
    for family in ("RF", "oRF-ridge"):
        forest = grow(FAMILIES[family].replace(n_tree=4), data.X, data.y)
        importance(forest, data)
        proximity(forest, data)
