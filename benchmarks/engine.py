"""Our forests against their peers, in one run: the table of docs/speed.md.

    python benchmarks/engine.py --data FOLDER                 all rows, in nine minutes (--minutes)
    python benchmarks/engine.py --rows small,letter           only these
    python benchmarks/engine.py --list                        names of the rows

Every row calls everybody once, which compiles and is not counted, and then in turn; the least
time of each counts. All have two threads, the same data and number of trees, the same features
per node and full depth. A ratio is the time of the fastest peer over ours; the one in brackets is
of processor seconds, which other programs on the machine disturb less.

FOLDER holds letter, satimage, pendigits, shuttle and spambase as NAME.csv.gz: numeric columns, the
class in the last one. treeple, which needs an older scikit-learn, gets an environment of its own
(--treeple FOLDER; made in the user's cache folder if it is missing).
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from peers import SklearnForest, TreepleForest, YdfForest, treeple_python
from timing import Seconds, interleaved

THREADS = 2
HEAD = (
    "| work | ours | time | fastest peer | time | ratio (processor) | aim | other peers |\n"
    "|---|---|---|---|---|---|---|---|"
)


# ---- data


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


def real(folder, name):
    """(X, y) of a table in the --data folder, or None, with a sentence, where it is missing."""
    path = Path(folder or ".") / f"{name}.csv.gz"
    if folder is None or not path.exists():
        print(f"\n{name} is left out: no {path.name} in the --data folder.\n", file=sys.stderr)
        return None
    frame = pd.read_csv(path)
    return frame.iloc[:, :-1].to_numpy(float), frame.iloc[:, -1].to_numpy()


def grid(size):
    s = (np.arange(size) + 0.5) / size * 8 - 4
    return np.stack(np.meshgrid(s, s), axis=-1).reshape(-1, 2)


# ---- the contestants


class Ours:
    """A forest of this project."""

    def __init__(self, family, X, y, trees, rows=None, **knobs):
        from explorer.engine import FAMILIES

        self.spec = FAMILIES[family].replace(n_tree=trees, **knobs)
        self.X, self.y, self.rows = X, y, rows
        self.forest = None

    def fit(self):
        from explorer.engine import grow

        self.forest = grow(self.spec, self.X, self.y, threads=THREADS)

    def predict(self):
        self.forest.predict_proba(self.rows, threads=THREADS)


def axis_peers(X, y, trees, rows):
    """The peers of an axis forest, by name."""
    return {
        "scikit-learn RF": SklearnForest("RF", X, y, trees, THREADS, rows=rows),
        "scikit-learn ExtraTrees": SklearnForest("ExtraTrees", X, y, trees, THREADS, rows=rows),
        "YDF RF": YdfForest(X, y, trees, THREADS, rows=rows),
    }


# ---- lines of the table


def said(seconds):
    """A time as people read it: three figures and a unit."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1.0 or unit == "µs":
            return f"{seconds * factor:.3g} {unit}"
    raise AssertionError


def line(work, ours, mine, peers, aim):
    """One line: our time against the fastest of ``peers`` (name -> Seconds)."""
    fastest = min(peers, key=lambda name: peers[name].wall)
    best = peers[fastest]
    least = min(p.processor for p in peers.values())
    others = "; ".join(f"{k} {said(v.wall)}" for k, v in peers.items() if k != fastest)
    print(
        f"| {work} | {ours} | {said(mine.wall)} | {fastest} | {said(best.wall)} "
        f"| **{best.wall / mine.wall:.1f}x** ({least / mine.processor:.1f}x) | {aim} | {others} |",
        flush=True,
    )


def compared(work, ours, peers, what, aims, rounds, seconds, first=True):
    """Time ``what`` ("fit" or "predict") of everybody, and print a line for each of ours."""
    everybody = ours | peers
    times = interleaved(
        {name: getattr(one, what) for name, one in everybody.items()}, rounds, seconds, first
    )
    for name in ours:
        line(f"{work}, {what}", name, times[name], {p: times[p] for p in peers}, aims[name])


