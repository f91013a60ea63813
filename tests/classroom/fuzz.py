"""Bad input by the thousand: links, files, models, settings, messages. Seeded: any case can be
had again.

`python tests/classroom/fuzz.py 100000` tries as many of every kind, `... 100000 links` of one.
Formats that a server reads in a process of its own are read in a fork each (`forks.py`). A case is
fine if it is accepted, or refused by a sentence; anything else is a fault.
"""

from __future__ import annotations

import io
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "data" / "readers")]

from classroom import fuzz_files  # noqa: E402
from classroom.forks import Forks  # noqa: E402
from classroom.fuzz_messages import a_message, try_message  # noqa: E402
from explorer.app.lessons.lesson import read_lesson  # noqa: E402
from explorer.app.state import link  # noqa: E402
from explorer.app.state.visitor import LETTERS, PAGES, State  # noqa: E402
from explorer.data import Dataset, FileRefused, catalogue, read  # noqa: E402
from explorer.data.readers import reading  # noqa: E402
from explorer.data.readers.refused import Limits  # noqa: E402
from explorer.data.transforms import TRANSFORMS  # noqa: E402
from explorer.engine import FAMILIES, Forest, ForestSpec, grow  # noqa: E402

LIMITS = Limits(bytes=1_000_000, columns=2000, seconds=20)
SPEC_KNOBS = list(ForestSpec.__dataclass_fields__)
ODD = [
    "nan",
    "inf",
    "-inf",
    "1e400",
    "9" * 5000,
    "-1",
    "0",
    "1e-300",
    "",
    " ",
    "None",
    "True",
    "[]",
    "{}",
    "../../etc/passwd",
    "file:///etc/passwd",
    "<script>alert(1)</script>",
    "'\"><img src=x onerror=alert(1)>",
    "%00",
    "\x00",
    "\ud800",
    "𝟘١",
    "a" * 3000,
    "1,2,3,4",
    ",",
    "~",
    ":",
    "~:~",
    "RF~n_tree:1e9",
    "__class__",
    "0x10",
    "1_000",
]
VALUES: list[Any] = [
    float("nan"),
    float("inf"),
    -float("inf"),
    -1,
    0,
    1,
    2,
    0.5,
    1e308,
    -1e308,
    10**30,
    2**63,
    2**31,
    True,
    False,
    None,
    [],
    [1],
    {},
    {"a": 1},
    (),
    (1, 2),
    "",
    "x",
    "RF",
    "none",
    b"x",
    object(),
    *ODD[:8],
]


class Fault(AssertionError):
    """A case that was neither accepted nor refused by a sentence."""


# ---- links


def a_link(rng: np.random.Generator) -> str:
    """A query that is nearly one of ours."""
    names = list(catalogue())
    name = str(rng.choice(names))
    knobs = list(catalogue()[name].knobs) or ["n"]
    keys = [
        "data",
        "points",
        "transform",
        "band",
        "model",
        "linked",
        "page",
        "soft",
        "layers",
        "trees",
        "plane",
        "node",
        "measure",
        "theme",
        "present",
        "before",
        *(f"d.{k}" for k in knobs),
        *(f"t.{k}" for k in ("angle", "seed", "sd", "low")),
        *ODD[:4],
    ]
    good = [name, "paint", "own", *TRANSFORMS, *FAMILIES, *PAGES, "0,1", "keep,1,2", "1", "50"]
    pairs = [("data", name)] if rng.random() < 0.7 else []
    for _ in range(int(rng.integers(0, 8))):
        key = keys[int(rng.integers(len(keys)))]
        value = (good if rng.random() < 0.5 else ODD)[int(rng.integers(100)) % 20]
        if key == "model" and rng.random() < 0.6:
            knob, text = SPEC_KNOBS[int(rng.integers(len(SPEC_KNOBS)))], ODD[rng.integers(len(ODD))]
            value = f"{rng.choice(list(FAMILIES))}~{knob}:{text}"
        pairs.append((key, value))
    query = urlencode(pairs, errors="replace")
    if rng.random() < 0.3:  # and some bytes of it changed
        text = bytearray(query.encode())
        for _ in range(int(rng.integers(1, 6))):
            if text:
                text[int(rng.integers(len(text)))] = int(rng.integers(32, 127))
        query = text.decode("ascii", "replace")
    return query if rng.random() < 0.98 else quote("".join(ODD), errors="replace")[:20_000]


