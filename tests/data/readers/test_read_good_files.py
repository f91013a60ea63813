"""Every format on a round trip: the numbers, labels, names and axis that were written come back."""

import gzip
import io
import os
import subprocess
import sys
from pathlib import Path

import good_files as good
import numpy as np
import pandas as pd
import pytest

from explorer.data import FileRefused, load, preview, read
from explorer.data.readers import delimited


@pytest.mark.parametrize("name", good.GOOD)
def test_every_format_gives_back_what_was_written(name):
    d = read(good.GOOD[name], name)
    np.testing.assert_allclose(d.X, good.X, atol=1e-6 if name.endswith(".jdx") else 0)
    assert d.name == "trees"
    spelled = np.array(d.class_names)[d.y]
    if name.endswith((".mat", ".tsv")):
        np.testing.assert_array_equal(spelled == "2", good.Y == "oak")
    else:
        np.testing.assert_array_equal(spelled, good.Y)
    assert d.X.flags.c_contiguous
    assert not d.X.flags.writeable


@pytest.mark.parametrize("name", good.GOOD)
def test_the_preview_shows_what_read_will_find(name):
    p = preview(good.GOOD[name], name, rows=3)
    assert p.n_rows == good.N
    assert len(p.rows) == 3
    assert p.label in p.labels
    assert p.format
    assert p.label in ("label", "y", "class", "column 1", "$class")
    assert p.spectral == name.endswith((".mat", ".npz", ".ts", ".jdx"))


def test_paths_streams_and_bytes_are_the_same(tmp_path):
    path = tmp_path / "trees.csv"
    path.write_bytes(good.csv())
    digest = read(good.csv(), "trees.csv").digest()
    assert read(path).digest() == digest
    assert read(str(path)).digest() == digest
    with path.open("rb") as stream:
        assert read(stream).digest() == digest
    assert os.listdir(tmp_path) == ["trees.csv"]
    with pytest.raises(TypeError, match="path, bytes or a binary file"):
        read(3)


# -- delimited text ------------------------------------------------------------------------------


@pytest.fixture(params=["pyarrow", "pandas"])
def engine(request, monkeypatch):
    """The same claims with and without pyarrow."""
    if request.param == "pandas":
        monkeypatch.setattr(delimited, "_has_pyarrow", lambda: False)
    return request.param


@pytest.mark.parametrize(
    ("sep", "decimal"), [(",", "."), (";", "."), (";", ","), ("\t", "."), ("\t", ","), ("|", ".")]
)
def test_separators_and_decimal_marks_are_found(engine, sep, decimal):
    d = read(good.csv(sep, decimal), "t.csv")
    np.testing.assert_array_equal(d.X, good.X)
    assert d.feature_names == tuple(good.NAMES)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_is_read(engine, newline):
    np.testing.assert_array_equal(read(good.csv(newline=newline), "t.csv").X, good.X)


def test_blanks_separate_the_old_ucr_files(engine):
    text = "\n".join(
        f"  {1 + (y == 'oak')}   " + "   ".join(f"{v:.7e}" for v in x)
        for x, y in zip(good.X, good.Y, strict=True)
    )
    d = read(text.encode(), "Trees_TRAIN.txt")
    np.testing.assert_allclose(d.X, good.X)
    assert d.class_names == ("1", "2")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_encodings_are_found_and_noted(engine, encoding):
    text = good.csv().decode().replace("oak", "chêne").replace("x1", "Länge")
    d = read(text.encode(encoding), "t.csv")
    assert d.class_names == ("chêne", "elm")
    assert d.feature_names[0] == "Länge"
    assert bool(d.notes) == (encoding not in ("utf-8", "utf-8-sig"))


def test_quotes_hide_separators_and_line_breaks(engine):
    text = b'a,b,"the, label"\n1,2,"x, y"\n3,4,"z"\n5,7,"x, y"\n6,1,"two\nlines"\n'
    d = read(text, "q.csv", label="the, label")
    assert d.class_names == ("two\nlines", "x, y", "z")
    assert d.X.shape == (4, 2)


def test_comments_and_blank_lines_before_the_table_are_skipped(engine):
    text = b"# instrument 7\n#\n\n" + good.csv()
    np.testing.assert_array_equal(read(text, "t.csv").X, good.X)


