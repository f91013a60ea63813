import numpy as np
import pytest

from explorer.app.state.pixel_labels import MOST_UNDO, PixelLabels


def test_a_stroke_labels_discs_and_the_way_between_them():
    labels = PixelLabels(9, 20)
    labels.begin()
    labels.touch(4, 2, 3, 0)
    labels.touch(4, 10, 3, 0)
    assert (labels.codes[3:6, 1:12] == 0).all()
    assert (labels.codes == 0).sum() == 33
    labels.begin()
    labels.touch(0, 0, 1, 1)
    assert labels.counts == [33, 1]


def test_strokes_can_be_undone_and_labels_cleared():
    labels = PixelLabels(4, 4)
    labels.begin()
    labels.touch(1, 1, 1, 0)
    labels.clear()
    assert labels.counts == [0, 0]
    labels.undo()
    assert labels.counts == [1, 0]
    labels.undo()
    labels.undo()  # nothing is left to undo
    assert labels.counts == [0, 0]


def test_not_more_than_some_strokes_are_remembered():
    labels = PixelLabels(2, 2)
    for _ in range(50):
        labels.begin()
    assert len(labels.before) == MOST_UNDO


def test_boxes_are_counted_from_one():
    labels = PixelLabels(5, 6)
    labels.box("2-3, 1-4", 1)
    assert (labels.codes[1:3, :4] == 1).all()
    assert labels.counts == [0, 8]
    labels.box("5, 6", 0)
    assert labels.codes[4, 5] == 0


@pytest.mark.parametrize(
    "words", ["", "1", "a, b", "0-2, 1", "3-2, 1", "1, 7", "1-6, 1", "1--2, 1"]
)
def test_boxes_that_cannot_be_are_refused_in_words(words):
    labels = PixelLabels(5, 6)
    with pytest.raises(ValueError, match=r"\.$"):
        labels.box(words, 0)
    assert labels.counts == [0, 0]


def test_names_are_changed_and_checked():
    labels = PixelLabels(2, 2)
    labels.rename(" soil, leaf ,water")
    assert labels.names == ("soil", "leaf", "water")
    labels.touch(0, 0, 1, 2)
    for bad in ("one", "a, a", "a, b", ", ".join(map(str, range(11)))):
        with pytest.raises(ValueError, match=r"\.$"):
            labels.rename(bad)
    with pytest.raises(ValueError, match="not in the list"):
        labels.touch(0, 0, 1, 3)


def test_loaded_labels_take_the_place_of_painted_ones():
    labels = PixelLabels(2, 2)
    labels.replace(np.array([[0, -1], [1, 2]]), ("a", "b", "c"))
    assert labels.counts == [1, 1, 1]
    with pytest.raises(ValueError, match="up to 10"):
        labels.replace(np.zeros((2, 2), int), tuple("abcdefghijk"))


def test_undoing_loaded_labels_brings_back_classes_that_they_did_not_have():
    labels = PixelLabels(2, 2)
    labels.rename("a, b, c")
    labels.box("1, 1", 2)
    labels.replace(np.array([[0, -1], [1, -1]]), ("x", "y"))
    labels.undo()
    assert labels.names == ("a", "b", "c")
    assert labels.counts == [0, 0, 1]
    assert labels.csv().splitlines()[1] == "1,1,c,3"


def test_the_table_is_what_read_labels_reads():
    labels = PixelLabels(3, 3)
    labels.rename("z, =a")
    labels.box("1, 2", 0)
    labels.box("3, 3", 1)
    assert labels.csv().splitlines() == ["line,sample,class,code", "1,2,z,1", "3,3,'=a,2"]
