"""A folder of spectra: what is read, classes and groups by every way, and the data set."""

import io
import zipfile

import numpy as np
import pytest

from explorer.data import FileRefused, read, read_spectra
from explorer.data.measured.report import report
from explorer.data.measured.writing import write
from explorer.data.readers.refused import Limits

X = np.linspace(1000.0, 1100.0, 51)


def text(x, y, header="Wavelength (nm)\tA\n") -> bytes:
    return (header + "".join(f"{a:.6g}\t{b:.6g}\n" for a, b in zip(x, y, strict=True))).encode()


def spectrum(kind: int, k: int) -> bytes:
    return text(X, np.sin(X / 10 + kind) + 0.01 * k)


@pytest.fixture
def folder(tmp_path):
    """Two classes of six files in sub-folders: three samples of two replicates each."""
    for kind, name in enumerate(("elm", "oak")):
        (tmp_path / name).mkdir()
        for k in range(6):
            file = tmp_path / name / f"{name}_s{k // 2}_{k % 2}.txt"
            file.write_bytes(spectrum(kind, k))
    return tmp_path


def test_sub_folders_are_classes_and_the_rest_goes_on(folder):
    (folder / "oak" / "broken.spc").write_bytes(b"\x00\x4b" + bytes(300))
    (folder / "notes.pdf").write_bytes(b"%PDF-1.4 ...")
    (folder / ".hidden").write_bytes(b"x")
    found = read_spectra(folder)
    assert found.summary == "12 spectra from 12 files; 2 files were not read"
    assert {n.file for n in found.not_read} == {"oak/broken.spc", "notes.pdf"}
    best = found.class_proposals()[0]
    assert (best.way, best.counts) == ("folder", {"elm": 6, "oak": 6})
    data = found.to_dataset()
    assert data.class_names == ("elm", "oak")
    assert data.X.shape == (12, 51)
    assert data.axis.unit == "nm"
    assert data.sample_names[0] == "elm_s0_0"
    assert any("2 files were not read" in note for note in data.notes)


def test_a_zip_archive_and_an_upload_are_folders_too(folder):
    files = {p.relative_to(folder).as_posix(): p.read_bytes()
             for p in sorted(folder.rglob("*.txt"))}  # fmt: skip
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    (folder.parent / "all.zip").write_bytes(stream.getvalue())
    expected = read_spectra(folder).to_dataset()
    below = {f"dropped/{name}": content for name, content in files.items()}
    for source in (folder.parent / "all.zip", files, below, {"all.zip": stream.getvalue()}):
        found = read_spectra(source)
        assert found.files == read_spectra(folder).files  # names from the top of the folder
        np.testing.assert_array_equal(found.to_dataset("folder").X, expected.X)


def test_several_files_of_a_list_are_read(folder):
    files = sorted((folder / "oak").iterdir())
    assert len(read_spectra(files).spectra) == 6
    with pytest.raises(FileRefused, match="no file or folder"):
        read_spectra([folder / "nothing.txt"])


def test_a_part_of_the_file_name_is_proposed_and_shown(tmp_path):
    for kind, name in enumerate(("elm", "oak")):
        for k in range(4):
            (tmp_path / f"day{k % 2}_{name}_{k}.txt").write_bytes(spectrum(kind, k))
    found = read_spectra(tmp_path)
    ways = {p.way: p for p in found.class_proposals()}
    proposal = ways["name:*_{class}_*"]
    assert proposal.counts == {"elm": 4, "oak": 4}
    assert ("day0_elm_0", "elm") in proposal.examples
    assert found.to_dataset("name:*_{class}_*").class_names == ("elm", "oak")
    assert found.to_dataset("name:{class}_*").class_names == ("day0", "day1")


