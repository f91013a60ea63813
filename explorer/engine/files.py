"""Forests in files: one ``.npz`` of plain arrays with a JSON header; never a pickle.

What is read is checked as far as a walk down a tree could go wrong: children come after
their parents (so a walk ends), and every feature, weight and leaf exists.
"""

import json
import os
import tempfile
import zipfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from .check import read_only
from .forest import ARRAYS, Forest, Training
from .scaling import Scaling
from .spec import ForestSpec

FORMAT = "forest-explorer forest"
VERSION = 1
_EXTRA = ("classes", "codes", "weight", "shift", "scale", "at", "values", "ranks")


def save(forest: Forest, path: Any) -> None:
    """Write ``forest``; the file appears whole or not at all."""
    scaling, training = forest.scaling, forest.training
    header = {
        "format": FORMAT,
        "version": VERSION,
        "written_by": __version__,
        "spec": forest.spec.to_dict(),
        "n_features": forest.n_features,
        "scaling": scaling.kind,
        "scaling_n": scaling.n,
        "digest": training.digest,
    }
    arrays = {name: getattr(forest, name) for name in ARRAYS}
    arrays |= {"classes": forest.classes, "codes": training.codes, "weight": training.weight}
    arrays |= {k: getattr(scaling, k) for k in ("shift", "scale", "at", "values", "ranks")}
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    if hasattr(path, "write"):
        np.savez_compressed(path, **arrays)
        return
    target = Path(path)
    handle, name = tempfile.mkstemp(dir=target.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez_compressed(file, **arrays)
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def load(path: Any) -> Forest:
    """Read a forest; ValueError says what is wrong with a file that is not one."""
    try:
        with _opened(path) as source, np.load(source, allow_pickle=False) as file:
            missing = {"header", *ARRAYS, *_EXTRA} - set(file.files)
            if missing:
                raise ValueError(f"it has no {', '.join(sorted(missing))}")
            arrays = {name: file[name] for name in ("header", *ARRAYS, *_EXTRA)}
        return _build(arrays)
    except FileNotFoundError:
        raise
    except (
        ValueError,
        KeyError,
        TypeError,
        EOFError,
        OSError,
        IndexError,
        AttributeError,
        NotImplementedError,
        RuntimeError,
        ArithmeticError,
        MemoryError,
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
    ) as error:
        # a library may quote half of the file
        detail = " ".join(str(error).split())[:120].rstrip(".") or type(error).__name__
        raise ValueError(
            f"This file is not a forest, or it is damaged: {detail}. Save the forest again."
        ) from None
    except Exception as error:  # zlib.error and its kind have no common base
        if type(error).__module__ in ("zlib", "struct"):
            raise ValueError(f"This file is damaged: {error}. Save the forest again.") from None
        raise


def _opened(path: Any) -> Any:
    """The file as a context that closes it, whatever numpy makes of its content."""
    return nullcontext(path) if hasattr(path, "read") else open(path, "rb")


def _build(arrays: dict[str, np.ndarray]) -> Forest:
    header = json.loads(arrays["header"].tobytes().decode())
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError("its header is another program's")
    if header["version"] != VERSION:
        raise ValueError(
            f"it is of format {header['version']}, this program reads format {VERSION}"
        )
    spec = ForestSpec.from_dict(header["spec"])
    P = int(header["n_features"])
    _check_arrays(arrays, spec, P)
    scaling_arrays = {k: read_only(arrays[k]) for k in ("shift", "scale", "at", "values", "ranks")}
    if header["scaling"] != spec.scaling:
        raise ValueError("its scaling is not its spec's")
    scaling = Scaling(header["scaling"], n=int(header["scaling_n"]), **scaling_arrays)
    training = Training(
        read_only(arrays["codes"]), read_only(arrays["weight"]), str(header["digest"])
    )
    kept = {k: arrays[k] for k in ARRAYS}
    forest = Forest(spec, arrays["classes"], P, scaling, training, kept)
    _check_bags(forest)
    return forest


def _check_bags(forest: Forest) -> None:
    """Bags are drawn again from the seed: each has as many rows outside as leaves are stored."""
    if not forest.has_oob:
        return
    step = max(1, 2_000_000 // forest.training.codes.size)
    for first in range(0, forest.n_tree, step):
        last = min(first + step, forest.n_tree)
        outside = (forest.bags(first, last) == 0).sum(axis=1)
        _require(outside == np.diff(forest.oob_at[first : last + 1]), "its bags are malformed")


_TYPES = {
    "feature": "i4",
    "left": "i4",
    "cut": "f8",
    "gain": "f4",
    "begin": "i4",
    "end": "i4",
    "index": "i4",
    "value": "f8",
    "oob_leaf": "i4",
    "node_at": "i8",
    "weight_at": "i8",
    "leaf_at": "i8",
    "oob_at": "i8",
    "codes": "i4",
    "weight": "f8",
    "shift": "f8",
    "scale": "f8",
    "at": "i8",
    "values": "f8",
    "ranks": "f8",
}


def _require(holds: Any, what: str) -> None:
    if not bool(np.all(holds)):
        raise ValueError(what)


def _check_arrays(a: dict[str, np.ndarray], spec: ForestSpec, P: int) -> None:
    for name, kind in _TYPES.items():
        _require(a[name].dtype == np.dtype(kind) and a[name].ndim == 1, f"{name} is malformed")
    counts, K = a["counts"], a["classes"].size
    _require(counts.dtype == np.float64 and counts.ndim == 2, "counts is malformed")
    _require(K >= 2 and counts.shape[1] == K and a["classes"].ndim == 1, "classes are malformed")
    _require(np.isfinite(counts) & (counts >= 0), "counts are not weights")
    _require(counts.sum(axis=1) > 0, "a leaf is empty")
    _require(P >= 1 and a["shift"].size == P and a["scale"].size == P, "scaling is malformed")
    _require((a["scale"] > 0) & np.isfinite(a["scale"]), "scaling is malformed")
    _require(np.isfinite(a["shift"]), "scaling is malformed")
    _require((a["codes"] >= 0) & (a["codes"] < K), "codes are malformed")
    _require(a["weight"].size == a["codes"].size and a["codes"].size > 0, "weights are malformed")
    _require(np.isfinite(a["weight"]) & (a["weight"] >= 0), "weights are malformed")
    T = spec.n_tree
    sizes = {"node_at": a["feature"].size, "weight_at": a["index"].size}
    sizes |= {"leaf_at": counts.shape[0], "oob_at": a["oob_leaf"].size}
    for name, size in sizes.items():
        at = a[name]
        _require(at.size == T + 1 and at[0] == 0 and at[-1] == size, f"{name} is malformed")
        _require(
            np.diff(at) >= (1 if name in ("node_at", "leaf_at") else 0), f"{name} is malformed"
        )
    N = a["feature"].size
    _require(a["left"].size == N and a["cut"].size == N and a["gain"].size == N, "nodes differ")
    _require(a["value"].size == a["index"].size, "weights differ")
    _require((a["index"] >= 0) & (a["index"] < P), "a weight has no feature")
    feature, left = a["feature"], a["left"]
    _require((feature >= -2) & (feature < P), "a node has no feature")
    tree = np.repeat(np.arange(T), np.diff(a["node_at"]))
    inside = np.arange(N) - a["node_at"][tree]
    nodes = np.diff(a["node_at"])[tree]
    leaf = feature == -1
    _require((left > inside)[~leaf] & (left + 1 < nodes)[~leaf], "a child is out of place")
    _require((left >= 0)[leaf] & (left < np.diff(a["leaf_at"])[tree])[leaf], "a leaf is missing")
    slant = feature == -2
    _require(a["begin"].size in (0, N) and a["end"].size == a["begin"].size, "weights differ")
    if slant.any():
        _require(a["begin"].size == N, "a node has no weights")
        begin, end = a["begin"][slant], a["end"][slant]
        room = np.diff(a["weight_at"])[tree[slant]]
        _require((begin >= 0) & (begin <= end) & (end <= room), "a node has no weights")
    oob_tree = np.repeat(np.arange(T), np.diff(a["oob_at"]))
    _require(
        (a["oob_leaf"] >= 0) & (a["oob_leaf"] < np.diff(a["leaf_at"])[oob_tree]),
        "an out-of-bag leaf is missing",
    )
    if spec.scaling == "rank":
        at = a["at"]
        _require(at.size == P + 1 and at[0] == 0 and at[-1] == a["values"].size, "ranks malformed")
        _require(np.diff(at) >= 1, "ranks malformed")
        _require(a["ranks"].size == a["values"].size, "ranks malformed")
        _require(np.isfinite(a["values"]) & np.isfinite(a["ranks"]), "ranks malformed")