def small(options):
    """200 x 2, 100 trees, fit and a 300 x 300 map."""
    from explorer.engine import Plane

    X, y = mixture(200, np.random.default_rng(1))
    plane, pixels = Plane.axes(0, 1, (-4, 4), (-4, 4)), grid(300)

    def we(family):
        one = Ours(family, X, y, 100, m_try=2)

        def fit_and_draw():
            one.fit()
            one.forest.posterior_on(plane, 300, 300, threads=THREADS)

        return fit_and_draw

    def they(make):
        def fit_and_predict():
            make.fit()
            make.predict()

        return fit_and_predict

    work = "200 x 2, 100 trees, fit and 300 x 300 map"
    peers = {}
    for threads in (1, THREADS):  # so little work that one thread may be the best setting
        of = f", n_jobs={threads}"
        sk = SklearnForest("RF", X, y, 100, threads, m_try=None, rows=pixels)
        peers["scikit-learn RF" + of] = they(sk)
        peers["YDF RF" + of] = they(YdfForest(X, y, 100, threads, ratio=1.0, rows=pixels))
        peers["YDF oblique" + of] = they(
            YdfForest(X, y, 100, threads, oblique=True, ratio=1.0, rows=pixels)
        )
    ours = {family: we(family) for family in ("RF", "oRF-ridge")}
    times = interleaved(ours | peers, 12, 15.0)
    few = interleaved(ours, 40, 5.0)
    for family in ours:
        mine = Seconds(*map(min, times[family], few[family]))
        for peer, aim in (
            ("YDF RF" if family == "RF" else "YDF oblique", "12x"),
            ("scikit-learn", "60x"),
        ):
            line(work, family, mine, {k: v for k, v in times.items() if k.startswith(peer)}, aim)


def map600(options):
    """The map at 600 x 600 against 300 x 300."""
    from explorer.engine import Plane

    X, y = mixture(200, np.random.default_rng(1))
    plane = Plane.axes(0, 1, (-4, 4), (-4, 4))
    for family in ("RF", "oRF-ridge"):
        one = Ours(family, X, y, 100, m_try=2)
        one.fit()

        def drawn(size, forest=one.forest):
            forest.posterior_on(plane, size, size, threads=THREADS)

        t = interleaved({s: partial(drawn, s) for s in (300, 600)}, 60, 3.0)
        print(
            f"| 600 x 600 map against 300 x 300 | {family} | {said(t[600].wall)} | ours, 300 x 300 "
            f"| {said(t[300].wall)} | {t[600].wall / t[300].wall:.2f}x the time "
            f"({t[600].processor / t[300].processor:.2f}x) | at most 2.2x | |",
            flush=True,
        )


def one_row(options):
    """predict_proba of a single sample."""
    X, y = table(2000, 10, np.random.default_rng(5))
    ours = Ours("RF", X, y, 100, rows=X[:1])
    sk = SklearnForest("RF", X, y, 100, 1, rows=X[:1])
    ours.fit(), sk.fit()
    times = interleaved({"ours": ours.predict, "scikit-learn RF": sk.predict}, 300, 4.0)
    line(
        "one sample of 2000 x 10, 100 trees, predict",
        "RF",
        times["ours"],
        {"scikit-learn RF": times["scikit-learn RF"]},
        "28 µs",
    )


def spectral(options):
    """200 x 700, 300 trees."""
    X, y = spectra(200, 700, np.random.default_rng(2))
    peers = {
        "YDF RF": YdfForest(X, y, 300, THREADS),
        "scikit-learn RF": SklearnForest("RF", X, y, 300, THREADS),
    }
    ours = {family: Ours(family, X, y, 300) for family in ("RF", "oRF-ridge")}
    aims = {"RF": "5x", "oRF-ridge": "5x"}
    compared("200 x 700 spectra, 300 trees", ours, peers, "fit", aims, 15, 15.0)


def medium(options):
    """10 000 x 50, 100 trees."""
    X, y = table(10_000, 50, np.random.default_rng(3))
    peers = {"YDF RF": YdfForest(X, y, 100, THREADS)}
    ours = {"RF": Ours("RF", X, y, 100)}
    compared("10 000 x 50, 100 trees", ours, peers, "fit", {"RF": "4x"}, 5, 15.0)


