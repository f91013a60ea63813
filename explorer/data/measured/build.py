"""The last step: aligned spectra, their classes and groups become a `Dataset`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.data.dataset import Dataset
from explorer.data.measured.align import Grid
from explorer.data.measured.classes import Proposal
from explorer.data.measured.spectra import MeasuredSpectra
from explorer.data.readers.columns import listed
from explorer.data.readers.refused import FileRefused, shown

Texts = Proposal | str | Sequence[str] | None


def build(found: MeasuredSpectra, classes: Texts, groups: Texts, grid: Grid | None) -> Dataset:
    """See `MeasuredSpectra.to_dataset`."""
    labels = _texts(found, classes, "class")
    codes_of_groups = None if groups is None else _texts(found, groups, "group")
    notes = list(found.notes[:20])
    known = np.array([bool(text) for text in labels])
    if not known.any():
        raise FileRefused("No spectrum has a class. Choose another way to find the classes.")
    chosen = np.flatnonzero(known)
    if chosen.size < known.size:
        notes.append(f"{known.size - chosen.size} spectra without a class were left out.")
    kept = tuple(found.spectra[k] for k in chosen)
    part = MeasuredSpectra(found.name, kept, most_cells=found.most_cells)
    aligned = part.align(grid)
    rows = chosen[aligned.kept]
    notes += aligned.notes
    texts = [labels[k] for k in rows]
    names = tuple(sorted(set(texts)))
    if len(names) < 2:
        raise FileRefused(
            f"All spectra have the class {shown(names[0])}; a forest needs two. Choose another way "
            "to find the classes."
        )
    code = {name: k for k, name in enumerate(names)}
    if found.not_read:
        names_of = [f.file.rsplit("/", 1)[-1] for f in found.not_read]
        notes.append(f"{len(names_of)} files were not read: {listed(names_of, 5)}.")
    spelled = [f"{v:.10g}" for v in aligned.axis.values]
    if len(set(spelled)) < len(spelled):
        spelled = [repr(float(v)) for v in aligned.axis.values]
    aligned.X.setflags(write=False)
    return Dataset(
        name=found.name,
        X=aligned.X,
        y=np.array([code[text] for text in texts], np.intp),
        class_names=names,
        feature_names=tuple(spelled),
        axis=aligned.axis,
        groups=None if codes_of_groups is None else _codes([codes_of_groups[k] for k in rows]),
        sample_names=tuple(found.spectra[k].name for k in rows),
        notes=tuple(notes),
    )


def _texts(found: MeasuredSpectra, wanted: Texts, what: str) -> Sequence[str]:
    if wanted is None:
        proposals = found.class_proposals()
        if not proposals:
            raise FileRefused(
                "It cannot be told which spectrum belongs to which class: the files are in one "
                "folder, their names have no part that repeats, and no table or field says it. Put "
                "them into one folder per class, or add a table with file names and classes."
            )
        return proposals[0].labels
    if isinstance(wanted, Proposal):
        return wanted.labels
    if isinstance(wanted, str):
        return (found.classes_by(wanted) if what == "class" else found.groups_by(wanted)).labels
    texts = [str(text) for text in wanted]
    if len(texts) != len(found.spectra):
        raise FileRefused(f"There are {len(texts)} texts for {len(found.spectra)} spectra.")
    return texts


def _codes(texts: list[str]) -> NDArray[np.intp]:
    """Equal codes for equal texts; a spectrum without a text is a group of its own."""
    own = [text or f"\x00{k}" for k, text in enumerate(texts)]
    return np.unique(own, return_inverse=True)[1].reshape(-1).astype(np.intp)
