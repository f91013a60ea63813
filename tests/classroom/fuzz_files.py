"""Uploads and model files by the thousand: several files in one piece, archives, images with their
labels, names with templates, and saved models. A case is fine if it is read, or refused by a
sentence.
"""

from __future__ import annotations

import gzip
import io
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from app.folders import folder, piece

from explorer.analysis import FittedModel
from explorer.app.state.bundle import unbundle
from explorer.data import Chain, load
from explorer.data.measured.image_files import image_in, labels_in
from explorer.data.measured.sources import FileSearch
from explorer.data.measured.templates import Template
from explorer.data.readers.refused import FileRefused, Limits
from explorer.data.readers.unpack import unpacked
from explorer.engine import FAMILIES

LIMITS = Limits(bytes=200_000, cells=100_000)
Mutated = Callable[[bytes, np.random.Generator], bytes]
_LETTERS = "ab1_-. \n\u00b2\u0664{}*#"


def refused(error: Exception) -> None:
    """A refusal is a sentence."""
    words = str(error)
    assert words, type(error)
    assert words[-1] in ".)", words
    assert len(words) < 600, words


# ---- several files in one piece


def a_bundle(rng: np.random.Generator, mutated: Mutated) -> bytes:
    return mutated(piece(folder(2, 1), ["locked.txt"]), rng)


def try_bundle(content: bytes) -> None:
    try:
        found = unbundle(content)
    except ValueError as refusal:
        refused(refusal)
        return
    search = FileSearch(found.files, LIMITS)
    assert search.go(lambda given: ({}, "An archive."))
    assert all(".." not in file.name.split("/") for file in search.result().files)


# ---- archives


@cache
def archives() -> list[bytes]:
    files = {"a/b.txt": b"1 2\n" * 200, "../c.txt": b"3 4\n", "d.txt": bytes(150_000)}
    found = []
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", method) as archive:
            for name, content in files.items():
                archive.writestr(zipfile.ZipInfo(name), content, method)
        found.append(out.getvalue())
    found.append(gzip.compress(b"") * 300 + gzip.compress(b"1 2\n" * 200))
    found.append(gzip.compress(bytes(500_000)))  # beyond the limit
    return found


def an_archive(rng: np.random.Generator, mutated: Mutated) -> bytes:
    return mutated(archives()[int(rng.integers(len(archives())))], rng)


def try_archive(content: bytes) -> None:
    try:
        found = unpacked(content, "a.zip", LIMITS)
    except FileRefused as refusal:
        refused(refusal)
        return
    assert sum(map(len, found.values())) <= LIMITS.bytes


# ---- images


@cache
def image() -> dict[str, bytes]:
    values = np.random.default_rng(3).random((6, 5, 4)).astype("<f4")
    fields = "ENVI\nsamples = 5\nlines = 6\nbands = 4\ndata type = 4\ninterleave = bip\n"
    fields += "header offset = 0\nbyte order = 0\nwavelength = {500, 510, 520, 530}\n"
    classes = fields.replace("bands = 4", "bands = 1").replace("type = 4", "type = 1")
    classes += "file type = ENVI Classification\nclass names = {none, a, b}\n"
    labels = np.zeros((6, 5), np.int64)
    labels[0], labels[1] = 1, 2
    array = io.BytesIO()
    np.save(array, labels)
    return {
        "cube.hdr": fields.encode(),
        "cube.dat": values.tobytes(),
        "labels.npy": array.getvalue(),
        "labels.csv": b"line,sample,class\n1,1,a\n2,2,b\n",
        "classes.hdr": classes.encode(),
        "classes.dat": labels.astype(np.uint8).tobytes(),
    }


def an_image(rng: np.random.Generator, mutated: Mutated) -> dict[str, bytes]:
    """The image with labels of one kind, one of the files damaged."""
    kind = ("labels.npy", "labels.csv", "classes")[int(rng.integers(3))]
    files = {n: c for n, c in image().items() if n.startswith(("cube", kind))}
    name = list(files)[int(rng.integers(len(files)))]
    return {**files, name: mutated(files[name], rng)}


def try_image(files: dict[str, bytes]) -> None:
    try:
        cube = image_in(files)
        found = None if cube is None else labels_in(files, cube)
    except FileRefused as refusal:
        refused(refusal)
        return
    if cube is not None and found is not None:
        codes, names = found
        assert codes.shape == (cube.lines, cube.samples)
        assert codes.max() < len(names)


# ---- names of files and templates


def a_template(rng: np.random.Generator, mutated: Mutated) -> tuple[str, str]:
    pieces = ["{class}", "{group}", *_LETTERS]
    chosen = [pieces[k] for k in rng.integers(len(pieces), size=int(rng.integers(1, 30)))]
    letters = rng.integers(len(_LETTERS), size=int(rng.integers(0, 400)))
    return "".join(chosen), "".join(_LETTERS[k] for k in letters)


def try_template(case: tuple[str, str]) -> None:
    template, name = case
    try:
        found = Template(template).match(name)
    except FileRefused as refusal:
        refused(refusal)
        return
    assert found is None or all(text in name for text in found.values())


# ---- saved models


@cache
def model() -> dict[str, Any]:
    data = load("tecator").take(np.arange(60))
    chain = Chain.of(("bands", {"low": 1000.0}), ("snv", {}))
    with tempfile.TemporaryDirectory() as where:
        path = Path(where) / "model.npz"
        FittedModel.fit(FAMILIES["RF"].replace(n_tree=3), data, chain, threads=1).save(path)
        with np.load(path) as file:
            return dict(file)


def a_saved_model(rng: np.random.Generator, mutated: Mutated) -> bytes:
    """Damage of the bytes of one array, of its shape or its numbers, or of the file."""
    arrays = dict(model())
    name = list(arrays)[int(rng.integers(len(arrays)))]
    array = arrays[name]
    kind = rng.integers(5)
    if kind == 0:
        del arrays[name]
    elif kind == 1:
        data = mutated(array.tobytes(), rng)
        data = data[: len(data) // array.itemsize * array.itemsize]
        arrays[name] = np.frombuffer(data, array.dtype)
        if arrays[name].size == array.size:
            arrays[name] = arrays[name].reshape(array.shape)
    elif kind == 2 and array.dtype.kind in "fiu" and array.size:
        odd: list[Any] = [np.nan, np.inf, -1, 2**31 - 1, 1e308]
        arrays[name] = np.array(array, np.float64)
        arrays[name].flat[int(rng.integers(array.size))] = odd[int(rng.integers(5))]
    elif kind == 3:
        arrays[name] = array[: int(rng.integers(array.shape[0] + 1))] if array.ndim else array
    out = io.BytesIO()
    np.savez(out, **arrays)
    return mutated(out.getvalue(), rng) if kind == 4 else out.getvalue()


def try_saved_model(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as where:
        path = Path(where) / "model.npz"
        path.write_bytes(content)
        try:
            found = FittedModel.load(path)
        except ValueError as refusal:
            refused(refusal)
            return
    rows = np.ones((2, found.chain.n_features)) + np.arange(found.chain.n_features)
    try:
        judged = found.judge(rows, threads=1)
    except ValueError as refusal:
        refused(refusal)
        return
    assert judged.predicted.shape == (2,)
