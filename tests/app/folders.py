"""Small folders of spectra, written by the tests, and the piece in which a page sends them."""

import json

import numpy as np

from explorer.app.state.bundle import MAGIC

CLASSES = ("ash", "elm", "oak")


def spectrum(kind, seed, start=600.0, points=60):
    """The bytes of a text file with one spectrum; the peak of each class lies elsewhere."""
    rng = np.random.default_rng((kind, seed))
    x = start + 10.0 * np.arange(points)
    y = np.exp(-(((x - 800 - 60 * kind) / 40) ** 2)) + rng.normal(0, 0.02, points)
    rows = "\n".join(f"{a:.1f}\t{b:.5f}" for a, b in zip(x, y, strict=True))
    return f"Wavenumber (cm-1)\tAbsorbance\n{rows}\n".encode()


def folder(samples=4, replicates=2, top="trees/"):
    """Names and bytes: a sub-folder per class, files such as oak/oak_3_1.txt."""
    return {
        f"{top}{name}/{name}_{sample}_{again}.txt": spectrum(kind, 10 * sample + again)
        for kind, name in enumerate(CLASSES)
        for sample in range(samples)
        for again in range(replicates)
    }


DAMAGED = b"\x00K" + bytes(90)  # begins like a Galactic file and ends in its header


def piece(files, unopened=()):
    """Files in one piece, as assets/upload.js makes it."""
    listed = [[name, len(content)] for name, content in files.items()]
    listed += [[name, -1] for name in unopened]
    head = json.dumps(listed).encode()
    return MAGIC + len(head).to_bytes(4, "little") + head + b"".join(files.values())
