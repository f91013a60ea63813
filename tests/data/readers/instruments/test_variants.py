"""Forms of the formats that the sample files do not have, each as a small file written here."""

import io
import struct

import numpy as np
import pytest
from instrument_files import (
    X,
    Y,
    emsa,
    numpress_integers,
    numpress_mzml,
    portable_raman,
    separate_axis,
)

from explorer.data.readers.instruments import numpress
from explorer.data.readers.instruments.block import Given
from explorer.data.readers.instruments.worker import answered
from explorer.data.readers.refused import Limits

N = X.size


def ask(name: str, content: bytes | str, beside=None):
    data = content if isinstance(content, bytes) else content.encode()
    return answered(Given(name, data, Limits(), beside or {}))


def rows(
    sep="\t", comma=False, ys=(Y,), x=X, end="\n", before="", after="", y_form="{:.5f}"
) -> str:
    out = []
    for k, a in enumerate(x):
        cells = sep.join([f"{a:.2f}", *(y_form.format(y[k]) for y in ys)])
        line = before.format(k=k + 1) + cells + after
        out.append(line.replace(".", ",") if comma else line)
    return end.join(out) + end


TEXTS = {
    "German, tabs, Windows": (
        ("Wellenlänge [nm]\tIntensität\r\n" + rows(comma=True, end="\r\n")).encode("cp1252"), "nm"),
    "German, semicolons": (
        "Probe: A\nDatum: 01.02.2020\nWellenzahl (1/cm);Extinktion\n" + rows(";", True), "cm-1"),
    "French": ("Nombre d'onde (cm-1);Absorbance\n" + rows(";", True), "cm-1"),
    "Spanish": ("Longitud de onda (nm)\tReflectancia\n" + rows(), "nm"),
    "UTF-16 without a mark, big": (
        ("Wavelength (nm)\tCounts\n" + rows()).encode("utf-16-be"), "nm"),
    "UTF-16 without a mark, little": (
        ("Wavelength (nm)\tCounts\n" + rows()).encode("utf-16-le"), "nm"),
    "comments at the end": (rows() + "# end of file\n# bye\n", ""),
    "remarks behind the numbers": (rows(" ", after=" # good"), ""),
    "remarks after a semicolon": ("# a header\n" + rows(",", after=" ; ok"), ""),
    "Fortran exponents": (
        rows("  ", before="  ", y_form="{:.6E}").replace("E-", "D-").replace("E+", "D+"), ""),
    "units below the names": ("Wavelength\tIntensity\n(nm)\t(a.u.)\n" + rows(), "nm"),
    "units and samples below the names": (
        "Wavenumber,Transmittance\ncm-1,%\nSample A,Sample A\n" + rows(","), "cm-1"),
    "quoted": ("\n".join(f'"{a:.2f}","{b:.5f}"' for a, b in zip(X, Y, strict=True)), ""),
    "quoted, decimal commas": (
        "\n".join(f'"{a:.2f}";"{b:.5f}"'.replace(".", ",") for a, b in zip(X, Y, strict=True)),
        ""),
    "lines of an old Macintosh": (rows(end="\r"), ""),
    "a column that counts pixels": (
        "Pixel;Wavelength;Intensity\n" + rows(";", before="{k};"), "nm"),
    "a column that counts, no header": (rows(";", before="{k};"), ""),
    "position = value": (
        "[Header]\nName=abc\n[Data]\nX=1/cm\nY=Abs\n[XYData]\n" + rows("="), "cm-1"),
    "colons": (rows(":"), ""),
    "bars": (rows("|"), ""),
    "blanks and decimal commas": (rows(" ", True), ""),
    "a delimiter at the end": (rows(",", after=","), ""),
    "position twice": (
        "Wavelength\tA\tWavelength\tB\n" + "\n".join(
            f"{a:.2f}\t{b:.5f}\t{a:.2f}\t{2 * b:.5f}" for a, b in zip(X, Y, strict=True)), "nm"),
}  # fmt: skip


