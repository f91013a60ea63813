"""Where a study's data come from: the catalogue, or the user's own folder of files.

In a folder each file is a data set, named as the file is, with the label in its last column.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from explorer.data import Dataset, catalogue, load, read

FOLDER = "a folder of the user's"
_ENDINGS = (".csv", ".csv.gz", ".tsv", ".txt", ".parquet", ".arff")


class Sources:
    """Data sets by name. folder: the user's, looked into before the catalogue."""

    def __init__(self, folder: Path | str | None = None) -> None:
        self.folder = None if folder is None else Path(folder)
        if self.folder is not None and not self.folder.is_dir():
            raise ValueError(f"There is no folder {self.folder}; give one with a CSV per data set.")
        self._read: dict[str, Dataset] = {}

    @cached_property
    def files(self) -> dict[str, Path]:
        """Name -> file of the folder, by name; empty without a folder."""
        found: dict[str, Path] = {}
        if self.folder is None:
            return found
        for path in sorted(self.folder.iterdir()):
            for ending in sorted(_ENDINGS, key=len, reverse=True):
                if path.name.lower().endswith(ending) and path.is_file():
                    found.setdefault(path.name[: -len(ending)].lower(), path)
                    break
        if not found:
            raise ValueError(f"{self.folder} holds no data; put one CSV per data set into it.")
        return found

    def from_folder(self, name: str) -> Dataset | None:
        """The folder's data set of that name, or None."""
        path = self.files.get(name.lower())
        if path is None:
            return None
        if name not in self._read:
            data = read(path, label=-1, one_hot=True)
            self._read[name] = data.replace(name=name, title=name, citation=FOLDER)
        return self._read[name]

    def get(self, *names: str, **knobs: Any) -> Dataset | None:
        """The first of some names that the folder or else the catalogue has; None if none.

        knobs: for the catalogue's (a folder's file is as it is).
        """
        for name in names:
            found = self.from_folder(name)
            if found is not None:
                return found
        for name in names:
            if name in catalogue():
                return load(name, **knobs)
        return None

    def load(self, name: str, **knobs: Any) -> Dataset:
        """The catalogue's data set of that name."""
        return load(name, **knobs)

    def row(self, data: Dataset) -> dict[str, Any]:
        """What a result says of a data set."""
        return {
            "name": data.name,
            "title": data.title,
            "samples": data.n_samples,
            "features": data.n_features,
            "classes": data.n_classes,
            "digest": data.digest(),
            "from": "folder" if data.citation == FOLDER else "catalogue",
        }
