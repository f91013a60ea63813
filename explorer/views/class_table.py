"""Writes precision, recall and F1 by class as an HTML table; names from data are escaped."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from explorer.views.theme import class_colour

F1 = 2  # its column


def class_table(record: Any) -> str:
    """The table of an Evaluation, a row per class and one for the mean."""
    numbers = (record.precision, record.recall, record.f1, record.class_auc)
    rows = [
        _row(
            f'<i class="dot" style="background:{class_colour(k).base}"></i>'
            f"{escape(str(label)[:40], quote=True)}",
            [column[k] for column in numbers],
        )
        for k, label in enumerate(record.class_names)
    ]
    if len(rows) > 1:
        known = [column[np.isfinite(column)] for column in numbers]
        means = [float(c.mean()) if c.size else np.nan for c in known]
        rows.append(_row("Mean", means, "mean"))
    heads = "".join(
        f'<th scope="col"{_extra(i)}>{h}</th>'
        for i, h in enumerate(("Precision", "Recall", "F1", "AUC"))
    )
    return (
        '<table class="numbers">'
        f'<thead><tr><th scope="col">Class</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _row(head: str, values: list[Any], kind: str = "") -> str:
    cells = "".join(
        f"<td{_extra(i)}>{v:.3f}</td>" if np.isfinite(v) else f"<td{_extra(i)}>none</td>"
        for i, v in enumerate(values)
    )
    return f'<tr class="{kind}"><th scope="row">{head}</th>{cells}</tr>'


def _extra(column: int) -> str:
    """F1 follows from the two columns before it; a narrow card leaves it out."""
    return ' class="extra"' if column == F1 else ""