def test_a_table_without_header_is_not_robbed_of_its_first_row(engine):
    text = good.csv().split(b"\n", 1)[1]
    d = read(text, "sonar.data")
    assert d.n_samples == good.N
    assert d.feature_names[0] == "column 1"
    assert read(text, "t.csv", header=False).digest() == d.digest()


@pytest.mark.parametrize("style", ["{:g}", "{:g} nm", "{:g}nm", "X{:g}"])
def test_numeric_headers_become_an_axis(engine, style):
    names = [style.format(c) for c in good.CHANNELS]
    d = read(good.csv(names=names), "nir.csv")
    assert d.axis is not None
    np.testing.assert_array_equal(d.axis.values, good.CHANNELS)
    assert d.axis.unit == ("nm" if "nm" in style else "")
    assert read(good.csv(names=names), "nir.csv", unit="cm-1").axis.reversed


def test_falling_numeric_headers_are_an_axis_and_shuffled_ones_are_not(engine):
    falling = [f"{c:g}" for c in good.CHANNELS[::-1]]
    assert read(good.csv(names=falling), "ir.csv").axis is not None
    shuffled = [f"{c:g}" for c in np.random.default_rng(1).permutation(good.CHANNELS)]
    d = read(good.csv(names=shuffled), "ir.csv", header=True)
    assert d.axis is None


def test_a_spectral_header_above_a_text_label_is_a_header_not_a_sample(engine):
    """Numbers above numbers and text above text: only the even rise tells (as in Tecator)."""
    names = [f"{c:g}" for c in good.CHANNELS]
    d = read(good.csv(names=names), "nir.csv")
    assert d.n_samples == good.N


@pytest.mark.parametrize("letter", ["x", "X", "V"])
def test_counted_names_are_no_axis(letter):
    d = read(good.csv(names=[f"{letter}{j + 1}" for j in range(good.P)]), "t.csv")
    assert d.axis is None


def test_plain_counting_headers_are_channels(engine):
    d = read(good.csv(names=[str(j) for j in range(good.P)]), "t.csv")
    assert d.axis is not None
    assert d.axis.name == "channel"


def test_clean_numbers_are_parsed_to_the_last_bit(engine):
    values = np.random.default_rng(2).standard_normal((50, 3)) * 10.0 ** np.arange(-8, 10, 6.0)
    text = "\n".join(
        ["a,b,c,label"]
        + [",".join(map(repr, row)) + f",{i % 2}" for i, row in enumerate(values.tolist())]
    )
    np.testing.assert_allclose(read(text.encode(), "t.csv").X, values, rtol=1e-15)


def test_true_and_false_are_numbers_as_features_and_words_as_labels(engine):
    text = b"a,wet,label\n1,True,False\n2,False,True\n3,True,False\n4,False,True\n"
    d = read(text, "t.csv")
    assert d.class_names == ("False", "True")
    assert d.X[:, 1].tolist() == [1, 0, 1, 0]


# -- label, names, groups ------------------------------------------------------------------------


def test_the_label_is_found_by_its_name_its_place_or_its_kind():
    rows = "\n".join(f"{'ab'[i % 2]},{i * 0.37:.2f},{i % 3},{i}" for i in range(12))
    assert read(f"kind,u,class,v\n{rows}".encode(), "t.csv", drop=("kind",)).class_names == (
        "0",
        "1",
        "2",
    )
    assert read(f"kind,u,w,v\n{rows}".encode(), "t.csv").class_names == ("a", "b")
    assert read(f"kind,u,w,v\n{rows}".encode(), "t.csv", label=3, drop=("kind",)).n_classes == 3
    assert read(f"kind,u,w,v\n{rows}".encode(), "t.csv", label="KIND").class_names == ("a", "b")


def test_numbers_as_labels_sort_as_numbers():
    rows = "\n".join(f"{i * 1.5},{(10, 9, 2)[i % 3]}" for i in range(12))
    assert read(f"u,label\n{rows}".encode(), "t.csv").class_names == ("2", "9", "10")


def test_plus_and_minus_are_classes():
    d = read(b"a,b,c\n1,2,+\n2,3,-\n3,1,+\n4,4,-\n", "credit.csv")
    assert d.class_names == ("+", "-")