def test_a_table_gives_classes_and_replicate_groups(folder):
    for path in (folder / "oak", folder / "elm"):
        for file in path.iterdir():
            file.rename(folder / file.name)
        path.rmdir()
    rows = ["File,Kind,Sample"]
    for file in sorted(folder.glob("*.txt")):
        name = file.name if len(rows) % 2 else file.stem.upper()
        rows.append(f"{name},{'soft' if 'elm' in file.name else 'hard'},{file.stem[:-2]}")
    (folder / "classes.csv").write_text("\n".join(rows))
    found = read_spectra(folder)
    assert not found.not_read
    assert "table:classes.csv:Kind" in [p.way for p in found.class_proposals()]
    assert "table:classes.csv:Sample" in [p.way for p in found.group_proposals()]
    data = found.to_dataset("table:classes.csv:Kind", "table:classes.csv:Sample")
    assert data.class_names == ("hard", "soft")
    assert len(set(data.groups.tolist())) == 6
    assert all(len(set(data.y[data.groups == g])) == 1 for g in range(6))


def test_a_field_of_the_header_gives_classes(tmp_path):
    for k in range(6):
        head = f"Class: {'tree' if k % 2 else 'bush'}\nFirst X Value: 1\nX Units: nm\n"
        (tmp_path / f"{k}.txt").write_bytes(text(X, np.cos(X + k), head))
    found = read_spectra(tmp_path)
    assert found.class_proposals()[0].way == "metadata:Class"
    assert found.to_dataset().class_names == ("bush", "tree")
    with pytest.raises(FileRefused, match="fields are"):
        found.to_dataset("metadata:no such field")


def test_replicates_are_proposed_from_names_that_differ_in_a_number(folder):
    found = read_spectra(folder)
    ways = {p.way: p for p in found.group_proposals()}
    assert ways["numbered"].counts["oak_s0"] == 2
    data = found.to_dataset(groups="numbered")
    assert len(np.unique(data.groups)) == 6


def test_classes_can_be_given_one_by_one_and_missing_ones_are_left_out(folder):
    found = read_spectra(folder)
    labels = ["a", "b"] * 5 + ["", ""]
    data = found.to_dataset(labels)
    assert data.n_samples == 10
    assert any("2 spectra without a class" in note for note in data.notes)
    with pytest.raises(FileRefused, match="12 spectra"):
        found.to_dataset(["a"])


def test_without_any_way_to_classes_a_sentence_says_what_to_do(tmp_path):
    for name in ("x", "yy", "zzz"):
        (tmp_path / f"{name}.txt").write_bytes(spectrum(0, 1))
    with pytest.raises(FileRefused, match="one folder per class"):
        read_spectra(tmp_path).to_dataset()


def test_reading_tells_its_progress_and_can_be_stopped(folder):
    seen = []
    read_spectra(folder, progress=lambda done, total, name: seen.append((done, total)))
    assert seen[0] == (0, 12)
    assert seen[-1] == (12, 12)
    calls = iter([False, False, True])
    found = read_spectra(folder, stop=lambda: next(calls))
    assert len(found.spectra) == 2
    assert "stopped after 2 of 12" in found.notes[-1]


def test_all_spectra_together_have_a_limit(folder):
    found = read_spectra(folder, limits=Limits(cells=120))
    assert len(found.spectra) == 2
    assert all("at most 120 values" in n.reason for n in found.not_read)


def test_a_damaged_archive_is_one_line(tmp_path):
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 and no more")
    (tmp_path / "b.txt").write_bytes(spectrum(0, 0))
    found = read_spectra(tmp_path)
    assert len(found.spectra) == 1
    assert "zip" in found.not_read[0].reason


@pytest.mark.parametrize("ending", ["csv", "npz"])
def test_a_written_data_set_reads_back_the_same(folder, ending):
    data = read_spectra(folder).to_dataset(groups="numbered")
    path = folder / f"out.{ending}"
    write(data, path)
    again = read(path, label="label" if ending == "csv" else "y",
                 groups="group" if ending == "csv" else None)  # fmt: skip
    np.testing.assert_array_equal(again.X, data.X)
    assert again.class_names == data.class_names
    np.testing.assert_array_equal(again.y, data.y)
    np.testing.assert_array_equal(again.groups, data.groups)
    assert again.axis.unit == "nm"


def test_the_report_says_what_was_read_and_what_not(folder):
    (folder / "notes.pdf").write_bytes(b"%PDF-1.4 ...")
    words = "\n".join(report(read_spectra(folder)))
    for part in ("12 spectra from 12 files", "notes.pdf: ", "51 points from 1000 to 1100 nm",
                 "folder", "numbered"):  # fmt: skip
        assert part in words
