"""Images with spectra: ENVI layouts from disk, maps from spectra with places, label files."""

import io
import os
from pathlib import Path

import numpy as np
import pytest

from explorer.data import (
    Cube,
    FileRefused,
    SpectralAxis,
    cube_of,
    read_cube,
    read_labels,
    regions,
)
from explorer.data.measured import MeasuredSpectra, Spectrum
from explorer.data.measured.image_files import image_in, is_labels, labels_in

LINES, SAMPLES, BANDS = 3, 4, 5
CUBE = np.arange(60.0).reshape(LINES, SAMPLES, BANDS)
ORDERS = {"bsq": (2, 0, 1), "bil": (0, 2, 1), "bip": (0, 1, 2)}
WAVES = "wavelength = {400, 500,\n 600, 700, 800}\nwavelength units = Nanometers\n"


def write(
    folder: Path, interleave="bsq", kind="<f4", code=4, offset=0, extra=WAVES, ending=".dat"
) -> Path:
    data = CUBE.transpose(ORDERS[interleave]).astype(kind)
    (folder / f"image{ending}").write_bytes(b"\x07" * offset + data.tobytes())
    head = folder / "image.hdr"
    head.write_text(
        f"ENVI\nsamples = {SAMPLES}\nlines = {LINES}\nbands = {BANDS}\nheader offset = {offset}\n"
        f"data type = {code}\ninterleave = {interleave.upper()}\n"
        f"byte order = {int(kind[0] == '>')}\n{extra}"
    )
    return head


@pytest.mark.parametrize("interleave", ORDERS)
@pytest.mark.parametrize(
    ("kind", "code"),
    [("|u1", 1), ("<i2", 2), (">i2", 2), ("<i4", 3), (">f4", 4), ("<f8", 5), (">u2", 12),
     ("<u4", 13), ("<i8", 14), ("<u8", 15)],
)  # fmt: skip
def test_every_layout_of_envi_gives_the_same_cube(tmp_path, interleave, kind, code):
    cube = read_cube(write(tmp_path, interleave, kind, code, offset=37))
    np.testing.assert_array_equal(np.asarray(cube.values, float), CUBE)
    np.testing.assert_array_equal(cube.axis.values, [400, 500, 600, 700, 800])
    assert cube.axis.unit == "nm"


def test_the_data_file_can_be_named_instead_of_its_header(tmp_path):
    write(tmp_path, ending="")
    assert read_cube(tmp_path / "image").values.shape == CUBE.shape


def test_bands_are_sorted_and_missing_values_are_told(tmp_path):
    extra = "wavelength = {800, 700, 600, 500, 400}\ndata ignore value = 7\n"
    cube = read_cube(write(tmp_path, extra=extra))
    np.testing.assert_array_equal(cube.axis.values, [400, 500, 600, 700, 800])
    assert cube.band(0)[0, 0] == 4  # the last band of the file
    assert np.isnan(cube.band(2)[0, 1])
    assert "sorted" in cube.notes[0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("data type = 6", "complex numbers"),
        ("data type = 99", "not known"),
        ("interleave = zigzag", "bsq, bil or bip"),
        ("lines = 30", "cut short"),
        ("lines = x", "without the number"),
        ("bands = 0", "empty image"),
    ],
)
def test_a_header_that_cannot_be_is_refused(tmp_path, change, words):
    head = write(tmp_path)
    key = change.split(" = ")[0]
    lines = [change if line.startswith(key) else line for line in head.read_text().split("\n")]
    head.write_text("\n".join(lines))
    with pytest.raises(FileRefused, match=words):
        read_cube(head)


def spectra_at(places, x=(1.0, 2.0, 3.0)) -> MeasuredSpectra:
    return MeasuredSpectra(
        "map",
        tuple(
            Spectrum(np.array(x), np.array([a, b, a + b]), "cm-1", f"{k}", "map.wdf", "",
                     {"x (um)": f"{a:g}", "y (um)": f"{b:g}"})
            for k, (a, b) in enumerate(places)
        ),
    )  # fmt: skip


def test_spectra_with_places_make_an_image_whatever_their_order():
    places = [(0.5 * c - 3, 10 + 2.0 * r) for c in (2, 0, 1) for r in (1, 0)]
    cube = cube_of(spectra_at(places))
    assert cube.values.shape == (2, 3, 3)
    np.testing.assert_allclose(cube.band(0), [[-3, -2.5, -2], [-3, -2.5, -2]])
    np.testing.assert_allclose(cube.band(1), [[10] * 3, [12] * 3])


