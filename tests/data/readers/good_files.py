"""One small good file per format, made here; the other tests read, damage and mutate them."""

import gzip
import io
import zipfile

import numpy as np
import pandas as pd
import scipy.io

N, P = 12, 6
X = np.random.default_rng(5).standard_normal((N, P)).round(6)
Y = np.array(["oak", "elm"] * (N // 2))
NAMES = [f"x{j + 1}" for j in range(P)]
CHANNELS = np.arange(850.0, 850.0 + 2 * P, 2.0)


def frame(names=NAMES):
    return pd.DataFrame(X, columns=list(names)).assign(label=Y)


def csv(sep=",", decimal=".", names=NAMES, newline="\n"):
    text = frame(names).to_csv(sep=sep, decimal=decimal, index=False, lineterminator=newline)
    return text.encode()


def excel(**options):
    stream = io.BytesIO()
    frame().to_excel(stream, index=False, **options)
    return stream.getvalue()


def parquet(table=None):
    stream = io.BytesIO()
    (frame() if table is None else table).to_parquet(stream)
    return stream.getvalue()


def arff():
    head = "@relation trees\n" + "".join(f"@attribute {n} numeric\n" for n in NAMES)
    head += "@attribute label {oak,elm}\n@data\n"
    rows = [",".join([*map(repr, row.tolist()), y]) for row, y in zip(X, Y, strict=True)]
    return (head + "\n".join(rows) + "\n").encode()


def mat(compressed=False, **arrays):
    stream = io.BytesIO()
    contents = arrays or {"X": X, "y": (Y == "oak") + 1.0, "wavelength": CHANNELS}
    scipy.io.savemat(stream, contents, do_compression=compressed)
    return stream.getvalue()


def ts(rows=X, labels=Y):
    lines = [
        ",".join(map(repr, row.tolist())) + f":{y}" for row, y in zip(rows, labels, strict=True)
    ]
    head = "# made for a test\n@problemName trees\n@timestamps false\n@univariate true\n"
    return (head + "@classLabel true elm oak\n@data\n" + "\n".join(lines) + "\n").encode()


def ucr_tsv():
    rows = [[1 + (y == "oak"), *x] for x, y in zip(X.tolist(), Y, strict=True)]
    return ("\n".join("\t".join(map(str, row)) for row in rows) + "\n").encode()


def npz(**arrays):
    stream = io.BytesIO()
    np.savez_compressed(stream, **(arrays or {"X": X, "y": Y, "wavenumber": CHANNELS[::-1]}))
    return stream.getvalue()


def spectrum(row, title, kind="", points=None, axis=CHANNELS):
    lines = [
        f"##TITLE= {title}",
        "##JCAMP-DX= 4.24",
        "##DATA TYPE= INFRARED SPECTRUM",
        "##XUNITS= 1/CM",
        "##YUNITS= ABSORBANCE",
        "##XFACTOR= 1.0",
        "##YFACTOR= 1.0",
        f"##FIRSTX= {axis[0]}",
        f"##LASTX= {axis[-1]}",
        f"##NPOINTS= {points or len(axis)}",
        *([f"##$CLASS= {kind}"] if kind else []),
        "##XYDATA= (X++(Y..Y))",
        *(f"{a:g} {v:.6f}" for a, v in zip(axis, row, strict=True)),
        "##END=",
    ]
    return "\n".join(lines) + "\n"


def jcamp():
    blocks = [spectrum(x, f"tree {i}", y) for i, (x, y) in enumerate(zip(X, Y, strict=True))]
    return "".join(blocks).encode()


def gz(content):
    return gzip.compress(content, mtime=0)


def zipped(**members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/"), content)
    return stream.getvalue()


def zipped_files(members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


GOOD = {
    "trees.csv": csv(),
    "trees.xlsx": excel(),
    "trees.parquet": parquet(),
    "trees.arff": arff(),
    "trees.mat": mat(),
    "trees.ts": ts(),
    "trees.tsv": ucr_tsv(),
    "trees.npz": npz(),
    "trees.jdx": jcamp(),
    "trees.csv.gz": gz(csv()),
    "trees.zip": zipped_files({"trees.csv": csv()}),
}
