"""The numbers of a map as CSV text, one row per pixel."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.app.state.plane_choice import Window
from explorer.app.work.map_record import MapRecord
from explorer.data import Dataset
from explorer.data.csv_cells import as_text


def map_csv(record: MapRecord, data: Dataset) -> str:
    """Pixel centres and posterior by class, as CSV text."""
    return grid_csv(record.posterior, record.window, data.class_names)


def grid_csv(values: NDArray[Any], window: Window, names: Sequence[str]) -> str:
    """Pixel centres and values [h, w] or [h, w, k] there, k of them named, as CSV text."""
    h, w = values.shape[:2]
    x = window.x0 + (np.arange(w) + 0.5) / w * window.width
    y = window.y0 + (np.arange(h) + 0.5) / h * window.height
    gx, gy = np.meshgrid(x, y)
    flat = values.reshape(h * w, -1)
    columns = [gx.ravel(), gy.ravel(), *flat.T]
    named = ["across", "up", *names[: flat.shape[1]]]
    head = ",".join('"' + as_text(name).replace('"', '""') + '"' for name in named)
    body = io.StringIO()
    np.savetxt(body, np.column_stack(columns), fmt="%.5g", delimiter=",")
    return f"{head}\n{body.getvalue()}"
