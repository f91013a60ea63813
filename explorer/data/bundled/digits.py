"""The handwritten digits: Menze's pairs of classes, and Ho's feature vectors f1 and f2."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.data.entry import Knob, entry

TASKS = ("ten digits", "2-4", "3-8", "even-odd")
FEATURES = ("pixels", "f1", "f2")
_STEP = 2  # Ho takes neighbours two pixels apart

Bits = NDArray[np.bool_]


def digits(task: str = "ten digits", features: str = "pixels", size: int = 8) -> Dataset:
    """1797 handwritten digits of 8 x 8 pixels (scikit-learn).

    task: all ten classes (Ho), or Menze's Table 1, sets 21-23: 2 against 4, 3 against 8, even
    against odd. features: grey pixels; Ho's f1, pixels binarised at half of the range; or f2, f1
    with conjunctions and disjunctions of neighbours (`neighbours`). size: 8, or 20 as in Ho, by
    cubic interpolation of the 8 x 8 images (Ho's are scanned at 20 x 20).
    """
    from sklearn.datasets import load_digits

    bunch = load_digits()
    images, target = np.asarray(bunch.images, np.float64), np.asarray(bunch.target, np.intp)
    rows, y, class_names = _task(task, target)
    images = images[rows]
    X, names = vectors(images, features, size)
    return Dataset(
        name="digits",
        title=f"Digits, {task}" if task != TASKS[0] else "Digits",
        X=X,
        y=y,
        class_names=class_names,
        feature_names=tuple(names),
        image_shape=(size, size),
        citation="Alpaydin, Kaynak 1998; UCI, by way of scikit-learn; tasks after Menze et al. "
        "2011, Table 1, features after Ho 1995, s.5",
    )


def vectors(
    images: NDArray[np.float64], features: str, size: int
) -> tuple[NDArray[np.float64], list[str]]:
    """Feature vectors [n, p] and their names of grey images [n, s, s] with values 0 ... 16.

    features and size as in `digits`.
    """
    if size != images.shape[1]:
        from scipy.ndimage import zoom

        larger = (1.0, size / images.shape[1], size / images.shape[2])
        images = np.clip(zoom(images, larger, order=3, grid_mode=True, mode="nearest"), 0, 16)
    names = [f"pixel {i + 1},{j + 1}" for i in range(size) for j in range(size)]
    X = images.reshape(len(images), -1)
    if features != "pixels":
        bits = images >= 8.0
        X = bits.reshape(len(bits), -1).astype(np.float64)
        if features == "f2":
            more, more_names = neighbours(bits)
            X = np.hstack([X, more])
            names += more_names
    return X, names


def _task(
    task: str, target: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp], tuple[str, ...]]:
    """Rows, their codes and the class names."""
    everyone = np.arange(target.size)
    if task == "even-odd":
        return everyone, target % 2, ("even", "odd")
    if task == TASKS[0]:
        return everyone, target, tuple("0123456789")
    first, second = (int(digit) for digit in task.split("-"))
    rows = np.flatnonzero((target == first) | (target == second))
    return rows, (target[rows] == second).astype(np.intp), (str(first), str(second))


def neighbours(bits: Bits) -> tuple[NDArray[np.float64], list[str]]:
    """H', V', N', S' of Ho 1995, s.5, for binary images [n, s, s]: float64 [n, m] and m names.

    H(i,j) = I(i,j) and I(i,j+2), V with (i+2,j), N with (i+2,j+2), S with (i+2,j-2); the primed
    ones are the "or" of four: H' down the rows, V' along the columns, N' and S' along the other
    diagonal. Ho prints 852 components for 20 x 20 pixels, 400 pixels and 452 of these; all
    well-defined positions would be 1062. 452 comes out exactly if the indices along which the
    "or" runs advance by two (i for H', j for V', both for N' and S'), which is our reading.
    """
    size = bits.shape[1]
    parts, names = [], []
    for letter, (di, dj), (oi, oj) in (
        ("H", (0, 2), (1, 0)),
        ("V", (2, 0), (0, 1)),
        ("N", (2, 2), (1, -1)),
        ("S", (2, -2), (1, 1)),
    ):
        touched = [(k * oi + a * di, k * oj + a * dj) for k in range(4) for a in (0, 1)]
        rows = _positions(size, [i for i, _ in touched], _STEP if oi else 1)
        columns = _positions(size, [j for _, j in touched], _STEP if oj else 1)
        for i in rows:
            for j in columns:
                parts.append(_any_of_four(bits, i, j, (di, dj), (oi, oj)))
                names.append(f"{letter}'({i + 1},{j + 1})")
    return np.stack(parts, axis=1).astype(np.float64), names


def _positions(size: int, offsets: list[int], step: int) -> range:
    """Indices from which all offsets stay within the image, from the first one on by step."""
    return range(-min(offsets), size - max(offsets), step)


def _any_of_four(
    bits: Bits, i: int, j: int, other: tuple[int, int], along: tuple[int, int]
) -> Bits:
    found = np.zeros(len(bits), bool)
    for k in range(4):
        r, c = i + k * along[0], j + k * along[1]
        found |= bits[:, r, c] & bits[:, r + other[0], c + other[1]]
    return found


ENTRIES = (
    entry(
        digits,
        "Digits",
        "real",
        "Handwritten digits: ten classes, or Menze's pairs; pixels, or Ho's features.",
        task=Knob("Which classes to tell apart.", choices=TASKS),
        features=Knob("Grey pixels, binary pixels, or with neighbours too.", choices=FEATURES),
        size=Knob("Pixels along a side.", choices=(8, 20)),
    ),
)
