"""A data set of spectra as one file: CSV with positions as headers, or .npz. `read` reads both."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from explorer.data.csv_cells import as_text
from explorer.data.dataset import Dataset
from explorer.data.readers.refused import FileRefused, shown

_AXIS_KEYS = {"cm-1": "wavenumber", "nm": "wavelength", "ppm": "ppm"}


def write(data: Dataset, path: str | Path) -> None:
    """Write a data set; the ending of the path says how (.csv or .npz)."""
    target = Path(path)
    if target.suffix.lower() == ".csv":
        _csv(data, target)
    elif target.suffix.lower() == ".npz":
        _npz(data, target)
    else:
        raise FileRefused(f"{shown(target.name)} must end in .csv or .npz.")


def _csv(data: Dataset, path: Path) -> None:
    unit = f" {data.axis.unit}" if data.axis is not None and data.axis.unit else ""
    names = [f"{name}{unit}" for name in data.feature_names]
    head = ["sample", *names]
    if data.groups is not None:
        head.append("group")
    head.append("label")
    samples = data.sample_names or tuple(map(str, range(1, data.n_samples + 1)))
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow([as_text(name) for name in head])
        for i, row in enumerate(data.X):
            group = [] if data.groups is None else [int(data.groups[i])]
            numbers = [repr(float(v)) for v in row]
            label = as_text(data.class_names[data.y[i]])
            writer.writerow([as_text(samples[i]), *numbers, *group, label])


def _npz(data: Dataset, path: Path) -> None:
    arrays = {
        "X": data.X,
        "y": np.array([data.class_names[k] for k in data.y]),
        "feature_names": np.array(data.feature_names),
    }
    if data.axis is not None:
        arrays[_AXIS_KEYS.get(data.axis.unit, "axis")] = data.axis.values
    if data.groups is not None:
        arrays["groups"] = data.groups
    if data.sample_names is not None:
        arrays["sample_names"] = np.array(data.sample_names)
    np.savez_compressed(path, allow_pickle=False, **arrays)
