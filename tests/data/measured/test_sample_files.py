"""Real files as instruments write them: what each gives, against other readers and their own text.

The files lie outside the repository; `sample_files.tsv` says what is in them.
"""

import base64
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from explorer.data import read_spectra

TABLE = [
    row.split("\t")
    for row in (Path(__file__).parent / "sample_files.tsv").read_text().splitlines()[1:]
]
# What is not a spectrum, and a word that its reason must have.
NOT_SPECTRA = {
    "animl/Example3.animl": "single results",
    "envi/92AV3C.spc": "bands",
    "horiba_labspec/PST10_iR785_OP01_8000msx8.l6s": "LabSpec",
    "neaspec_gsf/whitelight.gsf": "picture",
}
# What is read together with another file.
WITH_ANOTHER = {
    "agilent_resolutionspro/4_noimage_agg256.bsp",
    "agilent_resolutionspro/4_noimage_agg256.hdr",
    "agilent_resolutionspro/4_noimage_agg256.seq",
    "envi/synthetic_lib.sli",
    "imzml/Example_Continuous.ibd",
}


@pytest.fixture(scope="module")
def found(instrument_files):
    return read_spectra(instrument_files)


@pytest.fixture(scope="module")
def by_file(found):
    out = defaultdict(list)
    for spectrum in found.spectra:
        out[spectrum.file].append(spectrum)
    return out


@pytest.mark.parametrize("row", TABLE, ids=[row[0] for row in TABLE])
def test_a_file_gives_its_spectra(row, by_file):
    file, count, points, first, last, unit = row
    spectra = by_file[file]
    assert len(spectra) == int(count)
    assert spectra[0].x.size == int(points)
    assert spectra[0].x[[0, -1]] == pytest.approx([float(first), float(last)], rel=1e-6)
    assert spectra[0].unit == ("" if unit == "-" else unit)
    assert all(s.x.shape == s.y.shape and np.isfinite(s.y).any() for s in spectra)


def test_at_least_ninety_of_the_sample_files_give_spectra(found, instrument_files):
    files = {p.relative_to(instrument_files).as_posix() for p in instrument_files.rglob("*")
             if p.is_file() and p.name != "SOURCES.tsv"}  # fmt: skip
    outer = {f.split(".zip/")[0] + ".zip" if ".zip/" in f else f for f in found.files}
    read = outer | {f for f in found.partners if ".zip/" not in f}
    assert read <= files
    assert len(read) >= 90
    assert files - read == {n.file for n in found.not_read}


def test_what_is_no_spectrum_is_a_sentence_that_says_what_it_is(found):
    reasons = {n.file: n.reason for n in found.not_read}
    assert reasons.keys() == NOT_SPECTRA.keys()
    for file, word in NOT_SPECTRA.items():
        assert word in reasons[file]
        assert reasons[file].endswith(".")
        assert "Error" not in reasons[file]
    assert found.partners.keys() >= WITH_ANOTHER


@pytest.mark.parametrize("name", sorted(WITH_ANOTHER))
def test_a_file_chosen_without_its_partner_finds_it_beside(name, instrument_files):
    assert len(read_spectra(instrument_files / name).spectra) >= 1


def test_an_upload_of_the_folder_gives_the_same(found, instrument_files):
    part = ["envi/synthetic_lib.hdr", "envi/synthetic_lib.sli", "svc_sig/serbinsh_gr070214_003.sig"]
    uploaded = read_spectra({f"C:\\data\\{p}": (instrument_files / p).read_bytes() for p in part})
    expected = [s for s in found.spectra if s.file in part]
    assert len(uploaded.spectra) == len(expected) == 51
    assert all(np.array_equal(a.y, b.y) for a, b in zip(uploaded.spectra, expected, strict=True))


# ---- other readers


def _files(folder: Path, *endings: str) -> list[Path]:
    return [p for p in sorted(folder.rglob("*")) if p.suffix.lower() in endings]


