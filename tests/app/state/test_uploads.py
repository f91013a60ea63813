"""A visitor's own file: how it arrives, what is said about it, and that it stays private."""

import numpy as np
import pytest

from app.screen import screen_of
from app.settling import settle
from explorer.app.sidebar.upload_section import file_in_words, preview_table
from explorer.app.state import link, uploads
from explorer.app.state.uploads import Choices, Inbox, Ledger, Upload
from explorer.app.state.visitor import OWN, State
from explorer.app.work.file_reading import reading
from explorer.data import preview
from explorer.engine import grow

EVIL = "<img src=x onerror=alert(1)>"


def table(rows=40, classes=("no", "yes"), extra=""):
    rng = np.random.default_rng(3)
    lines = [f"a,b,class{extra and ',town'}"]
    for i in range(rows):
        k = i % len(classes)
        town = f",{extra}{i % 3}" if extra else ""
        lines.append(f"{rng.normal() + 3 * k:.4f},{rng.normal():.4f},{classes[k]}{town}")
    return "\n".join(lines).encode()


class Desk:
    """An inbox with everything that happened to it."""

    def __init__(self, ledger=None):
        self.files, self.steps, self.sentences = [], [], []
        self.box = Inbox(
            lambda *file: self.files.append(file),
            lambda *step: self.steps.append(step),
            self.sentences.append,
            ledger or Ledger(),
        )

    def send(self, *parts):
        self.box.source.tags = list(parts)
        return self.box.source.name


def test_a_file_arrives_in_pieces_each_acknowledged():
    desk = Desk()
    assert desk.send(1, "a.csv", 6, 0, b"abc") == "inbox 1 3"
    assert desk.steps == [("a.csv", 3, 6)]
    assert desk.send(1, "a.csv", 6, 3, b"def") == "inbox 1 6"
    assert desk.files == [("a.csv", b"abcdef")]


@pytest.mark.parametrize(
    "parts",
    [
        (1, "a.csv", 6, 3, b"def"),  # no beginning
        (1, "a.csv", 2, 0, b"abc"),  # more than announced
        (1, "a.csv", uploads.LARGEST + 1, 0, b"abc"),
        (1, "a.csv", 0, 0, b""),
        (1, "a.csv", -1, 0, b""),
    ],
)
def test_pieces_that_do_not_fit_are_answered_with_stop(parts):
    desk = Desk()
    assert desk.send(*parts) == "inbox 1 stop"
    assert desk.files == []
    assert desk.box.ledger.held == 0


def test_a_size_beyond_the_limit_is_said_before_any_byte_is_taken():
    desk = Desk()
    desk.send(1, "big.csv", 30_000_000, 0, b"")
    assert desk.sentences == [
        "'big.csv' has 30.0 MB; up to 20 MB can be taken. Leave out rows or columns, or compress "
        "it."
    ]


@pytest.mark.parametrize("odd", [[], [1], ["a", "b", "c", "d", "e"], [1, 2, 3, 4, 5], "abc"])
def test_odd_messages_are_ignored(odd):
    desk = Desk()
    desk.box._piece("tags", None, odd)
    assert (desk.files, desk.sentences) == ([], [])


def test_all_sessions_share_the_room_for_files_and_give_it_back():
    ledger = Ledger(10)
    one, two = Desk(ledger), Desk(ledger)
    one.send(1, "a", 8, 0, b"12345678")
    two.send(1, "b", 8, 0, b"1234")
    assert "as many files as this server has room for" in two.sentences[0]
    one.box.drop()
    assert two.send(2, "b", 8, 0, b"1234") == "inbox 2 4"


def test_room_is_taken_for_bytes_that_came_not_for_those_announced():
    ledger = Ledger(100)
    hoarders = [Desk(ledger) for _ in range(20)]
    for desk in hoarders:
        assert desk.send(1, "a", 90, 0, b"1") == "inbox 1 1"
    assert ledger.held == 20
    honest = Desk(ledger)
    honest.send(1, "b", 60, 0, bytes(60))
    assert honest.files == [("b", bytes(60))]


def test_files_that_stopped_coming_are_given_up_when_there_is_no_room():
    now = [0.0]
    ledger = Ledger(100, lambda: now[0])
    stalled, coming, honest = Desk(ledger), Desk(ledger), Desk(ledger)
    stalled.send(1, "a", 90, 0, bytes(40))
    now[0] = uploads.STALLED_SECONDS + 1
    coming.send(1, "b", 90, 0, bytes(40))
    assert honest.send(1, "c", 50, 0, bytes(50)) == "inbox 1 50"
    assert coming.send(1, "b", 90, 40, b"1") == "inbox 1 41"  # it is still there
    assert stalled.send(1, "a", 90, 40, b"1") == "inbox 1 stop"
    assert "upload of 'a' stalled" in stalled.sentences[0]
    assert ledger.held == 91


def test_a_file_for_which_there_is_no_room_left_half_way_gives_back_what_it_took():
    ledger = Ledger(100)
    one, two = Desk(ledger), Desk(ledger)
    one.send(1, "a", 80, 0, bytes(60))
    two.send(1, "b", 40, 0, bytes(40))
    assert one.send(1, "a", 80, 60, bytes(20)) == "inbox 1 stop"
    assert "room for" in one.sentences[0]
    assert ledger.held == 40


def read(content, name="a.csv", choices=None):
    return list(reading("me", content, name, choices or Choices(), None))[-1]


