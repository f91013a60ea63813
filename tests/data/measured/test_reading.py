from app.folders import folder

from explorer.data.measured import read_spectra
from explorer.data.measured.reading import Reading


def test_a_reading_that_is_interrupted_after_every_file_gives_the_same_spectra():
    files = folder(2, 1)
    whole = read_spectra(files, name="trees")
    told = []
    reading = Reading(files, name="trees", progress=lambda *step: told.append(step[:2]))
    for limit in (2, 3, 99):
        asked = iter(range(limit))
        reading.go(lambda asked=asked: next(asked, None) is None)
    assert reading.finished
    parts = reading.result()
    assert [s.name for s in parts.spectra] == [s.name for s in whole.spectra]
    assert all((a.y == b.y).all() for a, b in zip(parts.spectra, whole.spectra, strict=True))
    assert parts.notes == whole.notes
    assert [done for done, _ in told] == [0, 1, 2, 3, 4, 5, 6]


def test_a_reading_that_was_stopped_says_how_far_it_came():
    reading = Reading(folder(2, 1))
    asked = iter(range(1))
    reading.go(lambda: next(asked, None) is None)
    assert not reading.finished
    assert "Reading was stopped after 1 of 6 files." in reading.result().notes
