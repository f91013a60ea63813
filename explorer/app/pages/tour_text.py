"""What the card of a tour says: the largest weights of both directions, and the slice."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.app.widgets import plain

MOST_WEIGHTS = 4
INDEX_WORDS = {
    "classes": "Classes apart: {:.2f} of 1.",
    "forests": "Mean distance of A and B: {:.3f}.",
}


def directions_html(record: Any) -> str:
    """Both directions of a plane as sums of features in standard deviations."""
    lines = [
        f"<p><b>{word}</b> {plain(weighted_sum(record.names, record.frame[:, i]))}</p>"
        for i, word in enumerate(("To the right:", "Up:"))
    ]
    return (
        f'<div class="sums">{"".join(lines)}<p class="hint">Travels within '
        f"{plain(record.words)}, in standard deviations.</p></div>"
    )


def weighted_sum(names: Any, weights: Any) -> str:
    """'0.62 alcohol - 0.41 hue + ...': the largest weights first."""
    order = np.argsort(-np.abs(weights), kind="stable")[:MOST_WEIGHTS]
    parts: list[str] = []
    for i in order:
        value = float(weights[i])
        if abs(value) < 0.005:
            continue
        sign = ("−" if value < 0 else "") if not parts else (" − " if value < 0 else " + ")
        parts.append(f"{sign}{abs(value):.2f} {names[i]}")
    rest = "" if len(names) <= MOST_WEIGHTS else " + …"
    return "".join(parts) + rest


def slice_words(near: Any, depth: float, index: float | None, way: str) -> str:
    """How many samples are in the slice, and how far a guided tour has come."""
    words = []
    if index is not None and way in INDEX_WORDS:
        words.append(INDEX_WORDS[way].format(index))
    if near is not None:
        inside = int((np.asarray(near) >= 1.0).sum())
        words.append(f"{inside} of {len(near)} samples within {depth:.1f} sd of the plane.")
    return f'<p class="hint">{plain(" ".join(words))}</p>' if words else ""