def try_link(query: str) -> None:
    state = State()
    notices = link.read(query, state)
    if not all(isinstance(n, str) and n.endswith(".") and len(n) < 200 for n in notices):
        raise Fault(f"notices {notices!r}")
    check_state(state)
    again = State()
    again.data.upload = state.data.upload
    written = link.write(state)
    if link.read(written, again) or link.write(again) != written:
        raise Fault(f"not the same when read again: {written!r}")


def check_state(state: State) -> None:
    """Whatever was sent: the state lies within its bounds, and specs can be made of it."""
    for model in state.models.models:
        spec = model.spec(2) if hasattr(model, "spec") else None
        if spec is not None and not 1 <= spec.n_tree <= 1_000_000:
            raise Fault(f"{spec.n_tree} trees")
    if not 1 <= len(state.models.models) <= len(LETTERS):
        raise Fault("models")
    if state.view.page not in PAGES or not 0 <= state.view.trees <= 1_000_000:
        raise Fault("view")
    knobs = catalogue()[state.data.source].knobs if state.data.source in catalogue() else {}
    for name, value in state.data.knobs.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise Fault(f"{name} is {value}")
        knobs[name].check("knob", value)
    hash(state.data.recipe())


# ---- settings, as a widget's message sets them


def a_setting(rng: np.random.Generator) -> tuple[str, str, str, Any]:
    name = str(rng.choice(list(catalogue())))
    knobs = [*catalogue()[name].knobs, "no such knob"]
    kind = str(rng.choice(["data", "transform", "model", "view", "selection", "page", "band"]))
    options = {
        "data": knobs,
        "transform": ["angle", "seed", "sd", "no such knob"],
        "model": SPEC_KNOBS,
        "view": ["page", "soft", "layers", "trees", "across", "up", "theme", "present", "measure"],
        "selection": ["paint_class", "tool", "model", "tree", "node", "card"],
        "page": ["page"],
        "band": ["low"],
    }[kind]
    return kind, name, str(rng.choice(options)), VALUES[int(rng.integers(len(VALUES)))]


def try_setting(case: tuple[str, str, str, Any]) -> None:
    kind, source, name, value = case
    state = State()
    state.data.choose(source)
    try:
        if kind == "data":
            state.data.turn_knob(name, value)
        elif kind == "transform":
            state.data.param.update(transform="turn")
            state.data.turn_transform_knob(name, value)
        elif kind == "model":
            state.models.turn_knob(0, name, value)
        elif kind == "band":
            state.data.add_band(value, value, value)
        else:
            part = state.selection if kind == "selection" else state.view
            part.param.update(**{name: value})
    except (ValueError, TypeError, KeyError, IndexError):  # what `Session.guarded` turns into words
        pass
    check_state(state)


# ---- files


def mutated(content: bytes, rng: np.random.Generator) -> bytes:
    data = bytearray(content)
    for _ in range(int(rng.integers(1, 7))):
        if not data:
            break
        at, extra = int(rng.integers(len(data))), rng.bytes(int(rng.integers(1, 7)))
        kind = rng.integers(6)
        if kind == 0:
            data[at : at + len(extra)] = extra
        elif kind == 1:
            data[at:at] = extra
        elif kind == 2:
            del data[at : at + 1 + extra[0] % 40]
        elif kind == 3:
            data[at:at] = data[max(0, at - 40) : at]
        elif kind == 4:
            data[at] ^= 1 << int(rng.integers(8))
        else:
            del data[at:]
    return bytes(data)


def good() -> dict[str, bytes]:
    """One small good file per format."""
    import good_files

    return dict(good_files.GOOD)


def file_case(ending: str) -> Callable[[np.random.Generator], tuple[str, bytes]]:
    def make(rng: np.random.Generator) -> tuple[str, bytes]:
        found = [n for n in good() if n.endswith(ending)]
        name = found[int(rng.integers(len(found)))]
        return name, mutated(good()[name], rng)

    return make


def try_file(case: tuple[str, bytes]) -> None:
    name, content = case
    try:
        if not isinstance(read(content, name, limits=LIMITS), Dataset):
            raise Fault("no data set")
    except FileRefused as refusal:
        words = str(refusal)
        if words[-1] not in ".)" or len(words) > 500:
            raise Fault(words) from None