def test_a_map_that_was_stopped_has_empty_pixels():
    cube = cube_of(spectra_at([(c, r) for r in range(3) for c in range(3)][:7]))
    assert np.isnan(cube.band(0)).sum() == 2
    assert "2 of 9 pixels have no spectrum." in cube.notes


def test_spectra_without_places_or_a_grid_are_no_image():
    rng = np.random.default_rng(0)
    with pytest.raises(FileRefused, match="do not form a grid"):
        cube_of(spectra_at(rng.random((60, 2))))
    bare = spectra_at([(0, 0)] * 6)
    for spectrum in bare.spectra:
        spectrum.metadata.clear()
    with pytest.raises(FileRefused, match="no places"):
        cube_of(bare)


@pytest.fixture
def cube() -> Cube:
    return Cube("c", CUBE, SpectralAxis.of_unit(np.arange(5.0), "nm"))


def test_labels_come_from_a_table_an_array_or_a_classification(tmp_path, cube):
    table = tmp_path / "l.csv"
    table.write_text("Line;Sample;Class\n1;1;oak\n3;4;elm\n2;2;oak\n")
    codes, names = read_labels(table, cube)
    assert names == ("elm", "oak")
    assert (codes[0, 0], codes[2, 3], codes[1, 1], codes[0, 1]) == (1, 0, 1, -1)
    array = np.zeros((LINES, SAMPLES), int)
    array[0, 0], array[1, 1] = 2, 5
    np.save(tmp_path / "l.npy", array)
    codes, names = read_labels(tmp_path / "l.npy", cube)
    assert names == ("class 2", "class 5")
    assert (codes[0, 0], codes[1, 1], codes[2, 2]) == (0, 1, -1)
    (tmp_path / "k.dat").write_bytes(array.astype("u1").tobytes())
    (tmp_path / "k.hdr").write_text(
        "ENVI\nfile type = ENVI Classification\nsamples = 4\nlines = 3\nbands = 1\n"
        "data type = 1\ninterleave = bsq\nclasses = 6\n"
        "class names = {Unclassified, a, b, c, d, e}\n"
    )
    assert read_labels(tmp_path / "k.hdr", cube)[1] == ("b", "e")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("line,sample,class\n9,1,a\n", "outside the image"),
        ("line,sample,class\nx,1,a\n", "whole numbers"),
        ("a,b\n1,2\n", "needs columns"),
    ],
)
def test_bad_label_files_are_refused(tmp_path, cube, text, words):
    (tmp_path / "l.csv").write_text(text)
    with pytest.raises(FileRefused, match=words):
        read_labels(tmp_path / "l.csv", cube)


def test_labelled_pixels_are_a_data_set(cube):
    codes = np.full((LINES, SAMPLES), -1)
    codes[0, :2], codes[2, 3] = 2, 0
    data = cube.labelled(codes, ("a", "b", "c"))
    assert data.class_names == ("a", "c")
    np.testing.assert_array_equal(data.X, [CUBE[0, 0], CUBE[0, 1], CUBE[2, 3]])
    np.testing.assert_array_equal(data.y, [1, 1, 0])
    assert data.sample_names == ("1, 1", "1, 2", "3, 4")
    with pytest.raises(ValueError, match="Paint some"):
        cube.labelled(np.full((LINES, SAMPLES), -1), ("a",))
    with pytest.raises(ValueError, match="one class"):
        cube.labelled(np.where(codes == 2, 0, -1), ("a", "b"))
    with pytest.raises(ValueError, match="must be whole numbers"):
        cube.labelled(codes[:2], ("a", "b", "c"))


def _sample(name: str) -> Path:
    folder = Path(os.environ.get("EXPLORER_INSTRUMENT_FILES", "../shared/instrument-files"))
    if not (folder / name).is_file():
        pytest.skip("The sample files of instruments are not on this machine.")
    return folder / name


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("renishaw_wdf/renishaw_test_map.wdf", (3, 3)),
        ("imzml/Example_Continuous.imzML", (3, 3)),
        ("perkinelmer/4x4_pixel_PE_image.fsm", (4, 4)),
    ],
)
def test_maps_of_instruments_are_images(name, shape):
    cube = read_cube(_sample(name))
    assert cube.values.shape[:2] == shape
    assert np.isfinite(np.asarray(cube.values)).all()


