"""Every format, on small files that are written here: axis, unit, values, several per file."""

import dataclasses

import instrument_files as files
import numpy as np
import pytest
from instrument_files import GOOD, X, Y

from explorer.data.readers.instruments.block import Given
from explorer.data.readers.instruments.formats import BY_KEY, recognise
from explorer.data.readers.instruments.pool import ReaderProcess
from explorer.data.readers.instruments.worker import answered
from explorer.data.readers.refused import Limits

CASES = [(key, *case) for key, cases in GOOD.items() for case in cases]
UNITS = {
    "spc": "nm", "opus": "cm-1", "omnic": "cm-1", "wdf": "cm-1", "asd": "nm", "pe": "cm-1",
    "jasco": "nm", "agilent": "cm-1", "avantes": "nm", "roh": "nm", "spe": "nm", "envi": "nm",
    "mzml": "m/z", "imzml": "m/z", "labspecxml": "cm-1", "trivista": "nm", "animl": "nm",
    "mat": "nm", "netcdf": "nm",
}  # fmt: skip


def ask(name: str, content: bytes, beside: dict[str, bytes] | None = None, **limits):
    return answered(Given(name, content, Limits(**limits), beside or {}))


@pytest.mark.parametrize(("key", "name", "content", "beside"), CASES, ids=[c[1] for c in CASES])
def test_a_file_gives_its_axis_and_its_values(key, name, content, beside):
    assert recognise(Given(name, content, Limits())).key == key
    answer = ask(name, content, beside)
    assert not answer.refused
    block = answer.blocks[0]
    order = np.argsort(block.x)
    if key not in ("mzml", "imzml"):  # whose peaks are summed into bins
        np.testing.assert_allclose(block.x[order], X, atol=1e-3)
        np.testing.assert_allclose(block.y[0][order] / _scale(key, name), Y, atol=2e-3)
    if key in UNITS:
        assert block.unit == UNITS[key]


def _scale(key: str, name: str) -> float:
    return 100.0 if key == "avantes" else 1.0


def test_the_text_of_every_maker_is_known():
    units = {name: ask(name, content).blocks[0].unit for name, content in files.TEXTS.items()}
    assert units == {
        "plain.txt": "", "labspec.txt": "cm-1", "ocean.txt": "nm", "avantes.txt": "nm",
        "a.sig": "nm", "a.sed": "nm", "a.dpt": "cm-1", "a.asp": "cm-1", "eco.txt": "um",
        "jasco.csv": "cm-1", "orange.tab": "", "map.xyz": "", "utf16.txt": "cm-1",
        "portable.txt": "cm-1", "a.msa": "eV", "separate.txt": "nm",
    }  # fmt: skip


def test_metadata_comes_from_headers_and_columns():
    eco = ask("eco.txt", files.TEXTS["eco.txt"]).blocks[0]
    assert eco.metadata["Class"] == "tree"
    orange = ask("orange.tab", files.TEXTS["orange.tab"]).blocks[0]
    assert orange.each["kind"] == ["a", "b"]
    assert ask("map.xyz", files.TEXTS["map.xyz"]).blocks[0].each["y"] == ["1", "2", "3"]


def test_several_spectra_of_a_file_are_all_there():
    many = ask("many.spc", files.spc(rows=3)).blocks[0]
    np.testing.assert_allclose(many.y, np.outer([1, 2, 3], Y), rtol=1e-6)
    own = ask("own.spc", files.spc(rows=2, own_x=True)).blocks
    np.testing.assert_allclose([b.x[0] for b in own], [400, 401])
    old = ask("old.spc", files.spc_old()).blocks[0]
    np.testing.assert_allclose(old.y[1], Y / 2, atol=1e-6)


def test_a_big_endian_spc_file_is_the_little_endian_one():
    little, big = (ask("a.spc", files.spc(end)).blocks[0] for end in "<>")
    np.testing.assert_array_equal(little.y, big.y)


def test_packed_differences_are_the_plain_numbers():
    plain, packed = (ask("a.jdx", files.jcamp(form)).blocks[0] for form in ("AFFN", "DIF"))
    np.testing.assert_allclose(plain.y, packed.y)


def test_the_imaginary_part_of_an_nmr_spectrum_is_left_out():
    assert len(ask("a.jdx", files.jcamp("NTUPLES")).blocks) == 1