def test_spc_files_as_spc_io_reads_them(by_file, instrument_files):
    spc_io = pytest.importorskip("spc_io")
    compared = 0
    for path in _files(instrument_files, ".spc"):
        ours = by_file.get(path.relative_to(instrument_files).as_posix())
        if ours is None:
            continue
        try:
            with path.open("rb") as stream:
                theirs = spc_io.SPC.from_bytes_io(stream)
        except Exception:  # the old form, and dates that it cannot read
            continue
        assert len(theirs) == len(ours)
        # of a single spectrum the header's exponent counts, says Galactic; spc-io takes the other
        if path.name == "NDR0002.SPC":
            assert ours[0].y.max() == pytest.approx(1.0)
            continue
        for a, b in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(a.x, b.xarray, rtol=1e-6)
            np.testing.assert_allclose(a.y, b.yarray, rtol=1e-6, atol=1e-9)
        compared += 1
    assert compared >= 10


def test_an_old_spc_file_as_its_own_text(by_file):
    ours = by_file["galactic_spc/m_ordz.spc"]
    assert ours[0].x[[0, -1]] == pytest.approx([698.229, 4000.354], abs=0.01)
    times = [float(s.metadata["z"]) for s in ours]
    assert times == sorted(times)
    # both halves of a number are in their places: neighbours are alike where nothing absorbs
    assert all(np.abs(np.diff(s.y[:100])).max() < 0.1 for s in ours)


def test_a_spc_file_as_the_text_that_another_program_wrote(by_file):
    ours, text = by_file["galactic_spc/POLYS.SPC"][0], by_file["galactic_spc/s_evenx.spc.txt"][0]
    np.testing.assert_allclose(ours.y, text.y, rtol=1e-9)


def test_wdf_files_as_renishawwire_reads_them(by_file, instrument_files):
    reader = pytest.importorskip("renishawWiRE").WDFReader
    for path in _files(instrument_files, ".wdf"):
        theirs = reader(str(path))
        ours = by_file[path.relative_to(instrument_files).as_posix()]
        np.testing.assert_allclose(ours[0].x, theirs.xdata)
        stacked = np.array([s.y for s in ours]).ravel()
        np.testing.assert_allclose(stacked, np.ravel(theirs.spectra))
        theirs.close()