@pytest.mark.parametrize("case", TEXTS)
def test_a_text_file_gives_its_spectrum(case):
    content, unit = TEXTS[case]
    block = ask("a.txt", content).blocks[0]
    np.testing.assert_allclose(block.x, X, atol=0.006)
    np.testing.assert_allclose(block.y[0], Y, atol=1e-5)
    assert block.unit == unit


@pytest.mark.parametrize("word", ["1.#QNAN", "-", "---", "NaN", "#N/A", "?", "n/a"])
@pytest.mark.parametrize("sep", ["\t", ";", " "])
def test_a_word_for_no_value_is_a_gap_and_ends_nothing(word, sep):
    text = rows(sep).replace(f"{Y[9]:.5f}", word, 1)
    block = ask("a.txt", text).blocks[0]
    assert block.x.size == N
    assert np.flatnonzero(np.isnan(block.y[0])).tolist() == [9]


def test_an_empty_cell_is_a_gap():
    text = "nm,R,S\n" + rows(",", ys=(Y, 2 * Y)).replace(f"{Y[9]:.5f}", "", 1)
    block = ask("a.csv", text).blocks[0]
    assert block.names == ("R", "S")
    assert np.isnan(block.y[0, 9])
    np.testing.assert_allclose(block.y[1], 2 * Y, atol=1e-5)


@pytest.mark.parametrize(
    ("header", "sep", "comma"), [("Wavelength;s1;s2", ";", True), ("nm,s1,s2", ",", False)]
)
def test_samples_in_columns_keep_their_names(header, sep, comma):
    block = ask("m.csv", f"{header}\n" + rows(sep, comma, ys=(Y, 2 * Y))).blocks[0]
    assert block.names == ("s1", "s2")
    assert block.unit == "nm"
    np.testing.assert_allclose(block.y, [Y, 2 * Y], atol=1e-5)


def test_of_several_axes_the_raman_shift_is_taken_and_of_columns_the_result():
    block = ask("a.txt", portable_raman()).blocks[0]
    np.testing.assert_allclose(block.x, X, atol=1e-2)  # pixels without a position are left out
    np.testing.assert_allclose(block.y[0], Y, atol=1e-4)
    assert (block.unit, block.quantity) == ("cm-1", "Dark Subtracted #1")
    assert block.metadata["laser_wavelength"] == "532,02"


def test_a_raman_shift_that_was_not_computed_leaves_the_wavelength():
    text = "Pixels,Wavelength,Raman_Shift,Raw_Data,Background_Data,Processed_Data\n"
    text += "\n".join(
        f"{k},{a:.2f},0,9,9,{b:.5f}" for k, (a, b) in enumerate(zip(X, Y, strict=True))
    )
    block = ask("a.csv", text).blocks[0]
    np.testing.assert_allclose(block.x, X, atol=1e-2)
    assert (block.unit, block.quantity) == ("nm", "Processed_Data")


def test_emsa_values_have_the_axis_of_their_header():
    block = ask("a.msa", emsa()).blocks[0]
    np.testing.assert_allclose(block.x, X)
    np.testing.assert_allclose(block.y[0], Y, atol=1e-6)
    assert (block.unit, block.quantity, block.names) == ("eV", "counts", ("a",))


def test_an_axis_on_a_line_of_its_own_above_a_table():
    block = ask("a.txt", separate_axis()).blocks[0]
    np.testing.assert_allclose(block.x, X)
    np.testing.assert_allclose(block.y, [Y, 2 * Y, 3 * Y], atol=1e-5)
    assert block.names == ("S0", "S1", "S2")
    assert block.each["Protein"] == ["10.5", "11.5", "12.5"]
    assert block.unit == "nm"


WIDE_ROWS = "\n".join(f"s{k},{'ab'[k % 2]}," + ",".join(f"{v:.5f}" for v in Y) for k in range(4))


