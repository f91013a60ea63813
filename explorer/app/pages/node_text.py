"""Sentences of the Nodes page."""

from __future__ import annotations

from typing import Any

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
    kind, told = ("Leaf", "; shown is the cut above it") if leaf else ("Node", "")
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
    only = " Only one here: this cut is straight." if m == 1 else ""
    return f"The slant of this cut: one weight per feature.{only}{few}"


def of_map(shown: NodePictures) -> str:
    seen = shown.request.plane
    plane = f"{seen.y_label[:24]} against {seen.x_label[:24]}."
    if shown.partition is None or not (shown.partition.line_node == shown.split).any():
        return f"{plane} This cut does not meet the plane that is seen."
    faded = " Faded: samples that go elsewhere." if shown.node else ""
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
