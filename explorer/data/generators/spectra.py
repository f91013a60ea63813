"""The spectra simulator: an infrared and a resonance preset, and bands of your own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import eval_legendre

from explorer.data.axis import SpectralAxis
from explorer.data.dataset import Dataset
from explorer.data.entry import SIGMA, Knob, entry, seed
from explorer.data.spectra import SHAPES, Band, SpectraTruth, amplitudes
from explorer.data.truth import Floats, balanced_labels

_BASELINE_ORDERS = (0, 1, 2, 3)


@dataclass(frozen=True)
class Preset:
    """An axis (first, last, unit), its usual bands, and names for the classes."""

    title: str
    first: float
    last: float
    unit: str
    bands: tuple[Band, ...]
    class_names: tuple[str, ...]


# Positions and assignments as in any table of protein and serum spectra; heights relative to the
# amide I band. The second class has more sugar (1030, 1080) and lipid ester (1740).
IR = Preset(
    title="Simulated infrared spectra",
    first=1800.0,
    last=900.0,
    unit="cm-1",
    bands=(
        Band(1740.0, 22.0, 0.06, "voigt", (0.0, 0.5)),
        Band(1655.0, 48.0, 1.00, "gaussian"),
        Band(1545.0, 46.0, 0.66, "gaussian"),
        Band(1455.0, 28.0, 0.24, "voigt"),
        Band(1400.0, 32.0, 0.28, "voigt"),
        Band(1310.0, 44.0, 0.14, "gaussian"),
        Band(1240.0, 42.0, 0.18, "voigt"),
        Band(1170.0, 30.0, 0.08, "voigt"),
        Band(1080.0, 44.0, 0.30, "voigt", (0.0, 0.12)),
        Band(1030.0, 30.0, 0.20, "voigt", (0.0, 0.20)),
    ),
    class_names=("control", "case"),
)

# Proton spectra of the brain at long echo time. Tumours: choline up, NAA down, lactate up.
MRS = Preset(
    title="Simulated magnetic resonance spectra",
    first=4.2,
    last=0.5,
    unit="ppm",
    bands=(
        Band(3.93, 0.07, 0.45, "lorentzian"),
        Band(3.56, 0.08, 0.30, "lorentzian"),
        Band(3.21, 0.06, 0.80, "lorentzian", (0.0, 0.40)),
        Band(3.03, 0.06, 0.75, "lorentzian", (0.0, -0.13)),
        Band(2.35, 0.20, 0.20, "voigt"),
        Band(2.02, 0.07, 1.00, "lorentzian", (0.0, -0.30)),
        Band(1.36, 0.05, 0.12, "lorentzian", (0.0, 1.00)),
        Band(1.30, 0.05, 0.12, "lorentzian", (0.0, 1.00)),
        Band(0.90, 0.22, 0.15, "gaussian", (0.0, 0.33)),
    ),
    class_names=("normal", "tumour"),
)


def simulate(
    name: str,
    title: str,
    axis: SpectralAxis,
    bands: Sequence[Band],
    class_names: Sequence[str],
    *,
    n: int = 120,
    effect: float = 1.0,
    spread: float = 0.08,
    baseline: float = 0.05,
    scatter: float = 0.1,
    offset: float = 0.0,
    shift: float = 0.0,
    noise: float = 0.01,
    replicates: int = 1,
    seed: int = 0,
) -> Dataset:
    """Spectra with bands of your own; see `explorer.data.spectra` for the model.

    n: spectra in all. effect: multiplies every band's contrast. spread: d_b / height_b.
    baseline: standard deviation of each Legendre coefficient, orders 0..3. scatter: τ. offset: sd
    of Menze's per-sample scalar (s.4, Fig. 6). shift: sd of a per-sample move of all bands, in
    units of the axis; with it the posterior has no closed form and `truth` is None. noise: σ.
    replicates: spectra per object; they share their band amplitudes and their group.
    informative: channels within one full width of a band with a contrast.
    """
    if replicates < 1 or n < 2 * replicates * len(class_names):
        raise ValueError(
            f"{n} spectra are too few for {len(class_names)} classes with {replicates} replicates "
            "each; at least two objects per class are needed."
        )
    values = axis.values
    heights = np.array([band.height for band in bands])
    t = np.linspace(-1.0, 1.0, values.size)
    drift = [baseline * eval_legendre(order, t) for order in _BASELINE_ORDERS if baseline]
    if offset:
        drift.append(np.full(values.size, offset))
    truth = SpectraTruth(
        shapes=np.column_stack([band.profile(values) for band in bands]),
        amplitude=amplitudes(bands, len(class_names), effect),
        spread=spread * np.abs(heights),
        drift=np.column_stack(drift) if drift else np.zeros((values.size, 0)),
        scatter=scatter,
        noise=noise,
    )
    rng = np.random.default_rng(seed)
    n_objects = -(-n // replicates)
    y_object = balanced_labels(n_objects, len(class_names), rng)
    objects = np.repeat(np.arange(n_objects), replicates)[:n]
    y = y_object[objects]
    moved: Floats | None = None
    if shift:
        by = shift * rng.standard_normal((n, 1))
        moved = np.stack([band.profile(values - by) for band in bands], axis=2)
    informative = np.zeros(values.size, bool)
    if effect:
        for band in bands:
            if any(band.contrast) and np.ptp(band.contrast) > 0:
                informative |= band.covers(values)
    return Dataset(
        name=name,
        title=title,
        X=truth.spectra(y, objects, rng, moved),
        y=y,
        class_names=tuple(class_names),
        feature_names=tuple(f"{v:.6g}" for v in values),
        axis=axis,
        groups=objects if replicates > 1 else None,
        truth=None if shift else truth,
        informative=np.flatnonzero(informative),
        citation="simulated; offsets after Menze et al. 2011, s.4 and Fig. 6",
    )


def preset_spectra(
    name: str,
    preset: Preset,
    p: int,
    marker: float,
    marker_width: float,
    marker_height: float,
    marker_shape: str,
    **knobs: float | int,
) -> Dataset:
    """A preset with one more band that only the second class has, if marker_height is not 0."""
    bands = list(preset.bands)
    if marker_height:
        # at effect 1 the first class has none of it; at effect 0 both have all of it
        bands.append(Band(marker, marker_width, marker_height, marker_shape, (-1.0, 0.0)))
    axis = SpectralAxis.of_unit(np.linspace(preset.first, preset.last, p), preset.unit)
    return simulate(name, preset.title, axis, bands, preset.class_names, **knobs)  # type: ignore[arg-type]


def spectra_ir(
    n: int = 120,
    p: int = 300,
    effect: float = 1.0,
    marker: float = 1120.0,
    marker_width: float = 24.0,
    marker_height: float = 0.0,
    marker_shape: str = "voigt",
    spread: float = 0.08,
    baseline: float = 0.02,
    scatter: float = 0.05,
    offset: float = 0.0,
    shift: float = 0.0,
    noise: float = 0.015,
    replicates: int = 1,
    seed: int = 0,
) -> Dataset:
    """Infrared-like serum spectra, 1800-900 cm-1; a marker band can be placed by hand."""
    return preset_spectra(
        "spectra_ir",
        IR,
        p,
        marker,
        marker_width,
        marker_height,
        marker_shape,
        n=n,
        effect=effect,
        spread=spread,
        baseline=baseline,
        scatter=scatter,
        offset=offset,
        shift=shift,
        noise=noise,
        replicates=replicates,
        seed=seed,
    )


def spectra_mrs(
    n: int = 120,
    p: int = 256,
    effect: float = 1.0,
    marker: float = 2.6,
    marker_width: float = 0.08,
    marker_height: float = 0.0,
    marker_shape: str = "lorentzian",
    spread: float = 0.2,
    baseline: float = 0.08,
    scatter: float = 0.15,
    offset: float = 0.0,
    shift: float = 0.0,
    noise: float = 0.06,
    replicates: int = 1,
    seed: int = 0,
) -> Dataset:
    """Magnetic-resonance-like brain spectra, 4.2-0.5 ppm; a marker band can be placed by hand."""
    return preset_spectra(
        "spectra_mrs",
        MRS,
        p,
        marker,
        marker_width,
        marker_height,
        marker_shape,
        n=n,
        effect=effect,
        spread=spread,
        baseline=baseline,
        scatter=scatter,
        offset=offset,
        shift=shift,
        noise=noise,
        replicates=replicates,
        seed=seed,
    )


def _knobs(first: float, last: float, widest: float) -> dict[str, Knob]:
    low, high = min(first, last), max(first, last)
    return {
        "n": Knob("Spectra in all.", 8, 5000, symbol="n"),
        "p": Knob("Channels of a spectrum.", 16, 4000, symbol="p"),
        "effect": Knob("How much the classes differ; 0 makes them equal.", 0.0, 5.0),
        "marker": Knob("Where a further band of the second class lies.", low, high),
        "marker_width": Knob("Full width at half maximum of that band.", widest / 100, widest),
        "marker_height": Knob("Height of that band; 0 leaves it out.", 0.0, 2.0),
        "marker_shape": Knob("Shape of that band.", choices=SHAPES),
        "spread": Knob("How much band heights differ from sample to sample.", 0.01, 1.0),
        "baseline": Knob("Size of a slow drift under the bands.", 0.0, 5.0),
        "scatter": Knob("How much whole spectra are stretched in height.", 0.0, 0.5, symbol="τ"),
        "offset": Knob("Size of one scalar added to all channels of a sample.", 0.0, 1e6),
        "shift": Knob("How far bands move from sample to sample.", 0.0, widest),
        "noise": Knob("Detector noise in every channel.", 0.002, 1.0, symbol=SIGMA),
        "replicates": Knob("Spectra of each object; they form a group.", 1, 10),
        "seed": seed(),
    }


ENTRIES = (
    entry(
        spectra_ir,
        "Simulated infrared spectra",
        "spectral",
        "Serum-like bands with drift and noise; informative ones are known.",
        **_knobs(IR.first, IR.last, 200.0),
    ),
    entry(
        spectra_mrs,
        "Simulated MR spectra",
        "spectral",
        "Tumour or not, from brain metabolites; informative channels are known.",
        **_knobs(MRS.first, MRS.last, 1.0),
    ),
)