def test_patches_of_touching_pixels_are_regions():
    labels = np.array([[0, 0, -1, 1], [-1, 0, -1, 1], [0, -1, 1, -1]])
    found = regions(labels)
    # diagonal neighbours touch: one patch of each class
    assert [np.unique(found[labels == k]).size for k in (0, 1)] == [1, 1]
    assert found[0, 0] != found[0, 3]
    assert (found[labels < 0] == 0).all()
    assert np.unique(regions(np.array([[0, -1, 0]]))).size == 3


def test_of_many_labelled_pixels_some_of_each_class_are_taken(cube):
    codes = np.zeros((LINES, SAMPLES), int)
    codes[0, 0] = 1
    data = cube.labelled(codes, ("many", "one"), most=5)
    assert data.class_counts.tolist() == [4, 1]
    assert any("of 12 labelled pixels are used" in note for note in data.notes)


# ---- uploaded files


def _uploaded(folder: Path) -> dict[str, bytes]:
    return {f"top/{p.name}": p.read_bytes() for p in sorted(folder.iterdir())}


@pytest.mark.parametrize("interleave", ["bsq", "bil", "bip"])
def test_an_uploaded_envi_image_is_the_one_on_disk(tmp_path, interleave):
    path = write(tmp_path, interleave)
    expected = read_cube(path)
    found = image_in(_uploaded(tmp_path))
    np.testing.assert_array_equal(found.values, expected.values)
    assert (found.name, found.notes) == (expected.name, expected.notes)


def test_uploaded_labels_are_those_on_disk(tmp_path, cube):
    codes = np.zeros((LINES, SAMPLES), np.int16)
    codes[0, 0], codes[1, 2], codes[2, 3] = 2, 1, 2
    files = {
        "a.npy": _npy(codes),
        "a.csv": b"row;col;label\r\n1;1;class 2\r\n2;3;class 1\r\n3;4;class 2\r\n",
        "b.csv": b"line,sample,class,code\n1,1,class 2,2\n2,3,class 1,1\n3,4,class 2,2\n",
    }
    for name, content in files.items():
        assert is_labels(name, content)
        found, names = labels_in({name: content}, cube)
        (tmp_path / name).write_bytes(content)
        expected, expected_names = read_labels(tmp_path / name, cube)
        np.testing.assert_array_equal(found, expected)
        assert names == expected_names == ("class 1", "class 2")


def test_a_column_code_gives_the_order_of_classes(cube):
    table = b"line,sample,class,code\n1,1,zebra,1\n1,2,ape,2\n"
    assert labels_in({"l.csv": table}, cube)[1] == ("zebra", "ape")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"a.hdr": b"ENVI\nsamples = 4\nlines = 3\nbands = 2\n"}, "Choose both files"),
        ({"a.hdr": b"ENVI\nsamples = 4\nlines = 3\nbands = 2\n", "a.dat": b"123"}, "Copy both"),
        ({"a.hdr": b"ENVI\nlines = 3\n", "a.dat": b"123"}, "samples, lines and bands"),
    ],
)
def test_an_uploaded_image_that_is_not_whole_is_a_sentence(files, words):
    with pytest.raises(FileRefused, match=words):
        image_in(files)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("l.npy", b"\x93NUMPY\x01\x00\xff\xff", "not an .npy array"),
        ("l.csv", b"line,sample,class\n1,2\n", "row 2, is not a table"),
        ("l.csv", b"line,sample,class\n", "is not a table"),
        ("l.csv", b"line,sample,class\n1,x,a\n", "whole numbers"),
    ],
)
def test_uploaded_labels_that_cannot_be_read_are_a_sentence(cube, name, content, words):
    with pytest.raises(FileRefused, match=words):
        labels_in({name: content}, cube)


def test_files_without_an_image_or_labels_give_none(cube):
    files = {"a.csv": b"x,y\n1,2\n", "b.npy": b"no", "c.bin": bytes(9)}
    assert image_in(files) is None
    assert labels_in(files, cube) is None


def _npy(array) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()