@pytest.mark.parametrize(
    ("above", "form", "unit"),
    [
        ("", "{:g}", ""),
        ("", "X{:g}", ""),
        ("", "{:g} nm", "nm"),
        ("", "scan_abs.{:g}", ""),
        ("Instrument,ABC\nSerial,123\nDate,2020-01-02\n\n", "{:g}", ""),
        ("A title that says nothing\n", "{:g} cm-1", "cm-1"),
    ],
)
def test_one_row_per_sample_with_the_axis_in_a_header(above, form, unit):
    head = "ID,Class," + ",".join(form.format(v) for v in X)
    block = ask("a.csv", f"{above}{head}\n{WIDE_ROWS}\n").blocks[0]
    np.testing.assert_allclose(block.x, X)
    np.testing.assert_allclose(block.y, [Y] * 4, atol=1e-5)
    assert block.unit == unit
    assert block.each["Class"] == ["a", "b", "a", "b"]
    if above.startswith("Instrument"):
        assert block.metadata["Serial"] == "123"


def test_a_plot_that_envi_wrote_as_text_is_text():
    text = "ENVI ASCII Plot File [today]\nColumn 1: Wavelength\nColumn 2: soil\n" + rows("  ")
    block = ask("a.txt", text).blocks[0]
    np.testing.assert_allclose(block.y[0], Y, atol=1e-5)


def test_thousands_may_have_commas_inside_quotes():
    far = X + 1000
    text = "Wavenumber,A\n" + "\n".join(f'"{a:,.2f}",{b:.5f}' for a, b in zip(far, Y, strict=True))
    block = ask("a.csv", text).blocks[0]
    np.testing.assert_allclose(block.x, far)


# ---- mzML


@pytest.mark.parametrize("packed", [True, False])
def test_numbers_packed_with_numpress(packed):
    block = ask("a.mzml", numpress_mzml(packed)).blocks[0]
    assert block.y.sum() == pytest.approx(Y.sum(), rel=1e-3)
    np.testing.assert_allclose(block.y[0][block.y[0] > 0], Y, rtol=1e-3)


def test_numpress_integers_are_unpacked(rng):
    whole = [0, 1, -1, 7, 15, 16, -16, -17, 255, 2**31 - 1, -(2**31), *rng.integers(-900, 900, 50)]
    values = [int(v) for v in whole]
    assert numpress.unpacked(numpress_integers(values), numpress.PIC).tolist() == values


@pytest.mark.parametrize("kind", [numpress.LINEAR, numpress.SLOF])
def test_numpress_that_is_cut_short_is_an_error(kind):
    with pytest.raises(ValueError, match="cut short"):
        numpress.unpacked(b"\x40\xf0", kind)


# ---- JCAMP-DX

WHOLE = np.round(Y * 1e5).astype(int)
FIELDS = (
    f"##XUNITS= 1/CM\n##YUNITS= ABSORBANCE\n##XFACTOR= 1.0\n##YFACTOR= 0.00001\n"
    f"##FIRSTX= {X[0]}\n##LASTX= {X[-1]}\n##NPOINTS= {N}\n"
)
AFFN = "\n".join(f"{X[k]} " + " ".join(map(str, WHOLE[k : k + 5])) for k in range(0, N, 5))
PAC = "\n".join(f"{X[k]}" + "".join(f"{v:+d}" for v in WHOLE[k : k + 5]) for k in range(0, N, 5))
PAIRS = [(f"{a:.2f}", f"{v:.1f}") for a, v in zip(X, WHOLE, strict=True)]


def jcamp(data: str, fields: str = FIELDS) -> str:
    return f"##TITLE= a\n##JCAMP-DX= 4.24\n##DATA TYPE= INFRARED SPECTRUM\n{fields}{data}\n##END=\n"


def commas(text: str) -> str:
    return text.replace(".", ",")


