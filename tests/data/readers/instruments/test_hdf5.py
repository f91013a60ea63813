"""HDF5 files name other files in many ways; none of these is ever opened."""

import io

import h5py
import numpy as np
import pytest

from explorer.data import FileRefused
from explorer.data.readers.instruments.block import Given
from explorer.data.readers.instruments.worker import answered
from explorer.data.readers.mat import read_mat
from explorer.data.readers.refused import Limits

POINTS = 50
X = np.arange(400.0, 400 + POINTS)


@pytest.fixture
def secret(tmp_path):
    """Files of the machine that no upload may show: plain bytes, and another HDF5 file."""
    plain, other = tmp_path / "secret.bin", tmp_path / "secret.h5"
    plain.write_bytes(b"\x2a" * 8 * POINTS)
    with h5py.File(other, "w") as file:
        file["y"] = np.full((2, POINTS), 42.0)
        file["x"] = X
    return str(plain), str(other)


def nexus(file):
    group = file.create_group("entry")
    group.attrs.update({"NX_class": "NXdata", "signal": "y", "axes": "x"})
    return group


def external_numbers(file, plain, other):
    file.create_dataset("y", (2, POINTS), "u1", external=[(plain, 0, 2 * POINTS)])
    file["wavenumber"] = X


def external_signal(file, plain, other):
    group = nexus(file)
    group.create_dataset("y", (2, POINTS), "u1", external=[(plain, 0, 2 * POINTS)])
    group["x"] = X


def external_title(file, plain, other):
    group = nexus(file)
    group["y"], group["x"] = np.ones((2, POINTS)), X
    group.create_dataset("title", (1,), "S50", external=[(plain, 0, 50)])


def external_words(file, plain, other):
    file["y"], file["wavenumber"] = np.ones((2, POINTS)), X
    file.create_dataset("words", (2,), "S9", external=[(plain, 0, 18)])


def external_cells(file, plain, other):
    text = file.create_dataset("#refs#/a", (9, 1), "u2", external=[(plain, 0, 18)])
    text.attrs["MATLAB_class"] = np.bytes_("char")
    cells = file.create_dataset("words", (2,), h5py.ref_dtype)
    cells[...] = [text.ref, text.ref]
    file["y"], file["wavenumber"] = np.ones((2, POINTS)), X


def parts_of_others(file, plain, other):
    layout = h5py.VirtualLayout((2, POINTS), "f8")
    layout[:] = h5py.VirtualSource(other, "y", (2, POINTS))
    file.create_virtual_dataset("y", layout)
    file["wavenumber"] = X


def links(file, plain, other):
    group = nexus(file)
    group["y"], group["x"] = h5py.ExternalLink(other, "/y"), h5py.ExternalLink(other, "/x")


def links_to_links(file, plain, other):
    group = nexus(file)
    file["there"] = h5py.ExternalLink(other, "/")
    group["y"], group["x"] = h5py.SoftLink("/there/y"), h5py.SoftLink("/there/x")


def made(write, *names):
    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        write(file, *names)
    return stream.getvalue()


LEAD_OUT = [
    external_numbers, external_signal, external_title, external_words, external_cells,
    parts_of_others, links, links_to_links,
]  # fmt: skip


@pytest.mark.parametrize("write", LEAD_OUT)
def test_an_hdf5_file_that_names_another_file_is_refused(write, secret):
    content = made(write, *secret)
    answer = answered(Given("a.h5", content, Limits()))
    assert not answer.blocks
    no_links = write not in (links, links_to_links)
    assert ("which is never opened" if no_links else "nothing that can be read") in answer.refused
    with pytest.raises(FileRefused):
        read_mat(content, "a.mat", Limits())


def test_links_inside_the_file_are_followed():
    def write(file):
        group = nexus(file)
        file["raw/y"], file["raw/x"] = np.ones((2, POINTS)), X
        file["raw/again"] = h5py.SoftLink("y")
        group["y"], group["x"] = h5py.SoftLink("/raw/again"), h5py.SoftLink("/raw/x")
        group["round"] = h5py.SoftLink("round")

    (block,) = answered(Given("a.nxs", made(write), Limits())).blocks
    np.testing.assert_array_equal(block.x, X)
    assert block.n == 2


def test_texts_of_any_length_are_texts_and_not_references():
    def write(file):
        file["X"], file["wavenumber"] = np.eye(4, POINTS), X
        file["label"] = ["a", "b", "a", "b"]

    (block,) = answered(Given("a.h5", made(write), Limits())).blocks
    assert block.each["label"] == ["a", "b", "a", "b"]