def test_a_column_of_names_is_no_feature():
    rows = "\n".join(f"s{i},{i * 0.7},{'ab'[i % 2]}" for i in range(8))
    d = read(f"sample,u,label\n{rows}".encode(), "t.csv")
    assert d.sample_names == tuple(f"s{i}" for i in range(8))
    assert d.feature_names == ("u",)
    indexed = good.frame().to_csv().encode()  # pandas writes its index without a name
    assert read(indexed, "t.csv").feature_names == tuple(good.NAMES)


def test_replicates_come_from_the_column_one_names():
    rows = "\n".join(f"{i * 0.7},p{i // 2},{'ab'[i // 2 % 2]}" for i in range(8))
    d = read(f"u,patient,label\n{rows}".encode(), "t.csv", groups="patient")
    assert d.groups.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert d.feature_names == ("u",)


# -- text and missing values on request ----------------------------------------------------------


def test_one_hot_on_request_two_texts_give_one_column(engine):
    rows = "\n".join(
        f"{i},{'mf'[i % 2]},{('red', 'green', 'blue')[i % 3]},{'ab'[i // 6]}" for i in range(12)
    )
    d = read(f"u,sex,colour,label\n{rows}".encode(), "t.csv", one_hot=True)
    assert d.feature_names == ("u", "sex=m", "colour=blue", "colour=green", "colour=red")
    assert d.X[:3, 1].tolist() == [1, 0, 1]
    np.testing.assert_array_equal(d.X[:, 2:].sum(axis=1), 1)


@pytest.mark.parametrize("token", ["", "NA", "NaN", "?", "null", "-"])
def test_missing_values_are_imputed_on_request_only(engine, token):
    text = f"a,b,label\n1,2,x\n{token},4,y\n3,9,x\n8,{token},y\n".encode()
    with pytest.raises(FileRefused, match="Row 3, column 'a' is empty"):
        read(text, "t.csv")
    d = read(text, "t.csv", impute="mean")
    assert d.X[1, 0] == 4.0
    assert d.X[3, 1] == 5.0
    assert read(text, "t.csv", impute="median").X[1, 0] == 3.0
    assert "2 missing values" in d.notes[-1]
    with pytest.raises(ValueError, match="'mean' or 'median'"):
        read(text, "t.csv", impute="zero")


def test_missing_text_gets_the_most_frequent_text():
    text = b"u,c,label\n1,red,x\n2,,y\n3,red,x\n4,blue,y\n5,green,x\n"
    d = read(text, "t.csv", one_hot=True, impute="median")
    assert d.X[1, d.feature_names.index("c=red")] == 1


# -- other formats -------------------------------------------------------------------------------


def test_excel_sheets_can_be_named_and_empty_ones_are_passed_over():
    stream = io.BytesIO()
    with pd.ExcelWriter(stream) as book:
        pd.DataFrame().to_excel(book, sheet_name="empty", index=False)
        good.frame().to_excel(book, sheet_name="trees", index=False, startrow=2)
        good.frame().assign(x1=0.0).to_excel(book, sheet_name="other", index=False)
    d = read(stream.getvalue(), "t.xlsx")
    np.testing.assert_array_equal(d.X, good.X)
    assert "others" in d.notes[0]
    assert (read(stream.getvalue(), "t.xlsx", sheet="other").X[:, 0] == 0).all()
    with pytest.raises(FileRefused, match="no sheet 'x'; it has: empty, trees, other"):
        read(stream.getvalue(), "t.xlsx", sheet="x")


def test_excel_headers_of_numbers_are_an_axis():
    stream = io.BytesIO()
    good.frame([*good.CHANNELS]).to_excel(stream, index=False)
    d = read(stream.getvalue(), "nir.xlsx")
    np.testing.assert_array_equal(d.axis.values, good.CHANNELS)


def test_parquet_categories_ints_and_bools():
    table = pd.DataFrame(
        {"a": [1, 2, 3, 4], "b": [True, False, True, True], "label": pd.Categorical(list("xyxy"))}
    )
    d = read(good.parquet(table), "t.parquet")
    assert d.X.tolist() == [[1, 1], [2, 0], [3, 1], [4, 1]]
    assert d.class_names == ("x", "y")


