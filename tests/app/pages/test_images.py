import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from app.folders import piece
from app.screen import screen_of
from app.settling import settle
from explorer.analysis import FittedModel, class_map
from explorer.app.export.menu import Exports
from explorer.app.layout.page import Pages
from explorer.app.pages.controls import Controls
from explorer.app.state.visitor import OWN
from explorer.data import Chain, example_scene, regions
from explorer.data.scene import MATERIALS
from explorer.engine import FAMILIES

SMALL = "model=RF~n_tree:10&model=oRF-ridge~n_tree:10&page=Images"


@pytest.fixture
def open_images(new_session):
    def make(query=SMALL):
        session = new_session(query)
        pages = Pages(screen_of(session), Controls(session))
        session.open_page("Images")
        settle(session)
        return session, pages.more["Images"]

    return make


def envi(values, name="field", **more):
    """Both files of an ENVI image, bsq."""
    lines, samples, bands = values.shape
    fields = {
        "samples": samples, "lines": lines, "bands": bands, "data type": 4, "interleave": "bsq",
        "byte order": 0, **more,
    }  # fmt: skip
    head = "ENVI\n" + "".join(f"{key} = {value}\n" for key, value in fields.items())
    return {
        f"{name}.hdr": head.encode(),
        f"{name}.dat": values.transpose(2, 0, 1).astype("<f4").tobytes(),
    }


def halves():
    """An image whose right half has another spectrum, float32 [8, 12, 10]."""
    values = np.random.default_rng(3).normal(0, 0.1, (8, 12, 10))
    values[:, 6:] += np.sin(np.arange(10))
    return values.astype(np.float32)


def drop(session, files, name="files"):
    screen_of(session).sidebar.own.arrived(f"files:{name}", piece(files))
    settle(session)


def stroke(page, *pixels):
    """A drag over pixels (line, sample), counted from 0."""
    events = [SimpleNamespace(x=s + 0.5, y=page.frame.lines - r - 0.5) for r, s in pixels]
    for k, event in enumerate(events):
        page._touched(event, k == 0, k == len(events) - 1)


def test_the_example_is_grown_and_every_pixel_predicted(open_images):
    session, page = open_images()
    assert "goes here" in page.cards.nothing.object
    page.open_example()
    settle(session)
    truth = example_scene()[2]
    assert page.mapped.classes.class_names == MATERIALS
    assert (page.mapped.classes.codes == truth).mean() > 0.9
    assert session.state.data.source == OWN
    assert "Out-of-bag error" in page.cards.classes.words.object
    assert page.votes.figure.html_attributes["aria-label"].startswith("Votes. Faint")


def test_the_map_is_that_of_the_library_with_the_preparation_of_the_page(open_images):
    session, page = open_images()
    page.open_example()
    settle(session)
    session.data.change_chain(lambda steps: (*steps, ("snv", ())))
    settle(session)
    cube, labels, _ = example_scene()
    data = cube.labelled(labels, MATERIALS, regions(labels))
    model = FittedModel.fit(FAMILIES["RF"].replace(n_tree=10), data, Chain.of(("snv", {})))
    np.testing.assert_array_equal(page.mapped.classes.votes, class_map(model, cube).votes)


def test_painted_pixels_of_an_envi_image_are_grown_on(open_images):
    session, page = open_images()
    drop(session, envi(halves()))
    assert "field" in page.cube.name
    assert page.tools.grow.disabled
    page.tools.size.value = 1
    stroke(page, (1, 0), (1, 2))
    page.tools.label.value = 1
    stroke(page, (4, 8), (4, 11))
    assert page.labels.counts == [3, 4]  # the way between two places is painted too
    assert session.state.data.source != OWN
    page.use_labels()
    settle(session)
    codes = page.mapped.classes.codes
    assert (codes[:, :6] == 0).mean() > 0.9
    assert (codes[:, 6:] == 1).mean() > 0.9
    before = session.state.data.upload
    page.cards.names.value = "leaf, soil"
    page.tools.tool.value = "Erase"
    stroke(page, (1, 0))
    settle(session)
    assert session.state.data.upload is not before  # once grown, every stroke grows again
    assert session.state.data.upload.data.class_names == ("leaf", "soil")
    assert page.labels.counts == [2, 4]
    page.tools.undo.clicks += 1
    assert page.labels.counts == [3, 4]
    page.cards.box.value = "8, 1-6"
    assert page.labels.counts == [3, 4]  # erased where nothing was
    page.tools.tool.value = "Label"
    page.cards.box.value = "7-8, 1-6"
    assert page.labels.counts == [3, 16]
    settle(session)


