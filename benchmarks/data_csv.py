"""How long 100 MB of clean CSV (100 000 x 100) take to become a Dataset, against bare pandas.

    python benchmarks/data_csv.py [rows] [columns]

The bar: at most 1.5 times pandas.read_csv(engine="pyarrow") where pyarrow is there, else of
pandas' C engine. Both are timed in turn, after one warm-up each; the medians are compared. On a
machine with other work the ratio of processor times is the steadier one.
"""

from __future__ import annotations

import io
import statistics
import sys
import time

import numpy as np
import pandas as pd

from explorer.data.readers import delimited, read

REPEATS = 7


def make(rows: int, columns: int) -> bytes:
    """Numbers with seven digits and a label of three classes in the last column."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, columns)) * 100
    header = ",".join([*(f"x{j + 1}" for j in range(columns)), "label"])
    labels = np.array(["a", "b", "c"])[rng.integers(0, 3, rows)]
    body = io.StringIO()
    body.write(header + "\n")
    form = ",".join(["%.7g"] * columns)
    for row, label in zip(X, labels, strict=True):
        body.write(form % tuple(row))
        body.write(f",{label}\n")
    return body.getvalue().encode()


def main() -> None:
    rows, columns = (int(a) for a in (*sys.argv[1:], "100000", "100")[:2])
    content = make(rows, columns)
    print(f"{rows} x {columns}, {len(content) / 1e6:.0f} MB")
    contests = {"pyarrow": delimited._with_pyarrow, "c": delimited._with_pandas}
    if not delimited._has_pyarrow():
        del contests["pyarrow"]
    for engine, parse in contests.items():
        delimited._has_pyarrow = lambda parse=parse: parse is delimited._with_pyarrow
        times: dict[str, list[float]] = {"ours": [], "pandas": []}
        work: dict[str, list[float]] = {"ours": [], "pandas": []}
        for turn in range(REPEATS + 1):
            for who in ("pandas", "ours"):
                start, cpu = time.perf_counter(), time.process_time()
                if who == "pandas":
                    pd.read_csv(io.BytesIO(content), engine=engine)
                else:
                    read(content, "clean.csv", limit=10**9)
                if turn:
                    times[who].append(time.perf_counter() - start)
                    work[who].append(time.process_time() - cpu)
        ours, theirs = (statistics.median(times[who]) for who in ("ours", "pandas"))
        ratio = statistics.median(work["ours"]) / statistics.median(work["pandas"])
        print(
            f"engine {engine}: pandas {theirs:.2f} s, read() {ours:.2f} s, "
            f"ratio {ours / theirs:.2f} (bar 1.50); ratio of processor times {ratio:.2f}"
        )


if __name__ == "__main__":
    main()