ONE = jcamp("##XYDATA= (X++(Y..Y))\n" + AFFN)
JCAMPS = {
    "packed": jcamp("##XYDATA= (X++(Y..Y))\n" + PAC),
    "small letters": ONE.replace("##XYDATA", "##xydata").replace("##TITLE", "##title"),
    "blanks in labels": ONE.replace("##XFACTOR=", "## X FACTOR ="),
    "comments": jcamp("##XYDATA= (X++(Y..Y)) $$ all\n" + AFFN.replace("\n", " $$ c\n\n$$ l\n")),
    "pairs under XYDATA": jcamp("##XYDATA= (XY..XY)\n" + "\n".join(map(",".join, PAIRS))),
    "pairs on one line": jcamp(
        "##XYPOINTS= (XY..XY)\n" + " ".join(f"{','.join(p)};" for p in PAIRS)),
    "no NPOINTS": ONE.replace(f"##NPOINTS= {N}\n", ""),
    "no FIRSTX and LASTX": ONE.replace(f"##FIRSTX= {X[0]}\n##LASTX= {X[-1]}\n", "##DELTAX= 1\n"),
    "byte order mark": "\ufeff" + ONE,
    "lines of an old Macintosh": ONE.replace("\n", "\r"),
    "decimal commas, comma between": jcamp(
        "##XYPOINTS= (XY..XY)\n" + "\n".join(f"{commas(a)}, {commas(b)}" for a, b in PAIRS),
        commas(FIELDS)),
    "decimal commas, semicolon between": jcamp(
        "##XYPOINTS= (XY..XY)\n" + "\n".join(f"{commas(a)}; {commas(b)}" for a, b in PAIRS),
        commas(FIELDS)),
    "decimal commas, blank between": jcamp(
        "##XYPOINTS= (XY..XY)\n" + "\n".join(f"{commas(a)} {commas(b)}" for a, b in PAIRS),
        commas(FIELDS)),
    "an end without its sign": ONE.replace("##END=", "##END"),
    "decimal commas in X++": jcamp("##XYDATA= (X++(Y..Y))\n" + commas(AFFN), commas(FIELDS)),
}  # fmt: skip


@pytest.mark.parametrize("case", JCAMPS)
def test_a_jcamp_file_gives_its_spectrum(case):
    block = ask("a.jdx", JCAMPS[case]).blocks[0]
    np.testing.assert_allclose(block.x, X, atol=0.006)
    np.testing.assert_allclose(block.y[0], Y, atol=1e-4)
    assert block.unit == "cm-1"


def test_peaks_with_assignments_are_peaks():
    peaks = "(100.5, 1.0, <C=O stretch>)\n(200, 2.5, 3,\n <OH (broad)>)\n(300.0,3,<CH>)"
    block = ask("a.jdx", jcamp(f"##PEAK ASSIGNMENTS= (XYA)\n{peaks}", "##XUNITS= 1/CM\n")).blocks[0]
    assert block.x.tolist() == [100.5, 200, 300]
    assert block.y.tolist() == [[1.0, 2.5, 3.0]]
    assert "table of peaks" in block.notes[0]


def test_linked_blocks_and_pages_are_spectra_of_their_own():
    link = (
        "##TITLE= all\n##JCAMP-DX= 4.24\n##DATA TYPE= LINK\n##BLOCKS= 2\n" + ONE + ONE + "##END=\n"
    )
    assert len(ask("a.jdx", link).blocks) == 2
    pages = "".join(
        f"##PAGE= T= {t}\n##DATA TABLE= (XY..XY), PEAKS\n"
        + "\n".join(f"{a:.2f},{t * b:.5f}" for a, b in zip(X, Y, strict=True))
        + "\n"
        for t in (1, 2)
    )
    ntuples = (
        "##TITLE= a\n##JCAMP-DX= 5.01\n##DATA TYPE= MASS SPECTRUM\n##DATA CLASS= NTUPLES\n"
        "##NTUPLES= MASS SPECTRUM\n##VAR_NAME= MASS, INTENSITY, RETENTION TIME\n"
        "##SYMBOL= X, Y, T\n##VAR_TYPE= INDEPENDENT, DEPENDENT, INDEPENDENT\n"
        "##VAR_FORM= AFFN, AFFN, AFFN\n##VAR_DIM= , , 2\n"
        "##UNITS= M/Z, RELATIVE ABUNDANCE, SECONDS\n"
        f"##FIRST= , , 1\n##LAST= , , 2\n{pages}##END NTUPLES= MASS SPECTRUM\n##END=\n"
    )
    found = ask("a.jdx", ntuples).blocks
    assert [b.unit for b in found] == ["m/z", "m/z"]
    np.testing.assert_allclose(found[1].y[0], 2 * Y, atol=1e-4)


