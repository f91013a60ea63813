"""Which family should ForestClassifier() grow? Every family against its peers on many data sets.

    python benchmarks/which_default.py run DATA RESULTS      add what RESULTS does not hold yet
    python benchmarks/which_default.py show RESULTS          the table of docs/which-family.md

DATA is a folder of tables (numeric columns, ``label`` last) with a list ``sets.tsv``: name and
n_train, the number of leading rows that are the published training part. RESULTS is a file of
lines in JSON, one per set, method and repeat; a run that was stopped goes on where it ended.
Small sets come first. Repeat 0 is the published partition, later ones are stratified at random
with as many training rows. All forests have 100 trees (CART and oblique-tree one), all other
settings are defaults; every method runs on one thread, so that times can be compared.

    --repeats 3        partitions per set (1)
    --methods RF,FRANK only these
    --sets iris,zoo    only these
    --rows 5000        leave out sets with more rows
"""

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from threadpoolctl import threadpool_limits

from explorer import ForestClassifier
from explorer.engine import FAMILIES

TREES = 100
PEERS = {
    "scikit-learn RF": lambda: RandomForestClassifier(TREES, random_state=0),
    "scikit-learn ExtraTrees": lambda: ExtraTreesClassifier(TREES, random_state=0),
    "scikit-learn HistGradientBoosting": lambda: HistGradientBoostingClassifier(random_state=0),
}


def models() -> dict:
    out = {}
    for family, spec in FAMILIES.items():
        trees = 1 if spec.n_tree == 1 else TREES
        out[family] = lambda f=family, t=trees: ForestClassifier(f, n_estimators=t, random_state=0)
    return out | PEERS


def partition(X, y, n_train, repeat):
    """(train, test) row numbers."""
    rows = np.arange(len(y))
    if repeat == 0:
        return rows[:n_train], rows[n_train:]
    counts = np.bincount(y)
    stratify = y if counts[counts > 0].min() > 1 and len(y) - n_train >= counts.size else None
    return train_test_split(rows, train_size=n_train, random_state=repeat, stratify=stratify)


def judge(make, X, y, train, test) -> dict:
    # a class that only the test part has is an error of every method, the same for all
    model = make()
    start = time.perf_counter()
    model.fit(X[train], y[train])
    fitted = time.perf_counter()
    proba = model.predict_proba(X[test])
    done = time.perf_counter()
    wrong = float(np.mean(model.classes_[proba.argmax(axis=1)] != y[test]))
    known = np.isin(y[test], model.classes_)
    loss = log_loss(y[test][known], np.clip(proba[known], 1e-3, 1), labels=model.classes_)
    return {
        "error": wrong,
        "log_loss": float(loss),
        "fit": fitted - start,
        "predict": done - fitted,
    }


def run(args) -> None:
    folder, results = Path(args.data), Path(args.results)
    sets = pd.read_csv(folder / "sets.tsv", sep="\t")
    name, n_train = sets.columns[0], next(c for c in sets.columns if c == "n_train")
    known = {(r["set"], r["method"], r["repeat"]) for r in read(results)}
    wanted = args.methods.split(",") if args.methods else list(models())
    compile_all(wanted)
    tables = []
    for record in sets.to_dict("records"):
        path = folder / f"{record[name]}.csv.gz"
        if path.exists() and (not args.sets or record[name] in args.sets.split(",")):
            tables.append((path.stat().st_size, record[name], int(record[n_train]), path))
    with results.open("a") as out:
        for repeat in range(args.repeats):
            for _, title, size, path in sorted(tables):
                missing = [m for m in wanted if (title, m, repeat) not in known]
                if not missing:
                    continue
                table = pd.read_csv(path)
                X = table.drop(columns="label").to_numpy(float)
                y = np.unique(table["label"], return_inverse=True)[1]
                if args.rows and len(y) > args.rows:
                    continue
                train, test = partition(X, y, size, repeat)
                for method in missing:
                    try:
                        found = judge(models()[method], X, y, train, test)
                    except ValueError as error:
                        found = {"failed": str(error)}
                    found |= {"set": title, "method": method, "repeat": repeat, "rows": len(y)}
                    found |= {"features": X.shape[1], "classes": int(y.max()) + 1}
                    out.write(json.dumps(found) + "\n")
                    out.flush()


def compile_all(wanted) -> None:
    """Compile before anything is timed."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 5)), np.arange(60) % 3
    for method in wanted:
        model = models()[method]().set_params(**({"n_estimators": 1} if method in FAMILIES else {}))
        model.fit(X, y).predict_proba(X)


def read(results: Path) -> list[dict]:
    if not results.exists():
        return []
    return [json.loads(line) for line in results.read_text().splitlines() if line.strip()]


def show(args) -> None:
    frame = pd.DataFrame(read(Path(args.results)))
    if "failed" in frame:
        for record in frame[frame["failed"].notna()].to_dict("records"):
            print(f"failed: {record['method']} on {record['set']}: {record['failed']}")
        frame = frame[frame["failed"].isna()]
    error = frame.groupby(["set", "method"])["error"].mean().unstack()
    methods = [m for m in models() if m in error and error[m].notna().sum() >= 0.5 * len(error)]
    error = error[methods].dropna()
    kept = frame[frame["set"].isin(error.index)]
    loss = kept.groupby(["set", "method"])["log_loss"].mean().unstack()[methods]
    ours = kept.groupby(["set", "method"])[["fit", "predict"]].mean()
    reference = "scikit-learn RF"
    rank = error.rank(axis=1).mean()
    print(f"{len(error)} data sets, {frame['repeat'].nunique()} partition(s) each\n")
    print(
        f"| method | mean rank | mean error | better / worse than {reference} | log loss | ", end=""
    )
    print("fit time | predict time |")
    print("|---|---|---|---|---|---|---|")
    for method in rank.sort_values().index:
        wins = int((error[method] < error[reference]).sum())
        losses = int((error[method] > error[reference]).sum())
        times = [
            np.exp(np.log(ours[k].unstack()[method] / ours[k].unstack()[reference]).mean())
            for k in ("fit", "predict")
        ]
        print(
            f"| {method} | {rank[method]:.2f} | {100 * error[method].mean():.2f} % | "
            f"{wins} / {losses} | {loss[method].mean():.3f} | {times[0]:.2f} | {times[1]:.2f} |"
        )
    print(f"\nTimes are geometric means of the ratio to {reference}, on one thread.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("run")
    one.add_argument("data")
    one.add_argument("results")
    one.add_argument("--repeats", type=int, default=1)
    one.add_argument("--methods", default="")
    one.add_argument("--sets", default="")
    one.add_argument("--rows", type=int, default=0)
    one.set_defaults(do=run)
    two = commands.add_parser("show")
    two.add_argument("results")
    two.set_defaults(do=show)
    args = parser.parse_args()
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        args.do(args)


if __name__ == "__main__":
    main()
