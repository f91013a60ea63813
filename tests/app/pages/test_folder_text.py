import numpy as np
import pytest

from app.folders import CLASSES, DAMAGED, folder
from explorer.app.pages import folder_text as words
from explorer.app.state.folder_choices import FolderChoices
from explorer.app.work.folder_work import look_into
from explorer.data import read_spectra


@pytest.fixture(scope="module")
def look(tmp_path_factory):
    root = tmp_path_factory.mktemp("spectra")
    for name, content in {**folder(), "trees/oak/bad.spc": DAMAGED}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return look_into(read_spectra(root / "trees"), FolderChoices())


def test_spectra_and_files_are_counted(look):
    text = words.how_many(look)
    assert text.startswith("24 spectra from ")
    assert text.endswith("; 1 file was not read")
    assert words.title_of_not_read(look).startswith("1 file not read")


def test_files_that_were_not_read_are_listed_with_the_reason(look):
    html = words.not_read(look)
    assert "bad.spc" in html
    assert html.count("<tr>") >= 1


def test_examples_show_the_class_that_each_name_gets(look):
    html = words.examples(look.classes)
    assert all(name in html for name in CLASSES)
    assert words.examples(None) == '<p class="hint">No classes.</p>'


def test_replicates_say_how_many_samples_there_are(look):
    assert "sample" in words.replicates(look)


def test_the_common_axis_is_described(look):
    assert words.axis_words(look) == "" or "<b>" in words.axis_words(look)
    assert np.isfinite(len(look.found.spectra))
