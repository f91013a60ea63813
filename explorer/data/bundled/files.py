"""Reading the bundled tables: gzipped CSV, numbers, the class in the last column."""

from __future__ import annotations

import gzip
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray


def bundled(name: str) -> tuple[NDArray[np.float64], list[str], list[str]]:
    """X float64 [n, p], the labels and the feature names of a table in this folder."""
    packed = files("explorer.data.bundled").joinpath(f"{name}.csv.gz").read_bytes()
    header, *lines = gzip.decompress(packed).decode("utf-8").splitlines()
    rows = [line.rsplit(",", 1) for line in lines]
    X = np.array([cells.split(",") for cells, _ in rows], dtype=np.float64)
    return X, [label for _, label in rows], header.split(",")[:-1]


def coded(labels: list[str], names: dict[str, str]) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Codes intp [n] and class names, in the order of `names`: label in the file -> class name."""
    order = {label: k for k, label in enumerate(names)}
    return np.array([order[label] for label in labels], np.intp), tuple(names.values())
