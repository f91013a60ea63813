"""The bundled UCI tables of Menze's Table 1: sonar, ionosphere, heart."""

from __future__ import annotations

from collections.abc import Callable

from explorer.data.bundled.files import bundled, coded
from explorer.data.dataset import Dataset
from explorer.data.entry import entry

HEART_FINDINGS = {
    "chest_pain": "chest pain type",
    "rest_bp": "resting blood pressure",
    "chol": "cholesterol",
    "fbs": "fasting sugar > 120",
    "rest_ecg": "resting ECG",
    "max_hr": "maximum heart rate",
    "exang": "exercise angina",
    "oldpeak": "ST depression",
    "slope": "ST slope",
    "n_vessels": "vessels coloured",
    "thal": "thallium scan",
}


def _pulse(column: str) -> str:
    """Ionosphere: 17 pulses, the real and the imaginary part of each; column V1 is the first."""
    pulse, part = divmod(int(column[1:]) - 1, 2)
    return f"pulse {pulse + 1} {'imaginary' if part else 'real'}"


def _table(
    name: str,
    title: str,
    classes: dict[str, str],
    citation: str,
    called: Callable[[str], str],
) -> Dataset:
    """called: from a column of the file to the name that people use."""
    X, labels, names = bundled(name)
    y, class_names = coded(labels, classes)
    return Dataset(
        name=name,
        title=title,
        X=X,
        y=y,
        class_names=class_names,
        feature_names=tuple(called(column) for column in names),
        citation=citation,
    )


def sonar() -> Dataset:
    """208 sonar returns in 60 frequency bands; rock or metal cylinder (Menze Table 1, set 12)."""
    return _table(
        "sonar",
        "Sonar",
        {"R": "rock", "M": "metal"},
        "Gorman, Sejnowski 1988; UCI, doi 10.24432/C5T01Q",
        lambda column: f"band {column[1:]}",
    )


def ionosphere() -> Dataset:
    """351 radar returns, 33 features; good or bad (Menze Table 1, set 11)."""
    return _table(
        "ionosphere",
        "Ionosphere",
        {"good": "good", "bad": "bad"},
        "Sigillito, Wing, Hutton, Baker 1989; UCI, doi 10.24432/C5W01B",
        _pulse,
    )


def heart() -> Dataset:
    """270 patients, 13 features; heart disease present or absent (Menze Table 1, set 3)."""
    return _table(
        "heart",
        "Heart (Statlog)",
        {"absent": "absent", "present": "present"},
        "Statlog (Heart); UCI, doi 10.24432/C57303",
        lambda column: HEART_FINDINGS.get(column, column),
    )


ENTRIES = (
    entry(sonar, "Sonar", "real", "Rock or metal, from 60 frequency bands."),
    entry(ionosphere, "Ionosphere", "real", "Radar returns with structure or without."),
    entry(heart, "Heart (Statlog)", "real", "Heart disease from 13 findings, many discrete."),
)
