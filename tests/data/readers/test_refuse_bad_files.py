"""Every bad file gets a sentence a person can act on, and leaves nothing behind."""

import io
import os
import pickle
import struct
import subprocess
import sys
import time
import zipfile

import good_files as good
import numpy as np
import pandas as pd
import pytest

from explorer.data import FileRefused, read
from explorer.data.readers import ask, delimited
from explorer.data.readers.refused import Limits


def rows(*lines):
    return ("\n".join(lines) + "\n").encode()


def replaced(content, old, new):
    assert old in content
    return content.replace(old, new, 1)


class Evil:
    def __reduce__(self):
        return (os.system, ("touch pickled",))


def object_npz():
    stream = io.BytesIO()
    np.savez(stream, X=good.X, y=np.array([Evil()] * good.N, dtype=object))
    return stream.getvalue()


def lying_npz():
    """A header that claims 80 GB."""
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (100000, 100000), }"
    header += b" " * (128 - 10 - 1 - len(header)) + b"\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + b"\0" * 64
    return good.zipped_files({"X.npy": data})


def blank_sheet():
    stream = io.BytesIO()
    pd.DataFrame().to_excel(stream)
    return stream.getvalue()


def broken_sheet():
    """A workbook whose sheet is not XML."""
    source = zipfile.ZipFile(io.BytesIO(good.excel()))
    return good.zipped_files(
        {n: (b"<worksheet" if "sheet1.xml" in n else source.read(n)) for n in source.namelist()}
    )