def test_mass_spectra_are_summed_into_whole_masses():
    block = ask("a.mzml", files.mzml()).blocks[0]
    assert block.x[[0, -1]].tolist() == [400, 419]
    np.testing.assert_allclose(block.y.sum(axis=1), Y.sum())


def test_a_header_of_text_is_no_row_of_numbers_and_gaps_are_nan():
    text = (
        b"Wavelength (nm)\tA\n"
        + b"".join(b"%d\t1.5\n" % v for v in range(400, 410))
        + b"410\tnan\n"
    )
    block = ask("a.txt", text).blocks[0]
    assert block.unit == "nm"
    assert np.isnan(block.y[0, -1])


def test_the_result_column_is_taken_and_not_the_dark_one():
    rows = "".join(f"{x};1;2;3;{x / 1000}\n" for x in range(300, 310))
    text = f"Wave;Sample;Dark;Reference;Reflectance\n[nm];[counts];[counts];[counts];[%]\n{rows}"
    block = ask("a.txt", text.encode()).blocks[0]
    assert block.y.tolist() == [[x / 1000 for x in range(300, 310)]]
    assert "Reflectance" in block.quantity


def test_samples_in_columns_are_named_by_the_header():
    rows = "".join(f"{x},{x + 1},{x + 2}\n" for x in range(1000, 1010))
    block = ask("a.csv", f"wavelength,oak,elm\n{rows}".encode()).blocks[0]
    assert block.names == ("oak", "elm")
    assert block.unit == "nm"


def test_a_table_without_an_axis_is_a_table_of_names():
    answer = ask("classes.csv", b"file,kind\na.spc,oak\nb.spc,elm\n")
    assert answer.table is not None
    assert answer.table.columns["kind"] == ["oak", "elm"]


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("a.pdf", b"%PDF-1.7" + bytes(100), "PDF"),
        ("a.png", b"\x89PNG" + bytes(100), "picture"),
        ("a.bin", bytes(range(256)) * 4, "not known"),
        ("a.txt", b"no numbers here\nnor here\n", "no spectrum"),
        ("a.gsf", b"Gwyddion Simple Field 1.0\n", "picture"),
        ("a.l6s", b"LabSpec6" + bytes(50), "LabSpec"),
        ("a.hdr", files._HEADER, "missing"),
        ("a.imzml", b'<?xml version="1.0"?><mzML><cv id="IMS"/></mzML>', "ibd"),
        ("a.mzml", b'<!DOCTYPE x [<!ENTITY a "b">]><mzML></mzML>', "entities"),
        ("a.spc", files.spc()[:400], "cut short"),
        ("a.wdf", files.wdf()[:500], "WiRE"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_a_sentence(name, content, word):
    answer = ask(name, content)
    assert word in answer.refused
    assert answer.refused.endswith(".")
    assert not answer.blocks


def test_every_format_has_a_reader():
    from explorer.data.readers.instruments.formats import FORMATS, reader_of

    assert all(callable(reader_of(found)) for found in FORMATS)
    assert len(BY_KEY) == len(FORMATS)


def test_a_file_beyond_the_limits_is_refused():
    assert "at most" in ask("a.spc", files.spc(rows=3), cells=30).refused


# ---- the process of its own


def test_a_worker_reads_as_this_process_does():
    with ReaderProcess() as worker:
        for _key, name, content, beside in CASES[::4]:
            given = Given(name, content, Limits(), beside)
            ours, theirs = answered(given), worker.ask(given)
            assert [b.names for b in ours.blocks] == [b.names for b in theirs.blocks]
            for a, b in zip(ours.blocks, theirs.blocks, strict=True):
                np.testing.assert_array_equal(a.y, b.y)


def test_a_worker_that_dies_is_replaced():
    with ReaderProcess() as worker:
        good = Given("a.spc", files.spc(), Limits())
        assert worker.ask(good).blocks
        worker._process.kill()
        worker._process.wait()
        assert "crash" in worker.ask(good).refused
        assert worker.ask(good).blocks


def test_a_file_that_takes_too_long_is_given_up():
    with ReaderProcess() as worker:
        slow = Given("a.spc", files.spc(), dataclasses.replace(Limits(), seconds=0.0))
        assert "took longer" in worker.ask(slow).refused
        assert worker.ask(Given("a.spc", files.spc(), Limits())).blocks
