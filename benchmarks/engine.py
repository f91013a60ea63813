"""Our forests against their peers, in one run: the table of the README.

    python benchmarks/engine.py            all rows
    python benchmarks/engine.py small      rows whose name contains "small"

Every row times us and the peers in turn, on the same data, with the same number of trees, the
same features per node and full depth, on two threads, after a first call that compiles and is
not counted. The number is the median of the repeats; ratios are peer / ours.
"""

import gc
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

THREADS = 2


def median_seconds(work, repeats):
    work()
    times = []
    gc.collect()
    gc.disable()  # as timeit does
    try:
        for _ in range(repeats):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
    finally:
        gc.enable()
    return statistics.median(times)


def mixture(n, rng):
    """Two classes of overlapping clouds in the plane."""
    centres = rng.normal(size=(2, 10, 2)) + np.array([[[1.0, 0.0]], [[0.0, 1.0]]])
    y = rng.integers(0, 2, n)
    return centres[y, rng.integers(0, 10, n)] + rng.normal(size=(n, 2)) / np.sqrt(5), y


def spectra(n, p, rng):
    """Smooth curves with an offset per sample and two class-dependent bands."""
    x = np.linspace(0, 1, p)
    y = rng.integers(0, 2, n)
    bands = np.exp(-0.5 * ((x - rng.uniform(0, 1, 12)[:, None]) / 0.03) ** 2)
    X = rng.normal(1, 0.2, (n, 12)) @ bands + rng.normal(size=(n, 1))
    X += 0.1 * y[:, None] * np.exp(-0.5 * ((x - 0.4) / 0.01) ** 2)
    return X + 0.02 * rng.normal(size=(n, p)), y