def test_mat_finds_labels_axis_cells_structs_and_turned_matrices():
    d = read(good.mat(), "t.mat")
    assert d.axis.unit == "nm"
    cells = np.empty(good.N, object)
    cells[:] = good.Y
    d = read(good.mat(spectra=good.X, class_=1.0, label=cells), "t.mat")
    assert d.class_names == ("elm", "oak")
    d = read(good.mat(compressed=True, nir={"data": good.X, "y": (good.Y == "oak") * 1.0}), "t.mat")
    np.testing.assert_array_equal(d.X, good.X)
    turned = read(good.mat(X=good.X.T, y=(good.Y == "oak") * 1.0), "t.mat")
    np.testing.assert_array_equal(turned.X, good.X)
    assert "transposed" in turned.notes[0]


def test_npz_axis_groups_and_a_matrix_with_its_label_inside():
    d = read(good.npz(), "t.npz")
    assert d.axis.unit == "cm-1"
    assert d.axis.reversed
    groups = np.repeat(np.arange(6), 2)
    assert (
        read(good.npz(X=good.X, y=good.Y, groups=groups), "t.npz").groups.tolist()
        == groups.tolist()
    )
    inside = np.column_stack([good.X, good.Y == "oak"])
    np.testing.assert_array_equal(read(good.npz(data=inside), "t.npz").X, good.X)


def test_ts_dimensions_are_joined():
    two = np.hstack([good.X, good.X * 2])
    lines = good.ts(two).decode().splitlines()
    start = lines.index("@data") + 1
    for i in range(start, len(lines)):
        values, label = lines[i].split(":")
        cells = values.split(",")
        lines[i] = ":".join([",".join(cells[: good.P]), ",".join(cells[good.P :]), label])
    d = read("\n".join(lines).encode(), "t.ts")
    np.testing.assert_array_equal(d.X, two)
    assert d.feature_names[good.P] == "d2t1"
    assert d.axis is None


def test_jcamp_spectra_in_folders_take_the_folder_as_class():
    members = {
        f"{y}/tree {i}.jdx": good.spectrum(x, f"tree {i}")
        for i, (x, y) in enumerate(zip(good.X, good.Y, strict=True))
    }
    d = read(good.zipped_files({"__MACOSX/x": b"junk", **members}), "trees.zip")
    assert d.class_names == ("elm", "oak")
    assert d.class_counts.tolist() == [6, 6]
    assert d.axis.unit == "cm-1"
    assert d.sample_names[0].startswith("tree")


def test_jcamp_link_blocks_and_a_named_header_field():
    inner = good.jcamp().decode().replace("##$CLASS=", "##OWNER=")
    text = f"##TITLE= all\n##JCAMP-DX= 4.24\n##DATA TYPE= LINK\n##BLOCKS= 12\n{inner}##END=\n"
    d = read(text.encode(), "all.jdx", label="owner")
    np.testing.assert_allclose(d.X, good.X, atol=1e-6)
    assert d.class_names == ("elm", "oak")


def test_one_member_of_an_archive_can_be_named():
    archive = good.zipped_files({"a.csv": good.csv(), "notes.txt": b"read me"})
    assert read(archive, "t.zip", member="a.csv").n_samples == good.N
    with pytest.raises(FileRefused, match="holds 2 files"):
        read(archive, "t.zip")
    with pytest.raises(FileRefused, match=r"holds no 'b\.csv'"):
        read(archive, "t.zip", member="b.csv")


def test_gzip_members_are_joined():
    a, b = good.csv()[:100], good.csv()[100:]
    joined = gzip.compress(a) + gzip.compress(b)
    np.testing.assert_array_equal(read(joined, "t.csv.gz").X, good.X)


def test_bundled_sets_read_as_files_are_the_bundled_sets():
    from importlib.resources import files

    for name in ("tecator", "sonar", "heart"):
        path = files("explorer.data.bundled").joinpath(f"{name}.csv.gz")
        np.testing.assert_array_equal(read(path.read_bytes(), f"{name}.csv.gz").X, load(name).X)


def test_a_fresh_interpreter_reads_a_mat_file_without_the_project_on_its_path(tmp_path):
    """The child finds the package from wherever its parent runs."""
    (tmp_path / "t.mat").write_bytes(good.mat())
    root = str(Path(delimited.__file__).resolve().parents[3])
    code = f"import sys; sys.path.insert(0, {root!r})\n"
    code += "from explorer.data import read; print(read('t.mat'))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "12 x 6" in done.stdout, done.stderr
    assert os.listdir(tmp_path) == ["t.mat"]