_model: list[bytes] = []


def a_model(rng: np.random.Generator) -> bytes:
    if not _model:
        X = np.random.default_rng(1).normal(size=(40, 3))
        for family in ("RF", "oRF-ridge"):
            held = io.BytesIO()
            forest = grow(FAMILIES[family].replace(n_tree=3), X, X[:, 0] > 0, threads=1)
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "forest.npz"
                forest.save(path)
                held.write(path.read_bytes())
            _model.append(held.getvalue())
    return mutated(_model[int(rng.integers(2))], rng)


def try_model(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as where:
        path = Path(where) / "forest.npz"
        path.write_bytes(content)
        try:
            forest = Forest.load(path)
        except (ValueError, OSError) as refusal:
            if not str(refusal):
                raise Fault("no words") from None
            return
        proba = forest.predict_proba(np.zeros((2, forest.n_features)), threads=1)
        if proba.shape[0] != 2:
            raise Fault("shape")


def a_lesson(rng: np.random.Generator) -> bytes:
    found = sorted((ROOT / "explorer" / "app" / "lessons" / "content").glob("*.md"))
    return mutated(found[int(rng.integers(len(found)))].read_bytes(), rng)


def try_lesson(raw: bytes) -> None:
    try:
        read_lesson(raw, "mine.md")
    except ValueError as refusal:
        if not str(refusal).strip():
            raise Fault("no words") from None


KINDS: dict[str, tuple[Callable[[np.random.Generator], Any], Callable[[Any], None], int]] = {
    # make a case, try it, and how many of it in CI
    "links": (a_link, try_link, 2500),
    "settings": (a_setting, try_setting, 5500),
    "models": (a_model, try_model, 1000),
    "lessons": (a_lesson, try_lesson, 300),
    "messages": (a_message, try_message, 600),
    "bundles": (partial(fuzz_files.a_bundle, mutated=mutated), fuzz_files.try_bundle, 400),
    "archives": (partial(fuzz_files.an_archive, mutated=mutated), fuzz_files.try_archive, 400),
    "images": (partial(fuzz_files.an_image, mutated=mutated), fuzz_files.try_image, 600),
    "templates": (partial(fuzz_files.a_template, mutated=mutated), fuzz_files.try_template, 600),
    "saved models": (
        partial(fuzz_files.a_saved_model, mutated=mutated),
        fuzz_files.try_saved_model,
        400,
    ),
    "csv": (file_case(".csv"), try_file, 400),
    "npz": (file_case(".npz"), try_file, 400),
    "ts": (file_case(".ts"), try_file, 200),
}
SLOW_KINDS = {  # each read in a process of its own
    name: (file_case("." + name), try_file, 0) for name in ("mat", "arff", "xlsx", "parquet")
}


def fuzz(kind: str, cases: int, seed: int = 0, progress: bool = False) -> int:
    """Try so many cases; the first fault is raised with the seed that gives it again."""
    make, attempt, _ = {**KINDS, **SLOW_KINDS}[kind]
    begun = time.monotonic()
    for i in range(cases):
        case = make(np.random.default_rng((seed, i)))
        try:
            attempt(case)
        except Exception as error:
            raise Fault(f"{kind}, case ({seed}, {i}): {type(error).__name__}: {error}") from error
        if progress and i % 1000 == 999:
            rate = (i + 1) / (time.monotonic() - begun)
            print(f"\r{kind}: {i + 1} of {cases}, {rate:.0f} per second", end="", flush=True)
    if progress:
        print(f"\r{kind}: {cases} cases, no fault" + " " * 20)
    return cases


def main() -> None:
    arguments = sys.argv[1:] or ["10000"]
    kinds = arguments[1:] or [*KINDS, *SLOW_KINDS]
    forks = None
    if set(kinds) & set(SLOW_KINDS) and hasattr(os, "fork"):
        forks = Forks()
        setattr(reading, "ask_child", forks.ask)  # noqa: B010 (mypy: a function)
    for kind in kinds:
        fuzz(kind, int(arguments[0]), progress=True)
    if forks is not None:
        forks.close()
        print(f"{forks.crashed} files made a reader crash, each in a process of its own.")


if __name__ == "__main__":
    main()
