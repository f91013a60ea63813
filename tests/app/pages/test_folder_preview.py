import numpy as np

from app.folders import DAMAGED, folder, piece
from app.screen import screen_of
from app.settling import settle


def drop(session, files, name="files:trees"):
    screen_of(session).sidebar.own.arrived(name, piece(files))
    settle(session)
    return screen_of(session).folder.preview


def test_a_folder_is_previewed_and_changes_nothing_until_it_is_used(new_session):
    session = new_session()
    preview = drop(session, {**folder(), "trees/broken.spc": DAMAGED})
    assert preview.seen
    assert session.state.data.source == "clouds"
    assert "24 spectra from 24 files (24 text); 1 file was not read" in preview.says.object
    assert "broken.spc" in preview.reasons.body.object
    assert len(preview.figure.single.data["ys"]) == 24
    preview.take_it()
    settle(session)
    assert not preview.seen
    assert session.state.data.source == "own"
    assert session.latest.source.data.class_names == ("ash", "elm", "oak")
    assert session.latest.source.data.axis.unit == "cm-1"


def test_a_pattern_is_shown_on_examples_and_the_axis_can_be_changed(new_session):
    session = new_session()
    preview = drop(session, folder())
    preview.classes.value = "pattern"
    preview.pattern.value = "{class}_{group}_#"
    preview.groups.value = "pattern"
    preview.low.value, preview.step.value = "700", "20"
    settle(session)
    assert "ash_0_0" in preview.examples.object
    assert "4 of them have spectra of several classes" in preview.samples.object
    assert preview.look.grid.low == 700
    assert preview.look.data.groups is not None
    np.testing.assert_allclose(preview.look.grid.step, 20)


def test_a_wrong_choice_is_a_sentence_and_the_next_one_mends_it(new_session):
    session = new_session()
    preview = drop(session, folder())
    preview.step.value = "five"
    assert "The step is a number" in preview.why.object
    assert preview.use.disabled
    preview.take_it()
    preview.step.value = "15"
    settle(session)
    assert preview.why.object == ""
    assert not preview.use.disabled
    preview.classes.value = "none"
    settle(session)
    assert "no classes yet" in preview.why.object
    assert preview.use.disabled


def test_names_from_files_are_shown_as_text(new_session):
    session = new_session()
    evil = "<img src=x onerror=alert(1)>"
    files = {f"{evil}/{evil}{k}.txt": v for k, v in enumerate(folder().values())}
    files |= {f"b/b{k}.txt": v for k, v in enumerate(folder().values())}
    files[f"{evil}.spc"] = DAMAGED
    preview = drop(session, files, f"files:{evil}")
    for pane in (preview.says, preview.examples, preview.samples, preview.reasons.body,
                 preview.card.head, screen_of(session).sidebar.own.says):  # fmt: skip
        assert "<img" not in pane.object


def test_one_table_in_a_piece_is_a_table_and_a_piece_that_is_cut_is_refused(new_session):
    session = new_session()
    own = screen_of(session).sidebar.own
    rows = "\n".join(f"{k},{k * k},{'ab'[k % 2]}" for k in range(20))
    own.arrived("files:mine", piece({"mine/t.csv": b"a,b,kind\n" + rows.encode()}))
    settle(session)
    assert screen_of(session).folder.preview is None
    assert own.preview.label == "kind"
    own.arrived("files:mine", piece({"a": b"12345"})[:-2])
    assert "did not arrive completely" in own.says.object


def test_an_instruments_file_alone_is_previewed_as_spectra(new_session):
    session = new_session()
    own = screen_of(session).sidebar.own
    own.arrived("broken.spc", b"\x00K" + bytes(600))
    settle(session)
    assert screen_of(session).folder.preview.seen
    assert "broken.spc" in screen_of(session).folder.preview.reasons.body.object
    assert screen_of(session).folder.preview.use.disabled


def test_a_file_that_is_no_table_can_be_read_as_spectra(new_session):
    session = new_session()
    own = screen_of(session).sidebar.own
    own.arrived("one.txt", b"\x89PNG\r\n\x1a\n" + bytes(100))
    settle(session)
    assert own.as_spectra.visible
    own.read_folder(own.name, own.bundle_of_one())
    settle(session)
    assert screen_of(session).folder.preview.seen
