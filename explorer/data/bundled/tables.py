"""Owns the bundled UCI tables of Menze's Table 1: sonar, ionosphere, heart."""

from __future__ import annotations

from explorer.data.bundled.files import bundled, coded
from explorer.data.dataset import Dataset
from explorer.data.entry import entry


def _table(name: str, title: str, classes: dict[str, str], citation: str) -> Dataset:
    X, labels, names = bundled(name)
    y, class_names = coded(labels, classes)
    return Dataset(
        name=name,
        title=title,
        X=X,
        y=y,
        class_names=class_names,
        feature_names=tuple(names),
        citation=citation,
    )


def sonar() -> Dataset:
    """208 sonar returns in 60 frequency bands; rock or metal cylinder (Menze Table 1, set 12)."""
    return _table(
        "sonar",
        "Sonar",
        {"R": "rock", "M": "metal"},
        "Gorman, Sejnowski 1988; UCI, doi 10.24432/C5T01Q",
    )


def ionosphere() -> Dataset:
    """351 radar returns, 33 features; good or bad (Menze Table 1, set 11)."""
    return _table(
        "ionosphere",
        "Ionosphere",
        {"good": "good", "bad": "bad"},
        "Sigillito, Wing, Hutton, Baker 1989; UCI, doi 10.24432/C5W01B",
    )


def heart() -> Dataset:
    """270 patients, 13 features; heart disease present or absent (Menze Table 1, set 3)."""
    return _table(
        "heart",
        "Heart (Statlog)",
        {"absent": "absent", "present": "present"},
        "Statlog (Heart); UCI, doi 10.24432/C57303",
    )


ENTRIES = (
    entry(sonar, "Sonar", "real", "Rock or metal, from 60 frequency bands."),
    entry(ionosphere, "Ionosphere", "real", "Radar returns with structure or without."),
    entry(heart, "Heart (Statlog)", "real", "Heart disease from 13 findings, many discrete."),
)