def covertype(options):
    """495 000 x 54, 6 trees; called first on 5000 rows only."""
    X, y = table(495_000, 54, np.random.default_rng(4))
    aims = {"RF": "4x", "RF-ODT": "5x"}

    def everybody(rows):
        ours = {family: Ours(family, X[:rows], y[:rows], 6) for family in aims}
        return ours, {"YDF RF": YdfForest(X[:rows], y[:rows], 6, THREADS)}

    for group in everybody(5000):
        for one in group.values():
            one.fit()
    ours, peers = everybody(len(X))
    compared("495 000 x 54, 6 trees", ours, peers, "fit", aims, 2, 20.0, first=False)


def memory(options):
    """Most memory over the data while that row grows, in a process of its own."""
    here = str(Path(__file__).parent)
    for family in ("RF", "RF-ODT"):
        code = f"import sys; sys.path.insert(0, {here!r}); import engine; "
        code += f"engine.measure_memory({family!r})"
        subprocess.run([sys.executable, "-c", code], check=True)


def _status(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def measure_memory(family):
    X, y = table(495_000, 54, np.random.default_rng(4))
    Ours(family, X[:2000], y[:2000], 2).fit()
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew (Linux)
    before = _status("VmRSS")
    Ours(family, X, y, 6).fit()
    over = _status("VmHWM") - before
    print(
        f"| memory over the data, 495 000 x 54, 6 trees | {family} | {over / 2**20:.0f} MB | X "
        f"| {X.nbytes / 2**20:.0f} MB | {over / X.nbytes:.2f}x of X | at most 1.6x | |",
        flush=True,
    )


def predict(options):
    """200 000 x 50 with 100 trees grown on 20 000."""
    X, y = table(220_000, 50, np.random.default_rng(6))
    X, y, rows = X[:20_000], y[:20_000], X[20_000:]
    aims = {"RF": "2.5x", "oRF-ridge": "1x of scikit-learn RF", "F-RC": "1x of scikit-learn RF"}
    ours = {family: Ours(family, X, y, 100, rows=rows) for family in aims}
    peers = axis_peers(X, y, 100, rows)
    for one in (ours | peers).values():
        one.fit()
    times = interleaved({k: v.predict for k, v in (ours | peers).items()}, 5, 20.0)
    work = "200 000 x 50, 100 trees of 20 000, predict"
    for family, aim in aims.items():
        line(work, family, times[family], {p: times[p] for p in peers}, aim)


def real_set(name, trees, aims, options):
    """Fit on all rows and predict them."""
    data = real(options.data, name)
    if data is None:
        return
    X, y = data
    ours = {"RF": Ours("RF", X, y, trees, rows=X)}
    peers = axis_peers(X, y, trees, X)
    rows = f"{len(X):,}".replace(",", " ")
    work = f"{name}, {rows} x {X.shape[1]}, {trees} trees"
    compared(work, ours, peers, "fit", {"RF": aims[0]}, 5, 20.0)
    compared(work, ours, peers, "predict", {"RF": aims[1]}, 5, 10.0)


def letter(options):
    """letter, 26 classes: RF against all axis forests."""
    real_set("letter", 100, ("2.5x", "2x"), options)


def letter_oblique(options):
    """F-RC on letter against treeple's oblique forest with the same candidates."""
    data = real(options.data, "letter")
    if data is None:
        return
    python, why = treeple_python(options.treeple)
    if python is None:
        print(f"\n{why}\n", file=sys.stderr)
        return
    X, y = data
    ours = Ours("F-RC", X, y, 100, rows=X)
    same = {
        "n_estimators": 100,
        "max_features": ours.spec.candidates(X.shape[1]),
        "feature_combinations": float(ours.spec.n_combine),
        "min_samples_split": ours.spec.min_leaf + 1,
        "n_jobs": THREADS,
        "random_state": 0,
    }
    peer = TreepleForest(python, X, y, X, same)
    try:
        for what in ("fit", "predict"):
            asked = {"ours": getattr(ours, what), "treeple": partial(peer.ask, what)}
            times = interleaved(asked, 3, 20.0)
            name = f"letter, 20 000 x 16, 100 trees, {what}"
            line(name, "F-RC", times["ours"], {"treeple oblique": times["treeple"]}, "2x")
    finally:
        peer.close()


def letter_own(options):
    """RDF-PER and CART on letter, against our RF."""
    data = real(options.data, "letter")
    if data is None:
        return
    X, y = data
    forests = {"RDF-PER": Ours("RDF-PER", X, y, 10), "RF": Ours("RF", X, y, 10)}
    times = interleaved({k: v.fit for k, v in forests.items()}, 5, 15.0)
    slow, fast = times["RDF-PER"], times["RF"]
    print(
        f"| letter, 20 000 x 16, 10 trees, fit | RDF-PER | {said(slow.wall)} | our RF "
        f"| {said(fast.wall)} | {slow.wall / fast.wall:.1f}x the time "
        f"({slow.processor / fast.processor:.1f}x) | at most 5x | |",
        flush=True,
    )
    time_of = interleaved({"CART": Ours("CART", X, y, 1).fit}, 5, 10.0)["CART"]
    print(
        f"| letter, 20 000 x 16, pruned by 10 folds, fit | CART | {said(time_of.wall)} | | "
        f"| (processor {said(time_of.processor)}) | 0.5 s | |",
        flush=True,
    )


def compiling(options):
    """The first forest of a family on a machine, with an empty kernel cache."""
    code = (
        "import time, numpy as np; from explorer.engine import FAMILIES, grow; "
        "X = np.random.default_rng(0).normal(size=(60, 4)); begin = time.perf_counter(); "
        "grow(FAMILIES[{family!r}].replace(n_tree=2), X, X[:, 0] > 0); "
        "print(time.perf_counter() - begin, time.process_time())"
    )
    for family in ("RF", "oRF-ridge"):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, "-c", code.format(family=family)],
                env=os.environ | {"EXPLORER_CACHE_DIR": folder},
                capture_output=True,
                text=True,
                check=True,
            )
        wall, processor = map(float, done.stdout.split())
        print(
            f"| first forest with an empty kernel cache | {family} | {said(wall)} | | "
            f"| (processor {said(processor)}) | 8 s | |",
            flush=True,
        )


