"""Does the out-of-bag error tell the truth? It is compared with repeated cross-validation.

    python benchmarks/oob_honesty.py --out oob.jsonl                      bundled real sets
    python benchmarks/oob_honesty.py --out oob.jsonl --data FOLDER        and a folder's files
    python benchmarks/oob_honesty.py --out oob.jsonl --table              only print the table

Every line of ``--out`` is one (set, model, seed); a run that was stopped goes on where it ended.
A model is a family, or a family and a rule for its lambda, as ``oRF-ridge:oob``. The table is
the one of docs/honest-oob.md.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

from explorer.analysis.protocols import Protocol
from explorer.data import Dataset
from explorer.engine import FAMILIES, ForestSpec, grow
from explorer.studies.sources import Sources

MODELS = ("RF", "oRF-lda", "oRF-ridge", "oRF-mixed", "oRF-ridge:oob", "oRF-mixed:oob")
BUNDLED = (
    "sonar",
    "ionosphere",
    "heart",
    "iris",
    "wine",
    "breast_cancer",
    "tecator",
    "coffee_instant",
)
MOST = 1000  # samples; of a larger set the first so many in a random order are taken


def spec_of(model: str, trees: int, seed: int) -> ForestSpec:
    family, _, rule = model.partition(":")
    spec = FAMILIES[family].replace(n_tree=trees, seed=seed)
    return spec.replace(tuning=rule) if rule else spec


def tried(data: Dataset, model: str, trees: int, seed: int, repeats: int) -> dict:
    """Out-of-bag error and cross-validated error, in per cent."""
    start = time.perf_counter()
    oob = grow(
        spec_of(model, trees, seed), data.X, data.y, groups=data.groups, threads=1
    ).oob_error[-1]
    wrong = runs = 0
    for split in Protocol("k-fold", folds=10, repeats=repeats, seed=seed).splits(data):
        train = data.take(split.train)
        spec = spec_of(model, trees, seed * 100_000 + split.repeat * 100 + split.fold)
        forest = grow(spec, train.X, train.y, groups=train.groups, threads=1)
        wrong += int((forest.predict(data.X[split.test], threads=1) != data.y[split.test]).sum())
        runs += split.test.size
    return {
        "set": data.name,
        "samples": data.n_samples,
        "features": data.n_features,
        "model": model,
        "seed": seed,
        "oob": 100 * float(oob),
        "cv": 100 * wrong / runs,
        "repeats": repeats,
        "trees": trees,
        "seconds": time.perf_counter() - start,
    }


def small(data: Dataset) -> Dataset:
    if data.n_samples <= MOST:
        return data
    return data.take(np.random.default_rng(0).permutation(data.n_samples)[:MOST])


def wanted(folder: Path | None, names: list[str]) -> list[Dataset]:
    sources = Sources(folder)
    found = []
    for name in names or [*BUNDLED, *(n for n in sources.files if n not in BUNDLED)]:
        data = sources.get(name)
        if data is None:
            raise SystemExit(f"There is no data set named {name}.")
        found.append(small(data))
    return found


def table(lines: list[dict]) -> str:
    """OOB - CV in points, a row per set and a column per model; the mean over sets last."""
    models = [m for m in MODELS if any(x["model"] == m for x in lines)]
    models += sorted({x["model"] for x in lines} - set(models))
    out = ["| data set | n x p | " + " | ".join(f"{m}: OOB / CV, %" for m in models) + " |"]
    out.append("|" + "---|" * (2 + len(models)))
    differences: dict[str, list[float]] = {m: [] for m in models}
    errors: dict[str, list[float]] = {m: [] for m in models}
    for name in dict.fromkeys(x["set"] for x in lines):
        of = [x for x in lines if x["set"] == name]
        cells = []
        for m in models:
            mine = [x for x in of if x["model"] == m]
            if not mine:
                cells.append("")
                continue
            oob, cv = (float(np.mean([x[k] for x in mine])) for k in ("oob", "cv"))
            differences[m].append(oob - cv)
            errors[m].append(cv)
            cells.append(f"{oob:.1f} / {cv:.1f} ({oob - cv:+.1f})")
        out.append(f"| {name} | {of[0]['samples']} x {of[0]['features']} | {' | '.join(cells)} |")
    mean = [
        f"**{np.mean(d):+.2f}** ± {np.std(d, ddof=1) / len(d) ** 0.5:.2f}" if len(d) > 1 else ""
        for d in differences.values()
    ]
    out.append(f"| mean of OOB - CV | | {' | '.join(mean)} |")
    out.append(f"| mean CV error | | {' | '.join(f'{np.mean(e):.2f}' for e in errors.values())} |")
    return "\n".join(out)


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("--out", type=Path, required=True, help="lines of results, added to")
    ask.add_argument("--data", type=Path, help="a folder with one file per data set")
    ask.add_argument("--sets", nargs="*", default=[], help="names; all without")
    ask.add_argument("--models", nargs="*", default=list(MODELS))
    ask.add_argument("--trees", type=int, default=100)
    ask.add_argument("--seeds", type=int, default=5)
    ask.add_argument("--repeats", type=int, default=10, help="of the ten-fold cross-validation")
    ask.add_argument("--table", action="store_true", help="print the table of --out and stop")
    ask = ask.parse_args()
    lines = [json.loads(s) for s in ask.out.read_text().splitlines()] if ask.out.exists() else []
    if not ask.table:
        done = {(x["set"], x["model"], x["seed"]) for x in lines}
        sets = wanted(ask.data, ask.sets)
        for seed in range(ask.seeds):
            for data in sets:
                for model in ask.models:
                    if (data.name, model, seed) in done:
                        continue
                    line = tried(data, model, ask.trees, seed, ask.repeats)
                    lines.append(line)
                    with ask.out.open("a") as file:
                        file.write(json.dumps(line) + "\n")
    print(table(lines))


if __name__ == "__main__":
    main()
