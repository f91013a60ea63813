import pytest

from app.folders import DAMAGED, folder, piece, spectrum
from app.screen import screen_of
from app.settling import settle
from explorer.app.layout.page import Pages
from explorer.app.pages.controls import Controls
from explorer.app.state import link

SMALL = "model=RF~n_tree:10&model=oRF-ridge~n_tree:10"


@pytest.fixture
def open_unknowns(new_session):
    """A session on the Unknowns page whose own folder of spectra is in use."""

    def make():
        session = new_session(SMALL)
        pages = Pages(screen_of(session), Controls(session))
        screen_of(session).sidebar.own.arrived("files:trees", piece(folder(6)))
        settle(session)
        screen_of(session).folder.preview.take_it()
        settle(session)
        session.open_page("Unknowns")
        settle(session)
        return session, pages.more["Unknowns"]

    return make


def later(**more):
    return {f"later/new{k}.txt": spectrum(k, 90 + k) for k in range(3)} | more


def test_dropped_files_are_judged_and_do_not_replace_the_data(open_unknowns):
    session, page = open_unknowns()
    assert "go here" in page.nothing.object
    assert not screen_of(session).sidebar.own.zone.visible
    screen_of(session).sidebar.own.arrived(
        "files:later", piece(later(**{"later/bad.spc": DAMAGED}))
    )
    settle(session)
    assert session.state.data.upload.name == "trees"
    assert [page.judged.unknowns.class_names[k] for k in page.judged.unknowns.predicted] == [
        "ash", "elm", "oak",
    ]  # fmt: skip
    assert "new1.txt" in page.answers.body.object
    assert "bad.spc" in page.answers.body.object
    assert "A RF says of 3 spectra: 1 ash, 1 elm, 1 oak." in page.answers.words.object
    assert len(page.spectra.picked.data["ys"]) == 3
    assert page.csv().splitlines()[0].startswith("sample,class,votes,classes at 95 %")
    assert len(page.csv().splitlines()) == 4


def test_another_forest_confidence_or_band_judges_again(open_unknowns):
    session, page = open_unknowns()
    screen_of(session).sidebar.own.arrived("files:later", piece(later()))
    settle(session)
    first = page.judged
    page.model.value, page.confidence.value = 1, 80
    settle(session)
    assert page.judged.unknowns.confidence == 0.8
    assert "B oRF-ridge says" in page.answers.words.object
    assert "s.confidence=80" in link.write(session.state)
    session.data.choose_band(False, 700.0, 760.0)
    settle(session)
    assert page.judged.rows.shape[1] < first.rows.shape[1]


def test_names_of_unknown_files_are_shown_as_text_and_what_is_no_spectrum_is_said(open_unknowns):
    session, page = open_unknowns()
    evil = "<img src=x onerror=alert(1)>"
    screen_of(session).sidebar.own.arrived(f"{evil}.spc", DAMAGED)
    settle(session)
    assert "No spectrum was read" in page.nothing.object
    assert "<img" not in page.nothing.object
    screen_of(session).sidebar.own.arrived("files:x", piece({f"{evil}.txt": spectrum(0, 1)}))
    settle(session)
    assert "<img" not in page.answers.body.object


def test_tables_are_told_that_unknowns_are_spectra(new_session):
    session = new_session(f"data=iris&page=Unknowns&{SMALL}")
    pages = Pages(screen_of(session), Controls(session))
    session.refresh()
    settle(session)
    assert "have no axis" in pages.more["Unknowns"].nothing.object