ROWS = {f.__name__: f for f in (small, map600, one_row, spectral, medium, predict)}
ROWS |= {f.__name__: f for f in (letter, letter_oblique, letter_own)}
ROWS |= {
    name: partial(real_set, name, trees, ("2.5x", "1.5x"))
    for name, trees in (("satimage", 100), ("pendigits", 100), ("shuttle", 50), ("spambase", 100))
}
ROWS |= {f.__name__: f for f in (covertype, memory, compiling)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", help="names of rows, separated by commas (all)")
    parser.add_argument("--data", help="folder with letter.csv.gz and others")
    parser.add_argument("--treeple", help="folder of an environment with treeple")
    parser.add_argument(
        "--minutes", type=float, default=9.0, help="begin no further row after so long (9)"
    )
    parser.add_argument("--list", action="store_true", help="print the names of the rows")
    options = parser.parse_args()
    if options.list:
        print("\n".join(ROWS))
        return
    chosen = options.rows.split(",") if options.rows else list(ROWS)
    unknown = [name for name in chosen if name not in ROWS]
    if unknown:
        parser.error(f"there is no row {', '.join(unknown)}; the rows are {', '.join(ROWS)}")
    print(HEAD, flush=True)
    begin = time.perf_counter()
    for name in chosen:
        if time.perf_counter() - begin > 60 * options.minutes:
            print(f"{name} is left out: {options.minutes:g} minutes are over.", file=sys.stderr)
            continue
        ROWS[name](options)
    print(f"{time.perf_counter() - begin:.0f} s in all", file=sys.stderr)


if __name__ == "__main__":
    main()
