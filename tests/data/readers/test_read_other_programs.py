"""Tables as Orange, MATLAB 7.3, PLS_Toolbox and Japanese spreadsheets write them."""

import io

import numpy as np
import pytest

from explorer.data import FileRefused, preview, read

H5PY = pytest.importorskip("h5py")

ORANGE = (
    "1000\t1002\t1004\t1006\t1008\tkind\tname\tdate\n"
    "continuous\tcontinuous\tcontinuous\tcontinuous\tcontinuous\toak elm\tstring\tstring\n"
    "\t\t\t\t\tclass\tmeta\tignore\n"
    "1\t2\t3\t4\t5\toak\ta\tx\n"
    "2\t3\t4\t5\t7\telm\tb\ty\n"
    "3\t5\t4\t5\t6\toak\tc\tz\n"
)


@pytest.mark.parametrize(("name", "delimiter"), [("t.tab", "\t"), ("t.csv", ",")])
def test_orange_s_three_rows_of_header_say_names_types_and_roles(name, delimiter):
    data = read(ORANGE.replace("\t", delimiter).encode(), name)
    assert data.class_names == ("elm", "oak")
    assert data.y.tolist() == [1, 0, 1]
    assert data.feature_names == ("1000", "1002", "1004", "1006", "1008")
    assert data.X[1].tolist() == [2, 3, 4, 5, 7]
    assert data.axis is not None


def test_a_bad_cell_below_orange_s_header_is_named_by_its_row_in_the_file():
    with pytest.raises(FileRefused, match="Row 5"):
        read(ORANGE.replace("elm\tb", "\tb").encode(), "t.tab")


def test_orange_s_marks_before_the_names_are_roles():
    text = "C#length,mS#name,cD#kind,i#x\n1,a,oak,9\n2,b,elm,9\n4,c,oak,8\n"
    data = read(text.encode(), "t.csv")
    assert data.feature_names == ("length",)
    assert data.class_names == ("elm", "oak")


def test_a_plain_table_is_not_taken_for_orange_s():
    data = read(b"c,d,label\n1,2,a\n3,4,b\n5,6,a\n", "t.csv")
    assert data.feature_names == ("c", "d")


def matlab_73(**arrays) -> bytes:
    """A file as MATLAB 7.3 writes it: HDF5 with the sides of every matrix swapped."""
    stream = io.BytesIO()
    with H5PY.File(stream, "w", userblock_size=512) as file:
        for name, values in arrays.items():
            item = file.create_dataset(name, data=np.asarray(values).T)
            item.attrs["MATLAB_class"] = np.bytes_(b"double")
    content = bytearray(stream.getvalue())
    content[:19] = b"MATLAB 7.3 MAT-file"
    return bytes(content)


def test_a_matlab_73_file_is_read_like_an_older_one(rng):
    X = rng.normal(size=(12, 7))
    content = matlab_73(X=X, y=np.arange(12.0)[None] % 2, wavelength=np.arange(7.0)[None] + 900)
    data = read(content, "t.mat")
    np.testing.assert_array_equal(data.X, X)
    assert data.class_names == ("0", "1")
    assert data.axis.unit == "nm"
    assert preview(content, "t.mat").n_rows == 12


def data_set_object(classes: bool) -> bytes:
    """A data set object of PLS_Toolbox, saved as a structure."""
    from scipy.io import savemat

    cells = np.empty((2, 1), object)
    cells[0, 0], cells[1, 0] = np.zeros((0, 0)), np.arange(1100.0, 1106.0)[None]
    labels = np.empty((2, 1), object)
    labels[0, 0], labels[1, 0] = (
        np.array(["corn 1", "corn 2", "corn 3", "corn 4"]),
        np.zeros((0, 0)),
    )
    kinds = np.empty((2, 1), object)
    kinds[0, 0] = np.array([[1.0, 2.0, 1.0, 2.0]]) if classes else np.zeros((0, 0))
    kinds[1, 0] = np.zeros((0, 0))
    table = np.empty((2, 2), object)
    table[:] = [[1.0, "dry"], [2.0, "wet"]]
    lookup = np.empty((2, 1), object)
    lookup[0, 0], lookup[1, 0] = table, np.zeros((0, 0))
    titles = np.empty((2, 1), object)
    titles[0, 0], titles[1, 0] = "", "Wavelength (nm)"
    history = np.empty((4, 1), object)
    history[:, 0] = ["created", "edited", "edited again", "saved"]
    stream = io.BytesIO()
    savemat(stream, {"corn": {
        "name": "corn", "data": np.arange(24.0).reshape(4, 6), "label": labels,
        "axisscale": cells, "class": kinds, "classlookup": lookup, "title": titles,
        "history": history,
    }})  # fmt: skip
    return stream.getvalue()


def test_a_data_set_object_gives_its_classes_and_not_its_history():
    data = read(data_set_object(True), "corn.mat")
    assert data.class_names == ("dry", "wet")
    assert data.y.tolist() == [0, 1, 0, 1]
    assert data.sample_names == ("corn 1", "corn 2", "corn 3", "corn 4")
    assert data.axis.values[[0, -1]].tolist() == [1100, 1105]
    assert data.axis.unit == "nm"


def test_a_data_set_object_without_classes_says_so():
    with pytest.raises(FileRefused, match="without classes"):
        read(data_set_object(False), "corn.mat")


def test_a_shift_jis_table_is_read():
    text = "測定,カテゴリ,label\n1.5,2.5,リンゴ\n2.5,1.5,みかん\n3.5,0.5,リンゴ\n"
    data = read(text.encode("cp932"), "t.csv")
    assert data.feature_names == ("測定", "カテゴリ")
    assert set(data.class_names) == {"リンゴ", "みかん"}
    assert any("Shift-JIS" in note for note in data.notes)


def test_western_text_is_not_taken_for_japanese():
    data = read("Länge,Höhe,label\n1,2,groß\n2,3,klein\n3,4,groß\n".encode("cp1252"), "t.csv")
    assert data.feature_names == ("Länge", "Höhe")


def test_comment_lines_after_the_last_row_are_left_out():
    rows = "a,b,label\n1,2,x\n2,3,y\n3,5,x\n# a comment\n; another kind\n\n"
    assert read(rows.encode(), "t.csv").n_samples == 3
