"""Preparing 2000 spectra of 2000 channels: each step, and chains of steps, against 0.2 s.

    python benchmarks/preparation.py

Processor time of this process (one thread), least of five runs in turn; beside it the same work by
scipy or numpy alone, written as a user would. A chain is fitted once and then maps all rows; "fit
and apply" also learns the references and makes the data set. Compiling is not counted.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy.linalg import solveh_banded
from scipy.signal import savgol_filter

from explorer.data import Chain, Dataset, SpectralAxis

N, P = 2000, 2000
STEPS: dict[str, tuple[tuple[str, dict], ...]] = {
    "linear baseline": (("baseline", {"method": "linear"}),),
    "asymmetric least squares": (("baseline", {"method": "asls"}),),
    "SNV": (("snv", {}),),
    "MSC": (("msc", {}),),
    "EMSC": (("emsc", {}),),
    "first derivative": (("derivative", {"order": 1}),),
    "area": (("normalise", {"method": "area"}),),
    "linear, SNV, derivative, bands": (
        ("baseline", {"method": "linear"}),
        ("snv", {}),
        ("derivative", {"order": 1}),
        ("bands", {"low": 500.0, "high": 3000.0}),
    ),
    "asymmetric, EMSC, derivative, centre": (
        ("baseline", {"method": "asls"}),
        ("emsc", {}),
        ("derivative", {"order": 1}),
        ("centre", {}),
    ),
}


def spectra() -> Dataset:
    rng = np.random.default_rng(0)
    x = np.linspace(0.0, 1.0, P)
    where = 0.2 + 0.6 * rng.random((N, 1))
    X = np.exp(-((x - where) ** 2) / 0.001) + 2 * x**2 + np.sin(3 * x)
    X *= 1 + 0.3 * rng.random((N, 1))
    X += 0.01 * rng.normal(size=(N, P))
    axis = SpectralAxis.of_unit(np.linspace(400.0, 4000.0, P), "cm-1")
    return Dataset("benchmark", X, np.arange(N) % 2, ("a", "b"), axis=axis)


def plain_snv(X: np.ndarray) -> np.ndarray:
    return (X - X.mean(axis=1, keepdims=True)) / X.std(axis=1, ddof=1, keepdims=True)


def plain_msc(X: np.ndarray) -> np.ndarray:
    reference = X.mean(axis=0)
    slope, offset = np.polyfit(reference, X.T, 1)
    return (X - offset[:, None]) / slope[:, None]


def plain_asls(X: np.ndarray) -> np.ndarray:
    """One hundred spectra, times twenty: the whole takes seconds."""
    p = X.shape[1]
    D = np.zeros((3, p))
    D[0], D[1], D[2] = 1.0, -4.0, 6.0
    D[1, [1, -1]], D[2, [0, -1]], D[2, [1, -2]] = -2.0, 1.0, 5.0
    out = np.empty((100, p))
    for i, x in enumerate(X[:100]):
        w = np.ones(p)
        for _ in range(50):
            banded = 1e5 * D
            banded[2] += w
            z = solveh_banded(banded, w * x)
            new = np.where(x > z, 0.01, 0.99)
            if (new == w).all():
                break
            w = new
        out[i] = x - z
    return out


PEERS: dict[str, tuple[str, Callable[[np.ndarray], np.ndarray], int]] = {
    "SNV": ("numpy", plain_snv, 1),
    "MSC": ("numpy", plain_msc, 1),
    "first derivative": ("scipy", lambda X: savgol_filter(X, 11, 2, deriv=1, axis=1), 1),
    "asymmetric least squares": ("scipy", plain_asls, N // 100),
}


def least(work: Callable[[], object], runs: int = 5) -> float:
    times = []
    for _ in range(runs):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


def main() -> None:
    data = spectra()
    print(f"{N} spectra of {P} channels; processor seconds, least of five runs; the bar is 0.2 s")
    for title, steps in STEPS.items():
        chain = Chain.of(*steps)
        fitted = chain.fit(data)
        fitted.map(data.X)
        mapped = least(lambda fitted=fitted: fitted.map(data.X))
        whole = least(lambda chain=chain: chain.fit(data).apply(data), 3)
        words = ""
        if title in PEERS:
            name, work, times = PEERS[title]
            words = f"; {name} alone {times * least(lambda work=work: work(data.X), 2):.3f} s"
        print(f"  {title}: {mapped:.3f} s; fit and apply {whole:.3f} s{words}", flush=True)


if __name__ == "__main__":
    main()