def table(n, p, rng):
    """Two Gaussian classes, most features weak: trees grow deep."""
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, p))
    X[:, : p // 5] += 0.35 * y[:, None]
    return X, y


# ---- the contestants: each returns a fitted model


def ours(family, X, y, trees, m_try=None):
    from explorer.engine import FAMILIES, grow

    spec = FAMILIES[family].replace(n_tree=trees)
    if m_try is not None:
        spec = spec.replace(m_try=m_try)
    return grow(spec, X, y, threads=THREADS)


def sklearn_rf(X, y, trees, m_try="sqrt"):
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(trees, max_features=m_try, n_jobs=THREADS).fit(X, y)


def ydf_data(X, y=None):
    data = {f"x{j}": X[:, j] for j in range(X.shape[1])}
    if y is not None:
        data["y"] = y
    return data


def ydf_rf(X, y, trees, oblique=False, ratio=None):
    import ydf

    ydf.verbose(0)
    kw = {"split_axis": "SPARSE_OBLIQUE"} if oblique else {}
    if ratio is not None:
        kw["num_candidate_attributes_ratio"] = ratio
    learner = ydf.RandomForestLearner(
        label="y",
        num_trees=trees,
        num_threads=THREADS,
        max_depth=-1,
        min_examples=1,
        compute_oob_performances=False,
        **kw,
    )
    return learner.train(ydf_data(X, y), verbose=0)


def grid(size):
    s = (np.arange(size) + 0.5) / size * 8 - 4
    return np.stack(np.meshgrid(s, s), axis=-1).reshape(-1, 2)


# ---- the rows


def row(work, name, our, peer, peer_name, bar):
    print(
        f"| {work} | {name} | {our * 1e3:.1f} ms | {peer_name} | {peer * 1e3:.1f} ms "
        f"| **{peer / our:.1f}x** | {bar} |",
        flush=True,
    )


def small(repeats=15):
    """200 x 2, 100 trees, fit + 300 x 300 map; and the map at 600 x 600."""
    from explorer.engine import Plane

    X, y = mixture(200, np.random.default_rng(1))
    plane = Plane.axes(0, 1, (-4, 4), (-4, 4))
    pixels = grid(300)

    def we(family, size=300):
        return ours(family, X, y, 100, m_try=2).posterior_on(plane, size, size, threads=THREADS)

    times = {f: median_seconds(lambda f=f: we(f), 60) for f in ("RF", "oRF-ridge")}
    ydf_pixels = ydf_data(pixels)
    ydf = {
        o: median_seconds(lambda o=o: ydf_rf(X, y, 100, o, ratio=1.0).predict(ydf_pixels), repeats)
        for o in (False, True)
    }
    sk = median_seconds(lambda: sklearn_rf(X, y, 100, None).predict_proba(pixels), repeats // 3)
    work = "200 x 2, 100 trees, fit + 300 x 300 map"
    row(work, "RF", times["RF"], ydf[False], "YDF RF", "10x")
    row(work, "oRF-ridge", times["oRF-ridge"], ydf[True], "YDF sparse oblique", "10x")
    row(work, "RF", times["RF"], sk, "scikit-learn RF", "50x")
    row(work, "oRF-ridge", times["oRF-ridge"], sk, "scikit-learn RF", "50x")
    for family in ("RF", "oRF-ridge"):
        forest = ours(family, X, y, 100, m_try=2)
        t = {
            s: median_seconds(
                lambda s=s, f=forest: f.posterior_on(plane, s, s, threads=THREADS), 60
            )
            for s in (300, 600)
        }
        print(
            f"| 600 x 600 map against 300 x 300 | {family} | {t[600] * 1e3:.2f} ms | ours | "
            f"{t[300] * 1e3:.2f} ms | **{t[600] / t[300]:.2f}x the time** | at most 2.2x |",
            flush=True,
        )


def spectral(repeats=7):
    X, y = spectra(200, 700, np.random.default_rng(2))
    work = "200 x 700 spectra, 300 trees"
    rf = median_seconds(lambda: ours("RF", X, y, 300), repeats)
    ridge = median_seconds(lambda: ours("oRF-ridge", X, y, 300), repeats)
    row(work, "RF", rf, median_seconds(lambda: ydf_rf(X, y, 300), repeats), "YDF RF", "4x")
    sk = median_seconds(lambda: sklearn_rf(X, y, 300), 3)
    row(work, "oRF-ridge", ridge, sk, "scikit-learn RF", "3x")


def medium(repeats=5):
    X, y = table(10_000, 50, np.random.default_rng(3))
    we = median_seconds(lambda: ours("RF", X, y, 100), repeats)
    row(
        "10000 x 50, 100 trees",
        "RF",
        we,
        median_seconds(lambda: ydf_rf(X, y, 100), 3),
        "YDF RF",
        "2.5x",
    )


def covertype(repeats=1):
    X, y = table(495_000, 54, np.random.default_rng(4))
    work = "495000 x 54, 10 trees"
    peer = median_seconds(lambda: ydf_rf(X, y, 10), repeats)
    for family, bar in (("RF", "1.5x"), ("RF-ODT", "3x")):
        row(
            work,
            family,
            median_seconds(lambda f=family: ours(f, X, y, 10), repeats),
            peer,
            "YDF RF",
            bar,
        )


def memory():
    """Peak memory of the last row over the data, in a process of its own."""
    code = "import sys; sys.path.insert(0, 'benchmarks'); import engine; engine.measure_memory()"
    print(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout, end=""
    )


def _status(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def measure_memory():
    X, y = table(495_000, 54, np.random.default_rng(4))
    ours("RF-ODT", X[:2000], y[:2000], 2)
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew (Linux)
    before = _status("VmRSS")
    ours("RF-ODT", X, y, 10)
    over = _status("VmHWM") - before
    print(
        f"| memory over the data, that row | RF-ODT | {over / 2**20:.0f} MB | X | "
        f"{X.nbytes / 2**20:.0f} MB | **{over / X.nbytes:.2f}x X** | at most 2x |"
    )


ROWS = {f.__name__: f for f in (small, spectral, medium, covertype, memory)}

if __name__ == "__main__":
    chosen = sys.argv[1:] or list(ROWS)
    print("| work | ours | time | peer | time | ratio | bar |\n|---|---|---|---|---|---|---|")
    for name in chosen:
        ROWS[name]()
