"""Where a study's data come from: the catalogue, or the user's own folder of files.

In a folder each file is a data set, named as the file is, with the label in its last column. A
table ``sets.tsv`` beside them may say which rows are the training part: its columns are name and
n_train, and the first n_train rows of a file are its training part, the others its test part.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from explorer.data import Dataset, catalogue, load, read

FOLDER = "a folder of the user's"
PARTS = "sets.tsv"
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
                if path.name != PARTS and path.name.lower().endswith(ending) and path.is_file():
                    found.setdefault(path.name[: -len(ending)].lower(), path)
                    break
        if not found:
            raise ValueError(f"{self.folder} holds no data; put one CSV per data set into it.")
        return found

    @cached_property
    def training_rows(self) -> dict[str, int]:
        """Name -> how many of the first rows are the training part, where the folder says so."""
        table = None if self.folder is None else self.folder / PARTS
        if table is None or not table.is_file():
            return {}
        try:
            head, *rows = (line.split("\t") for line in table.read_text("utf-8").splitlines())
            at, count = head.index("name"), head.index("n_train")
            return {row[at].lower(): int(row[count]) for row in rows}
        except (ValueError, IndexError):
            raise ValueError(
                f"{table} must be a table with tabs between its columns, two of them 'name' and "
                "'n_train', a whole number. Mend it, or take it out of the folder."
            ) from None

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
