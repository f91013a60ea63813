"""`FittedModel`: a forest with its preparation, axis and classes, for spectra measured later.

One .npz file holds all of it, without pickle: the forest (as `Forest.save` writes it), the fitted
chain, the axis that spectra are brought onto, the class names, and the prepared training samples,
which class sets, neighbours and the flag for outliers are computed from.
"""

from __future__ import annotations

import io
import json
import lzma
import os
import struct
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from explorer.analysis.model import Progress, check_training
from explorer.analysis.unknowns import CONFIDENCE, Unknowns, judge_unknowns
from explorer.data import Chain, Dataset, FittedChain, SpectralAxis
from explorer.data.measured import Grid, MeasuredSpectra, NotRead
from explorer.engine import Forest, ForestSpec, grow
from explorer.engine.array_files import load_arrays
from explorer.engine.files import load as load_forest

FORMAT = "forest-explorer model"
VERSION = 1
MOST_BYTES = 2 << 30  # of the arrays in a file


@dataclass(frozen=True, eq=False)
class FittedModel:
    """A forest grown on prepared spectra (or on a table, with an empty chain and no axis).

    training: the prepared data set that the forest was grown on. chain: the fitted preparation.
    axis: where raw spectra must be measured, None for a table. name: of the family or model.
    """

    forest: Forest
    training: Dataset
    chain: FittedChain
    axis: SpectralAxis | None = None
    name: str = ""

    @classmethod
    def fit(
        cls,
        spec: ForestSpec,
        dataset: Dataset,
        chain: Chain | None = None,
        *,
        name: str = "",
        threads: int | None = None,
        progress: Progress | None = None,
        cancel: Any = None,
    ) -> FittedModel:
        """Prepare a data set and grow a forest on it."""
        fitted = (chain or Chain()).for_data(dataset).fit(dataset)
        training = fitted.apply(dataset)
        groups = {} if dataset.groups is None else _grouped(dataset)
        forest = grow(
            spec,
            training.X,
            training.y,
            threads=threads,
            progress=progress,
            cancel=cancel,
            **groups,
        )
        return cls(forest, training, fitted, dataset.axis, name)

    def judge(
        self, raw: Dataset | Any, *, names: tuple[str, ...] | None = None, **options: Any
    ) -> Unknowns:
        """Judge raw rows [N, p] on the model's axis, or a data set; see `judge_unknowns`."""
        if isinstance(raw, Dataset):
            names = names or raw.sample_names
            raw = raw.raw
        return judge_unknowns(
            self.forest, self.training, self.chain.map(raw), names=names, **options
        )

    def judge_spectra(
        self, measured: MeasuredSpectra, *, confidence: float = CONFIDENCE, **options: Any
    ) -> tuple[Unknowns, tuple[NotRead, ...], tuple[str, ...]]:
        """Judge spectra read from files: (what was found, what was left out and why, notes).

        They are brought onto the model's axis; those that do not reach over it are left out. If
        none is left, a `FileRefused` says why.
        """
        if self.axis is None:
            raise ValueError(
                "This model was fitted on a table, not on spectra; call `judge` with its rows."
            )
        values = self.axis.values
        falls = values.size > 1 and values[0] > values[-1]
        aligned = measured.align(Grid(values[::-1] if falls else values, self.axis.unit))
        left_out = (*measured.not_read, *aligned.left_out)
        X = aligned.X[:, ::-1] if falls else aligned.X
        names = tuple(_label(measured, int(i)) for i in aligned.kept)
        found = self.judge(X, names=names, confidence=confidence, **options)
        return found, left_out, aligned.notes

    def save(self, path: Any) -> None:
        """Write the model to a path, where it appears whole or not at all, or to a stream."""
        forest = io.BytesIO()
        self.forest.save(forest)
        t = self.training
        header = {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "dataset": t.name,
            "classes": list(t.class_names),
            "features": list(t.feature_names),
            "samples": None if t.sample_names is None else list(t.sample_names),
            "axis": _axis_words(self.axis),
            "prepared axis": _axis_words(t.axis),
        }
        arrays: dict[str, Any] = {
            "header": np.frombuffer(json.dumps(header).encode(), np.uint8),
            "forest": np.frombuffer(forest.getvalue(), np.uint8),
            "X": t.X,
            "y": t.y,
        }
        if t.groups is not None:
            arrays["groups"] = t.groups
        for key, axis in (("axis", self.axis), ("prepared_axis", t.axis)):
            if axis is not None:
                arrays[key] = axis.values
        arrays |= {f"chain.{key}": value for key, value in self.chain.arrays().items()}
        if hasattr(path, "write"):
            np.savez_compressed(path, **arrays)
            return
        target = Path(path)
        handle, part = tempfile.mkstemp(dir=target.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez_compressed(file, **arrays)
            os.replace(part, target)
        except BaseException:
            Path(part).unlink(missing_ok=True)
            raise

    @staticmethod
    def load(path: Any) -> FittedModel:
        """Read a model; ValueError says what is wrong with a file that is not one."""
        try:
            return _read(path)
        except FileNotFoundError:
            raise
        except (
            ValueError,
            KeyError,
            TypeError,
            EOFError,
            OSError,
            AttributeError,
            NotImplementedError,
            RuntimeError,  # an encrypted file; values nested too deeply
            IndexError,
            ArithmeticError,
            MemoryError,
            SyntaxError,
            struct.error,
            zipfile.BadZipFile,
            zlib.error,
            lzma.LZMAError,
        ) as error:
            detail = " ".join(str(error).split())[:160].rstrip(".") or type(error).__name__
            raise ValueError(
                f"{Path(path).name} is not a model that `forest-explorer fit` wrote: {detail}."
            ) from None


def _grouped(dataset: Dataset) -> dict[str, Any]:
    """Replicates stay together in the bags."""
    return {"groups": dataset.groups}


def _label(measured: MeasuredSpectra, i: int) -> str:
    one = measured.spectra[i]
    return one.file if one.name in ("", one.file) else f"{one.file}: {one.name}"


def _axis_words(axis: SpectralAxis | None) -> list[Any] | None:
    return None if axis is None else [axis.name, axis.unit, axis.reversed]


def _axis(words: Any, values: Any) -> SpectralAxis | None:
    if words is None:
        return None
    name, unit, reverse = words
    return SpectralAxis(values, str(name), str(unit), bool(reverse))


def _read(path: Any) -> FittedModel:
    arrays = load_arrays(path, MOST_BYTES)
    header = json.loads(arrays["header"].tobytes())
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError("it has another header")
    if header.get("version") != VERSION:
        raise ValueError(f"it is of version {header.get('version')}; this program reads {VERSION}")
    names = header["samples"]
    training = Dataset(
        name=str(header["dataset"]),
        X=arrays["X"],
        y=arrays["y"],
        class_names=tuple(header["classes"]),
        feature_names=tuple(header["features"]),
        sample_names=None if names is None else tuple(names),
        axis=_axis(header["prepared axis"], arrays.get("prepared_axis")),
        groups=arrays.get("groups"),
    )
    chain = FittedChain.from_arrays(
        {k.removeprefix("chain."): v for k, v in arrays.items() if k.startswith("chain.")}
    )
    forest = load_forest(io.BytesIO(arrays["forest"].tobytes()), MOST_BYTES)
    check_training(forest, training)
    axis = _axis(header["axis"], arrays.get("axis"))
    if axis is not None and axis.values.size != chain.n_features:
        raise ValueError("its axis and its preparation do not fit together")
    _check_chain(chain, training.n_features)
    return FittedModel(forest, training, chain, axis, str(header["name"]))


def _check_chain(chain: FittedChain, prepared: int) -> None:
    """Prepare one made-up row: every step must take what the one before it gives."""
    row = np.linspace(1.0, 2.0, chain.n_features)[None, :]
    with np.errstate(all="ignore"):
        shape = chain.map(row).shape
    if shape != (1, prepared):
        raise ValueError("its preparation does not give the features of its forest")