def encrypted():
    content = bytearray(good.zipped_files({"t.csv": good.csv()}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.index(signature) + offset
        content[at] |= 1
    return bytes(content)


def nested_parquet():
    return good.parquet(pd.DataFrame({"a": [[1], [2], [3]], "label": list("xyx")}))


wide = ",".join(f"c{j}" for j in range(10**6)).encode() + b"\n" + b"," * (10**6 - 1) + b"\n"
csv_lines = good.csv().decode().splitlines()
spectra = [
    good.spectrum(x, f"t{i}", y) for i, (x, y) in enumerate(zip(good.X, good.Y, strict=True))
]

BAD = {
    # name of the case: (file name, content, what the sentence must say)
    "empty": ("t.csv", b"", "is empty"),
    "blank": ("t.csv", b" \n\n \r\n\t", "is empty"),
    "only a byte order mark": ("t.csv", b"\xef\xbb\xbf", "is empty"),
    "only comments": ("t.csv", b"# one\n# two\n", "only blank lines and comments"),
    "one column": ("t.csv", rows("a", "1", "2"), "one column only"),
    "header without rows": ("t.csv", rows("a,b,label"), "a header but no rows"),
    "one row": ("t.csv", rows("a,b,label", "1,2,x"), "holds 1 row"),
    "one class": (
        "t.csv",
        rows("a,b,label", "1,2,x", "3,4,x"),
        "has one value, 'x'; a forest needs two",
    ),
    "all constant": ("t.csv", rows("a,b,label", "1,2,x", "1,2,y"), "Every feature .* is constant"),
    "not a number": ("t.csv", rows("a,b,label", "1,2,x", "3,NaN,y"), "Row 3, column 'b' is empty"),
    "empty cell after a blank line": (
        "t.csv",
        rows("a,b,label", "1,2,x", "", "3,,y"),
        "Row 4, column 'b' is empty",
    ),
    "infinite": (
        "t.csv",
        rows("a,b,label", "1,2,x", "3,inf,y"),
        "Row 3, column 'b' holds an infinite number",
    ),
    "overflow": (
        "t.csv",
        rows("a,b,label", "1,2,x", "3,1e999,y"),
        "Row 3, column 'b' holds an infinite number",
    ),
    "text in numbers": (
        "t.csv",
        rows("a,b,label", "1,2,x", "3,4 mm,y", "5,6,x", "7,8,y"),
        "Row 3, column 'b' holds '4 mm', which is not a number",
    ),
    "text in the first column of numbers": (
        "t.csv",
        rows("a,b,label", "1,2,x", "3 mm,4,y", "5,6,x", "7,8,y"),
        "Row 3, column 'a' holds '3 mm', which is not a number",
    ),
    "column of text": (
        "t.csv",
        rows("a,b,label", "1,red,x", "3,blue,y"),
        r"Column 'b' holds text \('red', 'blue'\). Choose it as the label or for the replicates",
    ),
    "label missing": ("t.csv", rows("a,b,label", "1,2,x", "3,4,", "5,6,y"), "Row 3 has no label"),
    "label a measurement": (
        "t.csv",
        rows("a,label", *(f"{i},{i * 0.37}" for i in range(60))),
        "looks like a measurement",
    ),
    "label a name": (
        "t.csv",
        rows("a,label", *(f"{i},name {i}" for i in range(60))),
        "looks like names",
    ),
    "no label to be told": (
        "t.csv",
        rows("a,b", *(f"{i * 0.3},{i * 0.7}" for i in range(60))),
        "cannot be told which column",
    ),
    "only a label": (
        "t.csv",
        rows("name,label", *(f"n{i},{'ab'[i % 2]}" for i in range(9))),
        "no column besides the label",
    ),
    "duplicate names": (
        "t.csv",
        rows("a,b,a,label", "1,2,3,x", "4,5,6,y"),
        "Columns 1 and 3 are both named 'a'",
    ),
    "empty column": (
        "t.csv",
        rows("a,b,label", "1,,x", "3,,y"),
        "Column 'b' is empty in every row|Row 2, column 'b' is empty",
    ),
    "a million columns": ("t.csv", wide, "1000000 columns; at most 100000"),
    "ragged, too long": (
        "t.csv",
        rows("a,b,label", "1,2,x", "3,4,5,y", "5,6,x"),
        "Row 3 has 4 cells where the header has 3",
    ),
    "ragged, too short": (
        "t.csv",
        rows("a,b,label", "1,2,x", "", "3,y", "5,6,x"),
        "Row 4 has 2 cells where the header has 3",
    ),
    "open quote": (
        "t.csv",
        rows('a,"b,label', "1,2,x", "3,4,y"),
        "line break inside quotes|one column|cannot be",
    ),
    "zero bytes": (
        "t.csv",
        b"a,b,label\n1,\x00\x00\x00,x\n2,3,y\n",
        "not a text file: byte 13 is zero",
    ),
    "random bytes": (
        "t.csv",
        np.random.default_rng(0).bytes(2000),
        "not a text file|neither UTF-8",
    ),
    "not any text": (
        "t.csv",
        "a,b,label\n1,2,é\n".encode("cp1252") + b"\x81\x01,1,x\n",
        "line 2, byte 15",
    ),
    "damaged UTF-16": ("t.csv", good.csv().decode().encode("utf-16")[:-1], "UTF-16 but byte"),
    "a picture": ("t.csv", b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "is a picture"),
    "a web page": ("t.csv", b"<!DOCTYPE html><html></html>", "is a web page"),
    "a PDF": ("t.csv", b"%PDF-1.7 ...", "is a PDF"),
    "an old Excel file": ("t.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 100, "old Excel"),
    "HDF5": ("t.mat", b"MATLAB 7.3 MAT-file" + b" " * 500 + b"\x89HDF", "7.3 file"),
    "a tar archive": ("t.tar", b"t.csv".ljust(257, b"\0") + b"ustar" + b"\0" * 300, "tar archive"),
    "a pickle": ("t.pkl", pickle.dumps(Evil()), "pickle"),
    "a pickle in disguise": ("t.csv", pickle.dumps(Evil()), "pickle"),
    "an old pickle in disguise": ("t.csv", pickle.dumps({"a": 1}, protocol=0), "pickle"),
    "a pickle that calls a function": (
        "t.csv",
        pickle.dumps(Evil(), protocol=0),
        "pickle",
    ),
    "a pickle in npz": ("t.npz", object_npz(), "'y.npy' .* holds pickled Python objects"),
    "a pickle in gzip": ("t.csv.gz", good.gz(pickle.dumps([1])), "pickle"),
    "a single array": ("t.npy", b"\x93NUMPY\x01\x00" + b"\0" * 100, "Save X and y together"),
    "npz that lies about its size": ("t.npz", lying_npz(), "asks for 80000000000 bytes"),
    "npz without a matrix": ("t.npz", good.npz(y=good.Y), "no matrix of numbers"),
    "npz truncated": ("t.npz", good.npz()[:-40], "damaged or truncated zip"),
    "npz that is a CSV": ("t.npz", good.csv(), "called like NumPy archive but is not"),
    "gzip truncated": ("t.csv.gz", good.gz(good.csv())[:-20], "ends too early"),
    "gzip damaged": ("t.csv.gz", good.gz(good.csv())[:10] + b"\xff" * 60, "damaged gzip"),
    "gzip bomb": ("t.csv.gz", good.gz(b"1,2,3\n" * 200_000), "unpacks to more than 1 MB"),
    "zip truncated": ("t.zip", good.zipped_files({"t.csv": good.csv()})[:-30], "truncated zip"),
    "zip bomb": (
        "t.zip",
        good.zipped_files({"t.csv": b"1,2,3\n" * 200_000}),
        "unpacks to more than 1 MB",
    ),
    "zip empty": ("t.zip", good.zipped_files({}), "without a file in it"),
    "zip in zip": (
        "t.zip",
        good.zipped_files({"u.zip": good.zipped_files({"t.csv": good.csv()})}),
        "archive inside an archive",
    ),
    "zip encrypted": ("t.zip", encrypted(), "is encrypted"),
    "above the limit": ("t.csv", b"1,2,3\n" * 200_000, "larger than 1 MB"),
    "xlsx truncated": ("t.xlsx", good.excel()[:-100], "damaged"),
    "xlsx broken inside": ("t.xlsx", broken_sheet(), "damaged"),
    "xlsx empty": ("t.xlsx", blank_sheet(), "no sheet with a table"),
    "xlsx that is a CSV": ("t.xlsx", good.csv(), "called like Excel but is not"),
    "parquet truncated": ("t.parquet", good.parquet()[:-30], "damaged"),
    "parquet nested": ("t.parquet", nested_parquet(), "Column 'a' holds list"),
    "parquet that is a CSV": ("t.parquet", good.csv(), "called like Parquet but is not"),
    "arff without data": ("t.arff", good.arff().split(b"@data")[0], "no @data line"),
    "arff with text in numbers": (
        "t.arff",
        replaced(good.arff(), b"@data\n", b"@data\nabc,1,1,1,1,1,oak\n"),
        "attribute 1 holds 'abc'",
    ),
    "arff ragged": (
        "t.arff",
        replaced(good.arff(), b"@data\n", b"@data\n1,1,oak\n"),
        "has 3 cells for 7 attributes",
    ),
    "arff with strings": (
        "t.arff",
        b"@relation r\n@attribute s string\n@attribute c {a,b}\n@data\nx,a\ny,b\n",
        "cannot be read",
    ),
    "arff sparse": (
        "t.arff",
        b"@relation r\n@attribute s numeric\n@attribute c {a,b}\n@data\n{0 1, 1 a}\n",
        "sparse ARFF",
    ),
    "arff missing value": (
        "t.arff",
        replaced(good.arff(), b"@data\n", b"@data\n?,1,1,1,1,1,oak\n"),
        "Line 10, column 'x1' is empty",
    ),
    "mat truncated": ("t.mat", good.mat()[:200], "damaged|no arrays|no matrix"),
    "mat of noise": (
        "t.mat",
        good.mat()[:128] + np.random.default_rng(1).bytes(600),
        "damaged|crash|memory|no",
    ),
    "mat without numbers": ("t.mat", good.mat(s="text"), "no matrix of numbers"),
    "ts ragged": (
        "t.ts",
        replaced(good.ts(), b"@data\n", b"@data\n1,2,3:oak\n"),
        "Line 8 has 6 values where the first case has 3",
    ),
    "ts without data": ("t.ts", good.ts().split(b"@data")[0], "no @data line"),
    "ts with text": (
        "t.ts",
        replaced(good.ts(), b"@data\n", b"@data\n1,2,three,4,5,6:oak\n"),
        "Line 7, value 3 is 'three'",
    ),
    "ts with time stamps": (
        "t.ts",
        replaced(good.ts(), b"@timestamps false", b"@timestamps true"),
        "time stamps",
    ),
    "ts without labels": (
        "t.ts",
        replaced(good.ts(), b"@classLabel true", b"@classLabel false"),
        "no class labels",
    ),
    "jcamp of one spectrum": ("t.jdx", spectra[0].encode(), "holds one spectrum"),
    "jcamp that ends early": ("t.jdx", "".join(spectra)[:-10].encode(), "no ##END="),
    "jcamp with another axis": (
        "t.jdx",
        (spectra[0] + good.spectrum(good.X[1][:4], "odd", "elm", axis=good.CHANNELS[:4])).encode(),
        "has another axis",
    ),
    "jcamp that claims a billion points": (
        "t.jdx",
        (spectra[0] + good.spectrum(good.X[1], "odd", "elm", points=10**9)).encode(),
        "claims 1e\\+09 points",
    ),
    "jcamp without classes": (
        "t.jdx",
        (good.spectrum(good.X[0], "same") + good.spectrum(good.X[1], "same")).encode(),
        "no label",
    ),
    "jcamp with letters for numbers": (
        "t.jdx",
        "".join(spectra).replace("##NPOINTS= 6", "##NPOINTS= six", 1).encode(),
        "not a number",
    ),
    "no spectrum in jcamp": ("t.jdx", b"##TITLE= x\n##END=\n", "holds no spectrum"),
}


def test_there_are_more_than_forty_bad_files():
    assert len(BAD) > 70


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_refused_in_a_sentence_and_leaves_nothing_behind(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    name, content, says = BAD[case]
    limits = Limits(bytes=20_000_000 if len(content) > 2_000_000 else 1_000_000, seconds=20)
    with pytest.raises(FileRefused, match=says) as caught:
        read(content, name, limits=limits)
    message = str(caught.value)
    assert message[-1] in ".)"
    assert "\n" not in message
    assert len(message) < 400
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "case",
    ["not a number", "text in numbers", "ragged, too long", "ragged, too short", "one class",
     "infinite", "duplicate names", "label missing", "column of text"],
)  # fmt: skip
def test_the_same_without_pyarrow(case, monkeypatch):
    monkeypatch.setattr(delimited, "_has_pyarrow", lambda: False)
    name, content, says = BAD[case]
    with pytest.raises(FileRefused, match=says):
        read(content, name)


def test_wishes_that_cannot_be_met_are_said():
    with pytest.raises(
        FileRefused, match=r"no column 'colour' for the label\. The columns are: 'x1'"
    ):
        read(good.csv(), "t.csv", label="colour")
    with pytest.raises(FileRefused, match="no column 9; the table has 7"):
        read(good.csv(), "t.csv", label=9)
    with pytest.raises(FileRefused, match="no column 'q'"):
        read(good.csv(), "t.csv", drop=("q",))
    many = rows("t,label", *(f"name{i % 150},{'ab'[i % 2]}" for i in range(400)))
    with pytest.raises(FileRefused, match="150 different texts, too many"):
        read(many, "t.csv", one_hot=True)


def test_paths_that_are_no_files_are_said(tmp_path):
    with pytest.raises(FileRefused, match="There is no file"):
        read(tmp_path / "none.csv")
    with pytest.raises(FileRefused, match="is a folder"):
        read(tmp_path)
    with pytest.raises(FileRefused, match="could not be opened"):
        read("a\0b")
    with pytest.raises(FileRefused, match="opened as text"):
        read(io.StringIO("a,b\n"))


def test_a_wide_file_is_refused_before_a_parser_sees_it():
    start = time.perf_counter()
    with pytest.raises(FileRefused, match="columns"):
        read(wide, "t.csv", limit=50_000_000)
    assert time.perf_counter() - start < 5.0  # pandas takes half a minute


def test_a_cell_of_a_hundred_thousand_digits_does_not_hang_the_reader():
    start = time.perf_counter()
    with pytest.raises(FileRefused, match=r"Row 3, column 'a' holds '1111.*…', which is not a"):
        read(rows("a,label", "1,x", "1" * 10**5 + "z,y", "2,x", "3,y"), "t.csv")
    assert time.perf_counter() - start < 5.0


def test_a_library_that_quotes_half_of_a_bad_file_is_cut_short():
    saved = io.BytesIO()
    np.savez(saved, X=np.arange(400.0).reshape(100, 4), y=np.arange(100) % 2)
    raw = bytearray(saved.getvalue())
    raw[26:28] = (2000).to_bytes(2, "little")  # of the name in the first header
    with pytest.raises(FileRefused, match=r"damaged \.npz archive .*Save it again\.") as refusal:
        read(bytes(raw), "trees.npz")
    assert len(str(refusal.value)) < 250
    assert str(refusal.value).isprintable()


def test_headers_that_begin_like_a_pickle_are_no_pickles():
    text = good.csv(";").replace(b"x1", b"cc").replace(b"x2", b"(d")
    assert read(text, "t.csv").feature_names[:2] == ("cc", "(d")


def test_the_default_limit_is_fifty_megabytes_and_a_setting():
    content = b"a,b,label\n" + b"1,2,x\n" * 10 + b"2,3,y\n" * 10
    assert read(content, "t.csv", limit=len(content)).n_samples == 20
    with pytest.raises(FileRefused, match="the limit"):
        read(content, "t.csv", limit=len(content) - 1)
    with pytest.raises(FileRefused, match="larger than 50 MB"):
        read(bytes(50_000_001), "t.csv")


# -- the child process ---------------------------------------------------------------------------


def hostile(monkeypatch, code):
    """Ask a child that misbehaves instead of the real one."""
    real = subprocess.Popen

    def started(command, **options):
        return real([sys.executable, "-c", code], **options)

    monkeypatch.setattr(ask.subprocess, "Popen", started)


def test_a_parser_that_crashes_the_process_is_survived(monkeypatch):
    hostile(monkeypatch, "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    with pytest.raises(FileRefused, match="made its reader crash"):
        read(good.mat(), "t.mat")


def test_a_parser_that_hangs_is_given_up(monkeypatch):
    hostile(monkeypatch, "import time; time.sleep(60)")
    with pytest.raises(FileRefused, match=r"took longer than 0\.5 s"):
        read(good.mat(), "t.mat", limits=Limits(seconds=0.5))


def test_an_answer_that_is_no_answer_is_refused(monkeypatch):
    hostile(monkeypatch, "print('hello')")
    with pytest.raises(FileRefused, match="crash"):
        read(good.mat(), "t.mat")


@pytest.mark.skipif(sys.platform != "linux", reason="memory limits are the kernel's")
def test_a_mat_file_that_unpacks_too_large_meets_the_memory_limit():
    content = good.mat(compressed=True, X=np.zeros((4000, 40_000 // 8)), y=np.arange(4000.0) % 2)
    assert len(content) < 1_000_000
    limits = Limits(memory=250_000_000, cells=10**9)
    with pytest.raises(FileRefused, match=r"memory|crash|damaged"):
        read(content, "t.mat", limits=limits)


@pytest.mark.skipif(sys.platform != "linux", reason="processor limits are the kernel's")
def test_the_child_limits_itself_before_it_reads(tmp_path):
    code = (
        "import json, resource, sys; from explorer.data.readers import child;"
        "child.limit({'seconds': 5, 'memory': 10**9});"
        "print([resource.getrlimit(r)[0] for r in (resource.RLIMIT_AS, resource.RLIMIT_CPU,"
        " resource.RLIMIT_CORE, resource.RLIMIT_FSIZE)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[1000000000, 6, 0, 0]", done.stderr
