"""Forests in files: one ``.npz`` of plain arrays with a JSON header; never a pickle.

What is read is checked as far as a kernel could go wrong: children come after their parents (so
a walk ends), every node but the root has one parent and every leaf one node (so a picture's stack
is deep enough), every feature, weight and leaf exists, and all values are finite.
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
from .array_files import MOST_BYTES, load_arrays
from .check import read_only
from .forest import ARRAYS, NO_SIDES, Forest
from .scaling import Scaling
from .spec import ForestSpec
from .training import Training

FORMAT = "forest-explorer forest"
VERSION = 3
_READ = (1, 2, 3)  # format 1 knew neither groups nor how lambda is chosen, 2 no missing values
_ONCE_HO = ("ridge", "lda", "logistic", "psvm", "mixed")
# arrays that files of earlier formats do not have
_ONCE_ABSENT = NO_SIDES | {"groups": np.empty(0, np.int32), "centre": np.empty(0)}
_EXTRA = ("classes", "codes", "weight", "shift", "scale", "at", "values", "ranks")


def save(forest: Forest, path: Any) -> None:
    """Write ``forest``; the file appears whole or not at all."""
    if forest.first:
        raise ValueError(
            "These are some trees of a forest without its first ones; save the whole forest."
        )
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
    arrays["groups"] = np.empty(0, np.int32) if training.groups is None else training.groups
    arrays["centre"] = np.empty(0) if training.centre is None else training.centre
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


def load(path: Any, most_bytes: int = MOST_BYTES) -> Forest:
    """Read a forest; ValueError says what is wrong with a file that is not one.

    most_bytes: of all its arrays together.
    """
    try:
        with _opened(path) as source:
            found = load_arrays(source, most_bytes)
        needed = {"header", *ARRAYS, *_EXTRA} - set(_ONCE_ABSENT)
        missing = needed - set(found)
        if missing:
            raise ValueError(f"it has no {', '.join(sorted(missing))}")
        arrays = {name: found[name] for name in needed}
        for name, empty in _ONCE_ABSENT.items():
            arrays[name] = found.get(name, empty)
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
        if type(error).__module__ in ("zlib", "struct", "_lzma", "lzma", "binascii"):
            raise ValueError(f"This file is damaged: {error}. Save the forest again.") from None
        raise


def _opened(path: Any) -> Any:
    """The file as a context that closes it, whatever numpy makes of its content."""
    return nullcontext(path) if hasattr(path, "read") else open(path, "rb")


def _build(arrays: dict[str, np.ndarray]) -> Forest:
    header = json.loads(arrays["header"].tobytes().decode())
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError("its header is another program's")
    if header["version"] not in _READ:
        raise ValueError(
            f"it is of format {header['version']}, this program reads formats "
            f"{_READ[0]} to {_READ[-1]}"
        )
    spec = ForestSpec.from_dict(_spec_of(header))
    P = int(header["n_features"])
    scaling_n = float(header["scaling_n"])
    _check_arrays(arrays, spec, P, scaling_n)
    scaling_arrays = {k: read_only(arrays[k]) for k in ("shift", "scale", "at", "values", "ranks")}
    if header["scaling"] != spec.scaling:
        raise ValueError("its scaling is not its spec's")
    scaling = Scaling(header["scaling"], n=scaling_n, **scaling_arrays)
    training = Training(
        read_only(arrays["codes"]),
        read_only(arrays["weight"]),
        str(header["digest"]),
        groups=read_only(arrays["groups"]) if arrays["groups"].size else None,
        centre=read_only(arrays["centre"]) if arrays["centre"].size else None,
    )
    kept = {k: arrays[k] for k in ARRAYS}
    forest = Forest(spec, arrays["classes"], P, scaling, training, kept)
    _check_bags(forest)
    return forest


def _spec_of(header: dict[str, Any]) -> dict[str, Any]:
    """The knobs as written; a file of format 1 chose lambda by the rule of its time."""
    knobs = dict(header["spec"])
    if header["version"] == 1 and knobs.get("split") in ("ridge", "mixed"):
        knobs["tuning"] = "gain" if knobs.get("bootstrap") == "none" else "oob"
    if knobs.get("split") in _ONCE_HO:
        knobs.setdefault("grouping", "ho")  # files from before there was a choice
    return knobs


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
    "side": "u1",
    "fill": "f8",
    "centre": "f8",
    "oob_leaf": "i4",
    "node_at": "i8",
    "weight_at": "i8",
    "leaf_at": "i8",
    "oob_at": "i8",
    "codes": "i4",
    "weight": "f8",
    "groups": "i4",
    "shift": "f8",
    "scale": "f8",
    "at": "i8",
    "values": "f8",
    "ranks": "f8",
}


def _require(holds: Any, what: str) -> None:
    if not bool(np.all(holds)):
        raise ValueError(what)


def _check_arrays(a: dict[str, np.ndarray], spec: ForestSpec, P: int, scaling_n: float) -> None:
    for name, kind in _TYPES.items():
        _require(a[name].dtype == np.dtype(kind) and a[name].ndim == 1, f"{name} is malformed")
    finite = ("cut", "gain", "value", "fill", "centre", "shift", "scale", "values", "ranks")
    for name in (*finite, "weight"):
        _require(np.isfinite(a[name]), f"{name} has a value that is not finite")
    counts, K = a["counts"], a["classes"].size
    _require(counts.dtype == np.float64 and counts.ndim == 2, "counts is malformed")
    _require(K >= 2 and counts.shape[1] == K and a["classes"].ndim == 1, "classes are malformed")
    _require(np.unique(a["classes"]).size == K, "classes are malformed")
    _require(np.isfinite(counts) & (counts >= 0), "counts are not weights")
    _require(counts.sum(axis=1) > 0, "a leaf is empty")
    _require(np.isfinite(counts.sum()), "counts are not weights")
    _require(P >= 1 and a["shift"].size == P and a["scale"].size == P, "scaling is malformed")
    _require(a["scale"] > 0, "scaling is malformed")
    _require((a["codes"] >= 0) & (a["codes"] < K), "codes are malformed")
    _require(a["weight"].size == a["codes"].size and a["codes"].size > 0, "weights are malformed")
    _require(a["weight"] >= 0, "weights are malformed")
    _require(a["groups"].size in (0, a["codes"].size), "groups are malformed")
    _check_missing(a, spec, P)
    _check_offsets(a, spec.n_tree)
    _check_nodes(a, spec.n_tree, P)
    rows, total = np.count_nonzero(a["weight"] > 0), a["weight"].sum()
    _require(scaling_n == rows or abs(scaling_n - total) <= 1e-9 * total, "scaling is malformed")
    if spec.scaling == "rank":
        _check_ranks(a, P, scaling_n)


def _check_missing(a: dict[str, np.ndarray], spec: ForestSpec, P: int) -> None:
    """A side per node and a value per weight, or none of either; and the means, if accepted."""
    N, W = a["feature"].size, a["index"].size
    sizes = (a["side"].size, a["fill"].size)
    accepts = spec.missing == "accept"
    _require(sizes == (0, 0) or (accepts and sizes == (N, W)), "sides are malformed")
    _require(a["side"] <= 1, "sides are malformed")
    _require(a["centre"].size == (P if accepts else 0), "means are malformed")


def _check_offsets(a: dict[str, np.ndarray], T: int) -> None:
    """Every list of offsets rises from 0 to the size of what it divides among T trees."""
    sizes = {"node_at": a["feature"].size, "weight_at": a["index"].size}
    sizes |= {"leaf_at": a["counts"].shape[0], "oob_at": a["oob_leaf"].size}
    for name, size in sizes.items():
        at = a[name]
        _require(at.size == T + 1 and at[0] == 0 and at[-1] == size, f"{name} is malformed")
        least = 1 if name in ("node_at", "leaf_at") else 0
        _require(at[1:] >= at[:-1] + least, f"{name} is malformed")
        _require((at >= 0) & (at <= size), f"{name} is malformed")
    leaves, nodes = np.diff(a["leaf_at"]), np.diff(a["node_at"])
    _require(nodes == 2 * leaves - 1, "a tree has too many nodes, or too few, for its leaves")


def _check_nodes(a: dict[str, np.ndarray], T: int, P: int) -> None:
    """Nodes make trees: what kernels take for granted when they walk down (kernels/walk.py).

    All sums are made in 64 bits, because ``left + 1`` overflows in the 32 of the file.
    """
    N = a["feature"].size
    _require(a["left"].size == N and a["cut"].size == N and a["gain"].size == N, "nodes differ")
    _require(a["value"].size == a["index"].size, "weights differ")
    _require((a["index"] >= 0) & (a["index"] < P), "a weight has no feature")
    feature, left = a["feature"], a["left"].astype(np.int64)
    _require((feature >= -2) & (feature < P), "a node has no feature")
    tree = np.repeat(np.arange(T), np.diff(a["node_at"]))
    inside = np.arange(N) - a["node_at"][tree]
    nodes = np.diff(a["node_at"])[tree]
    leaf = feature == -1
    inner = ~leaf
    _require((left > inside)[inner] & (left + 1 < nodes)[inner], "a child is out of place")
    first = a["node_at"][tree[inner]] + left[inner]
    parents = np.bincount(np.concatenate([first, first + 1]), minlength=N)
    parents[a["node_at"][:-1]] += 1  # a root has no parent, and needs none
    _require(parents == 1, "a node has no parent, or two")
    _require((left >= 0)[leaf] & (left < np.diff(a["leaf_at"])[tree])[leaf], "a leaf is missing")
    met = np.bincount(a["leaf_at"][tree[leaf]] + left[leaf], minlength=a["counts"].shape[0])
    _require(met == 1, "a leaf is missing")
    slant = feature == -2
    _require(a["begin"].size in (0, N) and a["end"].size == a["begin"].size, "weights differ")
    _require(a["begin"].size == N or not slant.any(), "a node has no weights")
    if a["begin"].size:
        begin, end = a["begin"].astype(np.int64), a["end"].astype(np.int64)
        room = np.minimum(np.diff(a["weight_at"])[tree], begin + P)
        fits = (begin >= 0) & (begin <= end) & (end <= room)
        _require(np.where(slant, fits, (begin == 0) & (end == 0)), "a node has no weights")
    oob_tree = np.repeat(np.arange(T), np.diff(a["oob_at"]))
    _require(
        (a["oob_leaf"] >= 0) & (a["oob_leaf"] < np.diff(a["leaf_at"])[oob_tree]),
        "an out-of-bag leaf is missing",
    )


def _check_ranks(a: dict[str, np.ndarray], P: int, n: float) -> None:
    """Per feature: values and ranks both rise, and ranks are ranks of n rows (or of weight n)."""
    at, values, ranks = a["at"], a["values"], a["ranks"]
    _require(at.size == P + 1 and at[0] == 0 and at[-1] == values.size, "ranks malformed")
    _require(at[1:] > at[:-1], "ranks malformed")
    _require((at >= 0) & (at <= values.size), "ranks malformed")
    _require(ranks.size == values.size, "ranks malformed")
    _require((ranks >= 0.5) & (ranks <= n + 0.5), "ranks malformed")
    same = np.repeat(np.arange(P), np.diff(at))
    within = same[1:] == same[:-1]
    _require((values[1:] > values[:-1])[within], "ranks malformed")
    _require((ranks[1:] > ranks[:-1])[within], "ranks malformed")