# ---- Galactic SPC, against spc-io


def spc(flags: int, exponent: int, body: bytes, count: int = 1, points: int = N) -> bytes:
    head = bytearray(512)
    head[0], head[1] = flags, 0x4B
    struct.pack_into("<bidd", head, 3, exponent, points, X[0], X[-1])
    struct.pack_into("<i", head, 24, count)
    struct.pack_into("<I", head, 32, (2020 << 20) | (1 << 16) | (1 << 11))
    head[28] = 1
    return bytes(head) + body


def sub(exponent: int, points: int = 0) -> bytes:
    out = bytearray(32)
    struct.pack_into("<b", out, 1, exponent)
    struct.pack_into("<i", out, 16, points)
    return bytes(out)


UNEVEN = (X + 0.01 * np.arange(N) ** 2).astype("<f4")
FLOAT = Y.astype("<f4").tobytes()
LONG = np.round(Y * 2.0**31).astype("<i4").tobytes()
SHORT = np.round(Y * 2.0**15).astype("<i2").tobytes()
SPCS = {
    "float": spc(0, -128, sub(-128) + FLOAT),
    "whole numbers": spc(0, 1, sub(1) + LONG),
    "16 bits": spc(0x01, 1, sub(1) + SHORT),
    "own positions": spc(0x80, -128, UNEVEN.tobytes() + sub(-128) + FLOAT),
    "several on shared positions": spc(
        0x84, -128, UNEVEN.tobytes() + (sub(-128) + FLOAT) * 3, count=3),
    "several, each with its exponent": spc(0x04, 1, (sub(1) + LONG) + (sub(2) + LONG), count=2),
}  # fmt: skip


@pytest.mark.parametrize("case", SPCS)
def test_spc_agrees_with_spc_io(case):
    spc_io = pytest.importorskip("spc_io")
    theirs = spc_io.SPC.from_bytes_io(io.BytesIO(SPCS[case]))
    block = ask("a.spc", SPCS[case]).blocks[0]
    assert block.n == len(theirs)
    for k in range(block.n):
        np.testing.assert_allclose(block.x, theirs[k].xarray, rtol=1e-6)
        np.testing.assert_allclose(block.y[k], theirs[k].yarray, rtol=1e-6)


# ---- others


@pytest.mark.parametrize(
    ("ending", "quantity", "expected"),
    [("TRM", "transmittance", 100 * Y), ("ABS", "absorbance", -np.log10(Y))],
)
def test_avasoft_7_with_three_numbers_per_pixel(ending, quantity, expected):
    values = np.zeros(100 + 3 * N, "<f4")
    values[0], values[74], values[75] = 70, X[0], X[1] - X[0]
    values[79], values[80] = 0, N - 1
    dark, reference = 100.0 + np.arange(N), 50_000.0 + 10 * np.arange(N)
    triple = np.column_stack([dark + Y * (reference - dark), reference, dark])
    values[100:] = triple.ravel()
    block = ask(f"a.{ending}", values.tobytes()).blocks[0]
    assert block.quantity == quantity
    np.testing.assert_allclose(block.x, X, atol=1e-3)
    np.testing.assert_allclose(block.y[0], expected, rtol=1e-3, atol=1e-3)


