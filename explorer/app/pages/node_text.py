"""Sentences of the Nodes page."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.app.work.node_work import NodePictures
from explorer.views.number_text import true_minus


def counted(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def in_bag(n: float) -> str:
    """How every panel counts the samples of a node: as often as the tree's bag holds them."""
    return f"{n:g} sample{'' if n == 1 else 's'} in the bag, repeats counted"


def of_tree(shown: NodePictures) -> str:
    folded = int(shown.drawing.folded.sum())
    more = f" Deeper below ⋯: {counted(folded, 'node')}." if folded else ""
    return (
        "A larger node holds more samples; its slices are the classes. "
        f"Click one to look into it.{more}"
    )


def of_split(shown: NodePictures) -> str:
    """What the chosen node holds, and its cut (of a leaf: the cut above it)."""
    drawing = shown.drawing
    place = int((drawing.number == shown.node).argmax())
    held = ", ".join(
        f"{100 * share:.0f} % {name[:24]}"
        for name, share in zip(drawing.class_names, drawing.share[place], strict=True)
        if share > 0
    )
    leaf = shown.split != shown.node
    kind, told = ("Leaf", "; the cut above it is shown") if leaf else ("Node", "")
    return (
        f"{kind} {shown.node}: {in_bag(drawing.size[place])}, {held}{told}. "
        f"Left: {cut(shown.projection)}."
    )


def cut(record: Any) -> str:
    """A split in words: its formula where it is short."""
    if record.weights.size > 2 or len(record.label) > 30:
        return true_minus(f"scores up to {record.cut:.4g}")
    return true_minus(str(record.label).replace("<=", "≤"))


def of_weights(shown: NodePictures, most: int | None = None) -> str:
    m = shown.projection.weights.size
    few = f" The {most} largest of {m}." if most is not None and m > most else ""
    only = " Only one feature: this cut is straight." if m == 1 else ""
    return f"Weights of the features in this cut.{only}{few}"


def of_map(shown: NodePictures) -> str:
    seen = shown.request.plane
    plane = f"{seen.y_label[:24]} against {seen.x_label[:24]}."
    if shown.partition is None or not (shown.partition.line_node == shown.split).any():
        return f"{plane} This cut does not cross the plane that is shown."
    faded = " Faded: samples of other nodes." if shown.node else ""
    return f"{plane} Thick: this cut.{faded}"


def of_fan(shown: NodePictures, i: int) -> str:
    """How far the lit ridge cut, and the node's own one, are from those with a name."""
    record = shown.directions
    named = {name: record.kind.index(name.lower()) for name in ("LDA", "PCA", "PLS")}
    away = ", ".join(f"{record.angle(i, j):.0f}° off {name}" for name, j in named.items())
    words = f"Ridge on node {max(shown.split, 0)}, {in_bag(record.rows.size)}: {away}."
    if shown.own is not None:
        words += f" The node's own cut: {record.angle_of(shown.own, named['LDA']):.0f}° off LDA."
    return words


def of_hand_cut(search: Any, made: Any) -> str:
    """Impurity before, after and gained, and the classes of both sides."""
    sides = []
    for word, counts in zip(("left", "right"), made.counts, strict=True):
        total = counts.sum()
        if not total:
            sides.append(f"{word}: no samples")
            continue
        most = [int(k) for k in np.argsort(-counts)[:3] if counts[k]]
        parts = ", ".join(f"{100 * counts[k] / total:.0f} % {search.class_names[k]}" for k in most)
        sides.append(f"{word}: {total:.0f} samples, {parts}")
    share = 100 * made.gained / made.before if made.before > 0 else 0.0
    return (
        f"Impurity {made.before:.3f} before, {made.after:.3f} after: {made.gained:.3f} gained "
        f"({share:.0f} %). {'; '.join(sides)[:1].upper()}{'; '.join(sides)[1:]}."
    )


def of_search(search: Any) -> str:
    """The best straight cut and the best slanted one."""
    straight, slanted = search.best[search.straight], search.best[search.slanted]
    angle = search.angles[search.slanted]
    more = f", {100 * (slanted / straight - 1):.0f} % more" if straight > 0 else ""
    return (
        f"Square: the best straight cut gains {straight:.3f}. Star: the best slanted one, at "
        f"{angle:.0f}°, gains {slanted:.3f}{more}."
    )


def of_growth(growth: Any, k: int) -> str:
    """What the k-th cut did."""
    if k == 0:
        return "No cut yet: all samples lie in one node, and every place gets the same shares."
    drawing = growth.drawing
    place = int((drawing.number == growth.cut_at(k)).argmax())
    seen = (growth.partition.line_node == growth.cut_at(k)).any()
    where = "" if seen else " This cut does not meet the plane."
    gain = drawing.gain[place] / drawing.size[place]
    rule = str(drawing.text[place]).replace("<=", "≤")
    return (
        f"Cut {k} divides {drawing.size[place]:g} samples at {true_minus(rule)} and "
        f"lowers their impurity by {gain:.3f}.{where}"
    )