def test_asd_files_as_pyasdreader_reads_them(by_file, instrument_files, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the package writes a log into the folder it is imported in
    reader = pytest.importorskip("pyASDReader").ASDFile
    for path in _files(instrument_files, ".asd"):
        theirs = reader(str(path))
        ours = by_file[path.relative_to(instrument_files).as_posix()][0]
        np.testing.assert_allclose(ours.x, theirs.wavelengths)
        y = np.asarray(theirs.digitalNumber)
        if ours.quantity == "reflectance":
            y = y / np.asarray(theirs.referenceData.spectra)
        known = np.isfinite(ours.y)
        np.testing.assert_allclose(ours.y[known], y[known], rtol=1e-6)


def test_opus_files_as_brukeropus_reads_them_from_disk(by_file, instrument_files):
    read_opus = pytest.importorskip("brukeropus").read_opus
    for path in sorted((instrument_files / "bruker_opus").iterdir()):
        if path.suffix == ".dpt":
            continue
        theirs, ours = read_opus(str(path)), by_file[f"bruker_opus/{path.name}"][0]
        data = getattr(theirs, "a" if hasattr(theirs, "a") and theirs.a else "ra")
        np.testing.assert_allclose(ours.x, data.x)
        np.testing.assert_allclose(ours.y, data.y)


def test_sif_files_as_sif_parser_reads_them_from_disk(by_file, instrument_files):
    sif_parser = pytest.importorskip("sif_parser")
    for path in _files(instrument_files, ".sif"):
        theirs, _ = sif_parser.np_open(str(path))
        ours = by_file[path.relative_to(instrument_files).as_posix()]
        np.testing.assert_allclose(np.array([s.y for s in ours]).ravel(), theirs.ravel())


def test_jasco_files_as_jws2txt_reads_them(by_file, instrument_files):
    helpers = pytest.importorskip("jws2txt.helpers.helpers")
    for path in _files(instrument_files, ".jws"):
        if path.read_bytes()[:4] == b"L~S ":
            continue
        theirs = helpers.JWSFile(path=str(path))
        ours = by_file[path.relative_to(instrument_files).as_posix()][0]
        assert ours.x.size == theirs.npoints
        assert ours.x[[0, -1]] == pytest.approx([theirs.x_for_first_point, theirs.x_for_last_point])


def test_jcamp_files_as_the_jcamp_package_reads_them(by_file, instrument_files):
    jcamp = pytest.importorskip("jcamp")
    compared = 0
    for path in _files(instrument_files / "jcamp_dx", ".jdx", ".dx", ".jcm"):
        ours = by_file[f"jcamp_dx/{path.name}"]
        try:
            theirs = jcamp.readfile(str(path))
        except ValueError:  # a line that the package does not expect
            continue
        if len(ours) > 1 or "y" not in theirs or len(theirs["y"]) != ours[0].y.size:
            continue
        np.testing.assert_allclose(ours[0].y, theirs["y"], rtol=1e-6, atol=1e-9)
        compared += 1
    assert compared >= 6


def test_jcamp_pages_begin_with_the_value_that_the_file_announces(by_file, instrument_files):
    text = (instrument_files / "jcamp_dx" / "isasspc1.dx").read_text("latin-1")
    announced = [float(m.split(",")[2]) for m in re.findall(r"##FIRST=(.*)", text)[1:]]
    ours = [s.y[0] for s in by_file["jcamp_dx/isasspc1.dx"]]
    np.testing.assert_allclose(ours, announced, rtol=1e-3)


def test_a_binary_file_of_avantes_as_the_text_that_avasoft_wrote(by_file):
    ours, text = by_file["avantes/30849.RFL8"][0], by_file["avantes/30849.csv"][0]
    np.testing.assert_allclose(ours.x, text.x, atol=1e-3)
    np.testing.assert_allclose(ours.y, text.y, rtol=1e-5)
    ours, text = (
        by_file["avantes/avantes_reflect.ROH"][0],
        by_file["avantes/avantes_export2.trt"][0],
    )
    np.testing.assert_allclose(ours.x, text.x, atol=0.01)
    np.testing.assert_allclose(ours.y, text.y, rtol=1e-4)  # the text has five digits


def test_one_data_set_in_three_formats_is_the_same(by_file):
    names = ("envi/synthetic_lib.hdr", "matlab/synthetic_nirs_v73.mat", "netcdf/synthetic_nirs.nc")
    envi, matlab, netcdf = (np.array([s.y for s in by_file[name]]) for name in names)
    np.testing.assert_allclose(envi, matlab, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(netcdf, matlab, rtol=1e-5, atol=1e-6)


def test_text_files_have_the_numbers_that_stand_in_their_lines(by_file, instrument_files):
    """A naive reading: the last column of the lines of numbers, or the second of two."""
    for file in (
        "svc_sig/ACPL_D2_P1_B_1_001.sig",
        "spectral_evolution_sed/1566060_09506_working.sed",
        "bruker_opus/peach_juice.dpt",
        "witec/PST_WiICV532_Z050OP02_075_800msx10.txt",
        "ocean_optics/jazspec.jaz",
        "ocean_optics/OO_comma.txt",
        "horiba_labspec/LiNbWO6-0-H.txt",
    ):
        rows = []
        for line in (instrument_files / file).read_text("latin-1").splitlines():
            cells = line.replace(",", ".").split()
            if len(cells) > 1 and all(re.fullmatch(r"[-+.\dEe]+", c) and c[-1].isdigit()
                                      for c in cells):  # fmt: skip
                rows.append([float(c) for c in cells])
        naive = np.array(rows)
        np.testing.assert_array_equal(by_file[file][0].x, naive[:, 0], err_msg=file)
        np.testing.assert_array_equal(by_file[file][0].y, naive[:, -1], err_msg=file)


def test_a_perkinelmer_map_has_the_spectrum_of_its_pixel(by_file):
    pixels = by_file["perkinelmer/4x4_pixel_PE_image.fsm"]
    single = by_file["perkinelmer/single_PE_spectrum.sp"][0]
    distances = [np.abs(p.y - single.y).max() for p in pixels]
    assert min(distances) < 1e-3


def test_an_mzml_file_keeps_all_of_its_intensity(by_file, instrument_files):
    text = (instrument_files / "mzml" / "test.mzML").read_text("latin-1")
    intensity = re.findall(r"<binary>([^<]+)</binary>", text)[1]
    total = np.frombuffer(base64.b64decode(intensity), "<f4").sum(dtype=float)
    assert by_file["mzml/test.mzML"][0].y.sum() == pytest.approx(total)