def test_lightfield_writes_its_axis_at_the_end():
    head = bytearray(4100)
    struct.pack_into("<H", head, 42, N)
    struct.pack_into("<h", head, 108, 0)
    struct.pack_into("<H", head, 656, 1)
    struct.pack_into("<i", head, 1446, 1)
    struct.pack_into("<f", head, 1992, 3.0)
    struct.pack_into("<Q", head, 678, 4100 + 4 * N)
    axis = ",".join(f"{v:.3f}" for v in X)
    end = f'<SpeFormat><Wavelength xml:space="preserve">{axis}</Wavelength></SpeFormat>'
    block = ask("a.spe", bytes(head) + FLOAT + end.encode()).blocks[0]
    np.testing.assert_allclose(block.x, X, atol=1e-3)
    assert block.unit == "nm"


def hdf5(fill) -> bytes:
    h5py = pytest.importorskip("h5py")
    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        fill(file)
    return stream.getvalue()


def test_older_nexus_files_mark_the_signal_itself():
    def by_name(file):
        group = file.create_group("entry/data")
        group.attrs["NX_class"] = "NXdata"
        signal = group.create_dataset("counts", data=Y)
        signal.attrs["signal"], signal.attrs["axes"] = 1, "e"
        group.create_dataset("e", data=X).attrs["units"] = "eV"

    def by_number(file):
        group = file.create_group("entry/data")
        group.attrs["NX_class"] = "NXdata"
        group.create_dataset("counts", data=[Y, 2 * Y, 3 * Y]).attrs["signal"] = 1
        group.create_dataset("scan", data=np.arange(3.0)).attrs["axis"] = 1
        energy = group.create_dataset("e", data=X)
        energy.attrs["axis"], energy.attrs["units"] = 2, "eV"

    for fill, count in ((by_name, 1), (by_number, 3)):
        block = ask("a.nxs", hdf5(fill)).blocks[0]
        assert (block.n, block.unit) == (count, "eV")
        np.testing.assert_array_equal(block.x, X)


def test_an_array_of_three_sides_is_a_map_with_places():
    cube = np.arange(3 * 4)[:, None] + np.zeros(N)

    def fill(file):
        file.create_dataset("intensity", data=cube.reshape(3, 4, N))
        file.create_dataset("wavelength", data=X)

    block = ask("a.h5", hdf5(fill)).blocks[0]
    assert block.n == 12
    assert block.each["row"][:5] == ["0", "0", "0", "0", "1"]
    assert block.each["column"][:5] == ["0", "1", "2", "3", "0"]


def test_a_matrix_whose_first_column_is_the_axis():
    content = hdf5(lambda file: file.create_dataset("data", data=np.column_stack([X, Y])))
    block = ask("a.h5", content).blocks[0]
    np.testing.assert_array_equal(block.x, X)
    np.testing.assert_array_equal(block.y, [Y])
    assert "taken as the axis" in block.notes[0]


def test_an_excel_sheet_with_words_above_the_numbers():
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["Instrument", "ABC"], ["Date", "2020"], ["Wavelength (nm)", "R"]):
        book.active.append(row)
    for a, b in zip(X, Y, strict=True):
        book.active.append([float(a), float(b)])
    stream = io.BytesIO()
    book.save(stream)
    block = ask("a.xlsx", stream.getvalue()).blocks[0]
    assert block.unit == "nm"
    np.testing.assert_allclose(block.y[0], Y)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", "splib07a Record=1\n" + "\n".join(f"{v:.5e}" for v in Y), "one number a line"),
        (
            "a.mzXML",
            '<?xml version="1.0"?>\n<mzXML xmlns="x"><msRun/></mzXML>',
            "Convert it to mzML",
        ),
        ("a.txt", "<!DOCTYPE html>\n<html><body>404</body></html>", "web page"),
        ("a.xml", '<?xml version="1.0"?><foo><bar>1</bar></foo>', "first element is 'foo'"),
    ],
)
def test_what_is_not_read_is_named(name, content, words):
    assert words in ask(name, content).refused
