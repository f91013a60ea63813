"""Predicting the pixels of an image: 1 000 000 pixels of 200 bands, against scikit-learn's RF.

    python benchmarks/image_map.py [PIXELS]

The cube lies on disk as float32 (ENVI, bip) and is read as a memory map, some lines at a time, in
both cases. Both forests have 100 trees, grown on the same 2000 labelled pixels, and use as many
threads. Processor seconds and elapsed seconds of one run each.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from explorer.analysis import class_map
from explorer.data import read_cube
from explorer.engine import FAMILIES, grow

BANDS, SAMPLES, TREES, THREADS = 200, 1000, 100, 2


def write(folder: Path, lines: int) -> Path:
    rng = np.random.default_rng(0)
    x = np.linspace(0.0, 1.0, BANDS)
    means = np.array([np.sin(3 * x), np.cos(4 * x), x**2, np.exp(-((x - 0.5) ** 2) / 0.02)])
    with (folder / "image.dat").open("wb") as stream:
        for line in range(lines):
            kind = (np.arange(SAMPLES) // 100 + line // 50) % len(means)
            noise = rng.normal(scale=0.5, size=(SAMPLES, BANDS))
            stream.write((means[kind] + noise).astype("<f4").tobytes())
    head = folder / "image.hdr"
    head.write_text(
        f"ENVI\nsamples = {SAMPLES}\nlines = {lines}\nbands = {BANDS}\ndata type = 4\n"
        "interleave = bip\nbyte order = 0\n"
    )
    return head


def timed(work: Callable[[], np.ndarray]) -> tuple[np.ndarray, float, float]:
    elapsed, processor = time.perf_counter(), time.process_time()
    out = work()
    return out, time.perf_counter() - elapsed, time.process_time() - processor


def main() -> None:
    pixels = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    lines = max(4, pixels // SAMPLES)
    with tempfile.TemporaryDirectory() as where:
        cube = read_cube(write(Path(where), lines))
        rng = np.random.default_rng(1)
        labels = np.full((cube.lines, cube.samples), -1)
        chosen = rng.choice(cube.n_pixels, 2000, replace=False)
        row, column = np.divmod(chosen, SAMPLES)
        labels[row, column] = (column // 100 + row // 50) % 4
        data = cube.labelled(labels, ("a", "b", "c", "d"))
        theirs = RandomForestClassifier(TREES, n_jobs=THREADS, random_state=0).fit(data.X, data.y)

        def peer() -> np.ndarray:
            out = np.empty((cube.lines, cube.samples), np.int16)
            for part, spectra in cube.blocks():
                winner = theirs.predict_proba(spectra).argmax(axis=1)
                out[part] = winner.reshape(-1, cube.samples)
            return out

        print(f"{cube.n_pixels} pixels x {BANDS} bands, {TREES} trees, {THREADS} threads")
        codes, elapsed, processor = timed(peer)
        print(f"  scikit-learn RF: {elapsed:.1f} s, processor {processor:.1f} s", flush=True)
        for family in ("RF", "oRF-ridge"):
            forest = grow(FAMILIES[family].replace(n_tree=TREES), data.X, data.y)
            forest.predict_proba(data.X[:10])
            ours, ours_elapsed, ours_processor = timed(
                lambda forest=forest: class_map(forest, cube, threads=THREADS).codes
            )
            print(
                f"  {family}: {ours_elapsed:.1f} s, processor {ours_processor:.1f} s; scikit-learn "
                f"takes {processor / ours_processor:.2f} times its processor time; "
                f"{100 * (ours == codes).mean():.1f} % of the classes agree",
                flush=True,
            )


if __name__ == "__main__":
    main()