def test_labels_come_with_an_image_or_later(open_images):
    session, page = open_images()
    rows = "line,sample,class\n" + "".join(
        f"{r},{c},{'left' if c < 7 else 'right'}\n" for r in (1, 5) for c in (1, 2, 9, 10)
    )
    drop(session, {**envi(halves()), "labels.csv": rows.encode()})
    assert page.labels.names == ("left", "right")
    assert page.labels.counts == [4, 4]
    assert page.grouped  # each class has two patches
    assert session.state.data.upload.data.groups is not None
    later = np.zeros((8, 12), np.int32)
    later[2, :4], later[3, 7:] = 1, 2
    marks = envi(later[:, :, None], "marks", **{"file type": "ENVI Classification",
                 "class names": "{none, a, b}"})  # fmt: skip
    drop(session, marks)
    assert page.labels.names == ("a", "b")
    assert page.labels.counts == [4, 5]
    assert page.mapped.classes.class_names == ("a", "b")


def test_what_is_no_image_is_said_and_an_image_stays(open_images):
    session, page = open_images()
    drop(session, {"labels.csv": b"line,sample,class\n1,1,a\n"})
    assert "no image is open" in page.cards.nothing.object
    drop(session, {"<b>.txt": b"1 2\n2 3\n3 4\n"})
    assert "is no image" in page.cards.nothing.object
    assert "<b>" not in page.cards.nothing.object
    drop(session, envi(halves()))
    drop(session, {"labels.csv": b"line,sample,class\n99,1,a\n"})
    assert "outside the image" in page.cards.classes.words.object
    assert page.cube is not None


def test_a_pixel_shows_its_spectrum_and_votes(open_images):
    session, page = open_images()
    page.open_example()
    settle(session)
    page.tools.tool.value = "Spectrum"
    stroke(page, (10, 20))
    assert "Line 11, sample 21: votes" in page.cards.spectra.words.object
    assert len(page.spectra.picked.data["ys"]) == 1
    assert page.labels.counts == [75, 75, 75, 75]


def test_bands_and_colours_are_chosen(open_images):
    session, page = open_images()
    page.open_example()
    first = page.image.picture.data["image"][0].copy()
    page.cards.bands[0].value = 2
    second = page.image.picture.data["image"][0].copy()
    assert not np.array_equal(first, second)
    page.cards.shown.value = "Three bands"
    assert not np.array_equal(second, page.image.picture.data["image"][0])
    assert [w.visible for w in page.cards.bands] == [False, True, True, True]
    page.cards.bands[1].value = 10_000  # a client may send anything
    settle(session)


def test_stopping_keeps_the_image_and_says_so(open_images):
    session, page = open_images()
    page.open_example()
    page.halt()
    settle(session)
    assert "Stopped" in page.cards.classes.words.object
    assert page.cube is not None


def test_the_script_reads_the_image_and_its_labels_again(open_images, tmp_path):
    session, page = open_images()
    files = envi(halves())
    drop(session, files)
    page.labels.rename("z, a")  # not in the order of the alphabet
    page.cards.box.value = "1-2, 1-3"
    page.tools.label.value = 1
    page.cards.box.value = "5-6, 8-10"
    page.use_labels()
    settle(session)
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "labelled-pixels.csv").write_text(page.labels.csv())
    session.open_page("Boundaries")
    settle(session)
    (tmp_path / "again.py").write_bytes(Exports(session).script())
    done = subprocess.run(
        [sys.executable, "again.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "12 samples, 10 features" in done.stdout
