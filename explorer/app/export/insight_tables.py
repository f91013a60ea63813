"""The numbers of the Importance and Proximity pages as CSV, one table per picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.analysis.proximity_picture import Places, turned_places
from explorer.app.export.download import table
from explorer.app.state.visitor import LETTERS
from explorer.app.work.band_work import BandRecords
from explorer.app.work.insight_work import Importances, Nearness
from explorer.data import Dataset


def spectra_csv(made: Importances | BandRecords | None) -> str:
    """Means and bands of the classes along the axis."""
    return table(None if made is None else made.spectra)


def importance_csv(made: Importances | None, families: Sequence[str]) -> str:
    """One row per feature and model, one column per measure."""
    if made is None:
        return table(None)
    import pandas

    frames = []
    for letter, family, record in zip(LETTERS, families, made.models, strict=False):
        frame = record.to_frame()
        frame.insert(0, "model", f"{letter} {family}")
        frames.append(frame)
    return table(pandas.concat(frames))


def places_csv(made: Nearness | None, i: int, pair: tuple[int, int], data: Dataset | None) -> str:
    """One row per sample: its name, class, place in the picture, votes and margin."""
    if made is None or data is None or i >= len(made.models):
        return table(None)
    frame = made.votes[i].to_frame()
    xy = turned_places(made.models, pair)[i].xy
    frame.insert(0, "sample", [sample_name(data, k) for k in range(data.n_samples)])
    frame.insert(2, "across", xy[:, 0])
    frame.insert(3, "up", xy[:, 1])
    frame["outlyingness"] = made.models[i].outlyingness
    return table(frame)


def samples_csv(made: Nearness | None, data: Dataset | None, names: Sequence[str]) -> str:
    """One row per sample: name, class, and each model's votes for it, margin, outlyingness."""
    if made is None or data is None or made.models[0].y.size != data.n_samples:
        return table(None)
    import pandas

    columns: dict[str, object] = {
        "sample": [sample_name(data, i) for i in range(data.n_samples)],
        "class": [data.class_names[k] for k in data.y],
    }
    for name, votes, record in zip(names, made.votes, made.models, strict=False):
        columns[f"{name} votes"] = votes.votes[np.arange(data.n_samples), data.y]
        columns[f"{name} margin"] = votes.margin
        columns[f"{name} outlying"] = record.outlyingness
    return table(pandas.DataFrame(columns))


def variance_csv(places: Sequence[Places], families: Sequence[str]) -> str:
    """Share of the variance that each coordinate explains, a column per model."""
    if not places:
        return table(None)
    import pandas

    names = [f"{letter} {family}" for letter, family in zip(LETTERS, families, strict=False)]
    columns = {n: pandas.Series(p.bars) for n, p in zip(names, places, strict=False)}
    frame = pandas.DataFrame(columns)
    frame.insert(0, "coordinate", range(1, len(frame) + 1))
    return table(frame)


def sample_name(data: Dataset, i: int) -> str:
    """The name of a sample, or its number."""
    return data.sample_names[i] if data.sample_names is not None else f"sample {i + 1}"
