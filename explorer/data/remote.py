"""Downloads from OpenML: any of its classification tables by name or number.

Downloading is scikit-learn's; what is a label, a number or a missing value is decided by the same
step as for files (`readers.assemble`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from explorer.data.dataset import Dataset
from explorer.data.readers.assemble import Wishes, assemble
from explorer.data.readers.refused import FileRefused, Limits
from explorer.data.readers.table import Table, counted_from, objects

Progress = Callable[[str, int], None]
_TICK = 0.2


class NoNetwork(ConnectionError):
    """OpenML could not be reached."""


def openml(
    name: str | int,
    *,
    version: int | None = None,
    label: str | None = None,
    one_hot: bool = True,
    impute: str | None = None,
    progress: Progress | None = None,
    data_home: str | Path | None = None,
) -> Dataset:
    """A data set of OpenML.

    name: its name, or its number ("40" or 40). version: of a name; the active one by default.
    label: the column of classes; OpenML's own target by default. one_hot, impute: as in `read`.
    progress: called with a stage ("asking", "downloading", "reading", "done") and the bytes that
    have come in, a few times a second, from the caller's own thread; OpenML does not say how many
    there will be. data_home: where scikit-learn keeps downloads.

    NoNetwork says so when OpenML cannot be reached; an unknown name or a table without classes is
    a ValueError (FileRefused) with a sentence.
    """
    number = _number(name)
    tell = progress or (lambda stage, size: None)
    tell("asking", 0)
    wanted: dict[str, Any] = {"as_frame": True, "parser": "auto", "n_retries": 1}
    if data_home is not None:
        wanted["data_home"] = str(data_home)
    if number is not None:
        wanted["data_id"] = number
    else:
        wanted |= {"name": str(name), "version": "active" if version is None else version}
    bunch = _fetch(wanted, name, tell, data_home)
    tell("reading", 0)
    dataset = _dataset(bunch, str(name), Wishes(label, None, (), one_hot, impute))
    tell("done", 0)
    return dataset


def _number(name: str | int) -> int | None:
    if isinstance(name, int):
        return name
    if not name.strip():
        raise ValueError("OpenML needs the name or the number of a data set, as in 'openml:sonar'.")
    return int(name) if name.strip().isascii() and name.strip().isdigit() else None


def _fetch(
    wanted: dict[str, Any], name: str | int, tell: Progress, data_home: str | Path | None
) -> Any:
    """What scikit-learn's fetch_openml gives, with bytes counted in its folder meanwhile."""
    from sklearn.datasets import get_data_home

    folder = Path(get_data_home(None if data_home is None else str(data_home))) / "openml"
    before = _size(folder)
    outcome: dict[str, Any] = {}

    def work() -> None:
        try:
            outcome["bunch"] = _call(wanted)
        except BaseException as error:
            outcome["error"] = error

    thread = threading.Thread(target=work, name="openml", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(_TICK)
        if thread.is_alive():
            tell("downloading", max(0, _size(folder) - before))
    error = outcome.get("error")
    if error is None:
        return outcome["bunch"]
    _explain(error, name)
    raise error


def _call(wanted: dict[str, Any]) -> Any:
    from sklearn.datasets import fetch_openml

    return fetch_openml(**wanted)


def _explain(error: BaseException, name: str | int) -> None:
    """Raise what a person can act on in place of what urllib or scikit-learn said."""
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError

    if isinstance(error, HTTPError) and error.code in (404, 412):
        raise ValueError(
            f"OpenML has no data set '{name}'. Look its name or number up on openml.org."
        ) from error
    if isinstance(error, URLError | HTTPException | ConnectionError | TimeoutError):
        reason = getattr(error, "reason", None) or error
        raise NoNetwork(
            f"OpenML could not be reached for '{name}' ({reason}). Check the network, or take a "
            "data set of the catalogue; they need none."
        ) from error
    if isinstance(error, ValueError):
        raise ValueError(
            f"OpenML's data set '{name}' cannot be read: {error} Look its name and version up on "
            "openml.org."
        ) from error


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:  # a temporary file that has just been moved
            continue
    return total


def _dataset(bunch: Any, name: str, wishes: Wishes) -> Dataset:
    frame = bunch.frame
    limits = Limits()
    limits.check_shape(*frame.shape)
    targets = list(bunch.target_names or [])
    if wishes.label is None and len(targets) != 1:
        raise FileRefused(
            f"OpenML's data set '{name}' names {len(targets)} targets. Name one column as label."
        )
    columns = []
    for column in frame.columns:
        values = frame[column]
        if values.dtype.kind in "fiub" and str(values.dtype) != "category":
            columns.append(values.to_numpy(dtype=np.float64, na_value=np.nan))
        else:
            cells = values.astype(object)
            columns.append(objects([None if v is None or v != v else str(v) for v in cells]))
    table = Table.of_columns([str(c) for c in frame.columns], columns, counted_from(1))
    table.label = str(targets[0]) if targets else None
    details = getattr(bunch, "details", None) or {}
    table.citation = f"OpenML {details.get('id', '')} {details.get('name', name)}".strip()
    return assemble(table, str(details.get("name", name)), wishes)
