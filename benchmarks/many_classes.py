"""How should a node of many classes make two groups of them? Held-out errors of every grouping.

    python benchmarks/many_classes.py DATA [--trees 100] [--repeats 2] [--families oRF-ridge,...]

DATA is a folder of tables (numeric columns, ``label`` last). Taken are the many-class sets named
in SETS, at most 4000 rows of each, and a test of 64 classes: one for every orthant of six
dimensions. Half of the rows train, half test; repeats differ in the halves and in the seed.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

from explorer.engine import FAMILIES, grow
from explorer.engine.kernels.grouping import GROUPINGS

SETS = (
    "letter",
    "plant_margin",
    "plant_shape",
    "plant_texture",
    "conn_bench_vowel_deterding",
    "libras",
    "soybean",
    "yeast",
    "cardiotocography_10clases",
    "pendigits",
    "led_display",
    "low_res_spect",
)
MOST = 4000


def orthants(n: int = 2000, d: int = 6, seed: int = 0):
    """The class of a sample is the pattern of signs of its coordinates."""
    X = np.random.default_rng(seed).uniform(-1, 1, (n, d))
    return X, (X > 0) @ (2 ** np.arange(d))


def tables(folder: Path):
    yield "orthants (64 classes)", *orthants()
    for name in SETS:
        path = folder / f"{name}.csv.gz"
        if path.exists():
            table = pd.read_csv(path)
            X = table.drop(columns="label").to_numpy(float)
            y = np.unique(table["label"], return_inverse=True)[1]
            some = np.random.default_rng(0).permutation(len(y))[:MOST]
            yield f"{name} ({y.max() + 1} classes)", X[some], y[some]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--families", default="oRF-ridge,oRF-lda,RF-ODT,oRF-mixed")
    args = parser.parse_args()
    ways = list(GROUPINGS)
    ranks: dict[str, list] = {}
    for family in args.families.split(","):
        print(f"\n{family}, {args.trees} trees: error in %\n", flush=True)
        print(f"| data | {' | '.join(ways)} | RF |\n|{'---|' * (len(ways) + 2)}")
        errors = []
        for name, X, y in tables(args.data):
            specs = [FAMILIES[family].replace(n_tree=args.trees, grouping=way) for way in ways]
            specs.append(FAMILIES["RF"].replace(n_tree=args.trees))
            wrong = np.zeros((args.repeats, len(specs)))
            for r in range(args.repeats):
                few = np.bincount(y).min() < 2
                parts = train_test_split(
                    X, y, test_size=0.5, random_state=r, stratify=None if few else y
                )
                for k, spec in enumerate(specs):
                    forest = grow(spec.replace(seed=r), parts[0], parts[2], threads=1)
                    said = forest.predict(parts[1], threads=1)
                    wrong[r, k] = 100 * np.mean(said != parts[3])
            errors.append(wrong.mean(axis=0))
            print(f"| {name} | {' | '.join(f'{e:.1f}' for e in errors[-1])} |", flush=True)
        print(f"| mean | {' | '.join(f'{e:.2f}' for e in np.mean(errors, axis=0))} |")
        order = pd.DataFrame(np.array(errors)[:, : len(ways)]).rank(axis=1).mean()
        print(f"| mean rank | {' | '.join(f'{e:.2f}' for e in order)} | |", flush=True)
        ranks[family] = list(order)


if __name__ == "__main__":
    main()