def test_a_good_file_becomes_data_with_its_label_guessed():
    found = read(table())
    assert found.why == ""
    assert found.preview.label == "class"
    assert found.data.class_names == ("no", "yes")


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        (b"\x80\x04\x95", "a.pkl", "pickle"),
        (b"%PDF-1.4 more", "a.csv", "a PDF"),
        (table(classes=("one",)), "a.csv", "has one value"),
        (table(extra="t"), "a.csv", "holds text"),
        (table(300, [f"c{i}" for i in range(120)]), "a.csv", "up to 100 can be told apart"),
        (b"a,class\n1,x\n2,y\n3,x\n4,y\n", "a.csv", "two features"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_words(content, name, words):
    found = read(content, name)
    assert found.data is None
    assert words in found.why


def test_choices_help_where_the_file_alone_is_refused():
    content = table(extra="t")
    assert read(content).preview is not None
    assert read(content, choices=Choices(one_hot=True)).data.n_features == 5
    assert read(content, choices=Choices(drop=("town",))).data.n_features == 2


def test_names_from_a_file_are_escaped_in_the_preview():
    text = f'"{EVIL}",b,class\n1,2,{EVIL}\n2,1,x\n3,4,{EVIL}\n5,6,x\n'.encode()
    html = preview_table(preview(text, "a.csv")) + file_in_words(EVIL, preview(text, "a.csv"))
    assert "<img" not in html
    assert "&lt;img" in html


@pytest.fixture
def session(new_session):
    made = new_session()
    made.refresh()
    return made


def test_an_own_file_is_shown_and_nothing_of_it_gets_into_the_common_cache(session):
    settle(session)
    before = set(session.cache._held)
    common = session.cache
    screen_of(session).sidebar.own.arrived("mine.csv", table())
    settle(session)
    assert session.state.data.source == OWN
    assert session.latest.source.data.class_names == ("no", "yes")
    assert "mine.csv: 40 samples" in screen_of(session).headline.pane.object
    assert session.cache is not common
    assert set(common._held) == before
    session.data.choose("moons")
    settle(session)
    assert session.cache is common
    assert session.latest.source.data.name == "moons"


def test_a_refused_file_leaves_the_last_picture_and_a_sentence_beside_the_zone(session):
    settle(session)
    screen_of(session).sidebar.own.arrived("bad.csv", table(classes=("one",)))
    settle(session)
    assert session.state.data.source == "clouds"
    assert "one value" in screen_of(session).sidebar.own.says.object
    assert screen_of(session).sidebar.own.open
    assert screen_of(session).sidebar.own.fields.visible  # another label can be chosen


def test_another_label_is_read_from_the_same_file(session):
    rows = "\n".join(f"{i % 7},{i % 5},{'xy'[i % 2]},{'uvw'[i % 3]}" for i in range(60))
    screen_of(session).sidebar.own.arrived("two.csv", f"a,b,group,class\n{rows}\n".encode())
    settle(session)
    screen_of(session).sidebar.own.label.value = "group"
    settle(session)
    screen_of(session).sidebar.own.drop.value = ["class"]
    settle(session)
    assert session.state.data.upload.data.class_names == ("x", "y")


def test_when_a_session_ends_its_file_goes(session):
    screen_of(session).sidebar.own.arrived("mine.csv", table())
    settle(session)
    screen_of(session).close()
    assert session.state.data.upload is None
    assert screen_of(session).sidebar.own.content == b""


def test_two_sessions_with_the_same_file_share_nothing():
    found = read(table())
    one, two = (Upload.of("a.csv", found.data) for _ in range(2))
    states = State(), State()
    for state, upload in zip(states, (one, two), strict=True):
        state.data.upload = upload
        state.data.choose(OWN)
    assert states[0].data.recipe() != states[1].data.recipe()


def test_a_link_to_an_own_file_says_that_the_file_is_not_in_it():
    state = State()
    state.data.upload = Upload.of("a.csv", read(table()).data)
    state.data.choose(OWN)
    state.data.param.update(transform="turn")
    state.view.page = "Evaluate"
    query = link.write(state)
    assert "a.csv" not in query
    receiver = State()
    notices = link.read(query, receiver)
    assert len(notices) == 1
    assert "not in the link" in notices[0]
    assert (receiver.data.source, receiver.data.transform) == ("clouds", "none")
    assert receiver.view.page == "Evaluate"
    assert link.read(query, state) == []  # the browser's back button, in the same session
    assert state.data.source == OWN


def jars() -> bytes:
    """Ten jars measured four times each."""
    rng = np.random.default_rng(3)
    noise = rng.normal(size=(40, 2))
    lines = [
        f"{u + i // 4 % 2},{v},jar{i // 4},{'xy'[i // 4 % 2]}" for i, (u, v) in enumerate(noise)
    ]
    return "\n".join(["a,b,jar,class", *lines]).encode()


def test_the_replicate_column_of_a_file_keeps_rows_together(session):
    screen_of(session).sidebar.own.arrived("jars.csv", jars())
    settle(session)
    screen_of(session).sidebar.own.groups.value = "jar"
    settle(session)
    upload = session.state.data.upload
    assert upload.wishes["groups"] == "jar"  # so the script reads it in the same way
    data = session.latest.source.data
    assert np.unique(data.groups).size == 10
    assert data.feature_names == ("a", "b")
    spec = session.state.models.models[0].spec(2)
    apart = grow(spec, data.X, data.y, groups=data.groups)
    assert session.latest.records[0].oob_error == apart.oob_error[-1]


def test_a_column_that_the_file_has_not_cannot_name_the_replicates(session):
    screen_of(session).sidebar.own.arrived("jars.csv", jars())
    settle(session)
    section = screen_of(session).sidebar.own
    section.groups.options = {**section.groups.options, "ghost": "ghost"}  # as a client could
    section.groups.value = "ghost"
    assert "not in the list" in section.says.object
