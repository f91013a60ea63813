"""Reading and aligning 1000 files of 2000 points, against a bare loop over a reader's library.

    python benchmarks/spectra_folder.py [FILES]

Three kinds of files: Galactic .spc against spc-io, JCAMP-DX against jcamp, and two columns of text
against numpy.loadtxt. Ours includes the worker process, recognising formats, checks, and bringing
all spectra onto one axis; the bare loop only reads. The least time of five runs in turn counts.
Elapsed time is what the bar is about; on a busy machine it says little, so the processor time of
this process and of the worker is given beside it. The two run at the same time.
"""

from __future__ import annotations

import os
import struct
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from explorer.data import read_spectra

POINTS = 2000


def spc(x: np.ndarray, y: np.ndarray) -> bytes:
    head = bytearray(512)
    head[1] = 0x4B
    struct.pack_into("<bidd", head, 3, -128, x.size, x[0], x[-1])
    struct.pack_into("<i", head, 24, 1)
    struct.pack_into("<I", head, 32, (2020 << 20) | (1 << 16) | (1 << 11))
    head[28] = 3
    sub = bytearray(32)
    struct.pack_into("<b", sub, 1, -128)
    return bytes(head) + bytes(sub) + y.astype("<f4").tobytes()


def jcamp(x: np.ndarray, y: np.ndarray) -> bytes:
    whole = np.round(y * 1e6).astype(int)
    rows = "\n".join(
        f"{x[k]:.4f} " + " ".join(map(str, whole[k : k + 8])) for k in range(0, x.size, 8)
    )
    return (
        "##TITLE= a\n##JCAMP-DX= 4.24\n##DATA TYPE= INFRARED SPECTRUM\n##XUNITS= 1/CM\n"
        f"##YUNITS= ABSORBANCE\n##XFACTOR= 1\n##YFACTOR= 1e-6\n##FIRSTX= {x[0]}\n##LASTX= {x[-1]}\n"
        f"##DELTAX= {x[1] - x[0]}\n##NPOINTS= {x.size}\n##XYDATA= (X++(Y..Y))\n{rows}\n##END=\n"
    ).encode()


def text(x: np.ndarray, y: np.ndarray) -> bytes:
    return "".join(f"{a:.5f}\t{b:.6f}\n" for a, b in zip(x, y, strict=True)).encode()


def bare_spc(path: Path) -> object:
    import spc_io

    with path.open("rb") as stream:
        found = spc_io.SPC.from_bytes_io(stream)
    return found[0].xarray, found[0].yarray


def bare_jcamp(path: Path) -> object:
    import jcamp as package

    return package.readfile(str(path))


def bare_text(path: Path) -> object:
    return np.loadtxt(path)


KINDS: dict[str, tuple[Callable[..., bytes], Callable[[Path], object], str]] = {
    "spc": (spc, bare_spc, "spc-io"),
    "jdx": (jcamp, bare_jcamp, "jcamp"),
    "txt": (text, bare_text, "numpy.loadtxt"),
}


def timed(work: Callable[[], object]) -> tuple[float, float, float]:
    """Elapsed seconds, processor seconds here, processor seconds of ended child processes."""
    before, begun = os.times(), time.perf_counter()
    work()
    elapsed, after = time.perf_counter() - begun, os.times()
    here = after.user + after.system - before.user - before.system
    there = (
        after.children_user + after.children_system - before.children_user - before.children_system
    )
    return elapsed, here, there


def main() -> None:
    warnings.simplefilter("ignore")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rng = np.random.default_rng(1)
    print(f"{count} files of {POINTS} points, two axes; least of five runs")
    for ending, (make, bare, library) in KINDS.items():
        with tempfile.TemporaryDirectory() as where:
            folder = Path(where)
            for k in range(count):
                x = np.linspace(400 + k % 2, 4000, POINTS)
                y = np.sin(x / 200) + 0.01 * rng.normal(size=POINTS)
                (folder / f"a{k}.{ending}").write_bytes(make(x, y))
            files = sorted(folder.iterdir())
            alone, ours = [], []
            for _ in range(5):
                alone.append(timed(lambda files=files, bare=bare: [bare(p) for p in files]))
                ours.append(timed(lambda folder=folder: read_spectra(folder).align()))
        quick, slow = np.min(alone, axis=0), np.min(ours, axis=0)
        print(
            f"  .{ending}: {slow[0]:.2f} s read and aligned, bare {library} {quick[0]:.2f} s: "
            f"ratio {slow[0] / quick[0]:.2f} (at most 3); processor {slow[1]:.2f} s here and "
            f"{slow[2]:.2f} s in the worker, bare {quick[1]:.2f} s: the longer of the two is "
            f"{max(slow[1], slow[2]) / quick[1]:.2f} times the bare loop",
            flush=True,
        )


if __name__ == "__main__":
    main()
