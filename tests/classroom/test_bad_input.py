"""Whatever a client sends: accepted, or refused by a sentence; and nobody sees another's data."""

import asyncio
import json
import os

import numpy as np
import pytest
from tornado.websocket import WebSocketClosedError

from explorer.app.session import registry
from explorer.app.session.session import Session
from explorer.app.state.uploads import Upload
from explorer.app.state.visitor import OWN
from explorer.app.work.cache import Cache
from explorer.app.work.scheduler import Scheduler
from explorer.data import Dataset

from . import fuzz
from .client import Client, Closed, run

MESSAGES = 500
# sent instead of a number, a choice, a text
ODD = [
    {"type": "number", "value": "nan"},
    {"type": "number", "value": "+inf"},
    1e9,
    -1e9,
    1e308,
    0,
    None,
    True,
    "",
    "x" * 10_000,
    "<script>alert(1)</script>",
    "Evaluate",
    [],
    [1, 2, 3],
    ["a"] * 100,
    {},
    {"type": "map", "entries": [["a", 1]]},
    {"id": "no such model"},
]
# what no page sends ends the connection
NEVER_SENT = [
    {"type": "object", "name": "Slider", "id": "mine"},
    {"type": "ndarray", "array": {"type": "bytes", "data": "AAAA"}, "shape": [9], "dtype": "uint8"},
]
ATTRIBUTES = ["value", "value_throttled", "start", "end", "step", "active", "options", "clicks"]
ATTRIBUTES += ["data", "text", "inner_width", "inner_height", "disabled", "visible", "tags", "name"]
NOISE = ["", "{", "[]", "null", '{"msgid": 1}', "\x00", b"\x00\xff" * 50, json.dumps("x" * 1000)]


@pytest.mark.parametrize("kind", list(fuzz.KINDS))
def test_no_case_is_neither_accepted_nor_refused(kind):
    cases = fuzz.KINDS[kind][2]
    assert fuzz.fuzz(kind, cases, seed=7) == cases


def test_at_least_ten_thousand_cases_are_tried():
    assert sum(cases for _, _, cases in fuzz.KINDS.values()) + MESSAGES >= 10_000


@pytest.fixture(scope="module")
def forks():
    if not hasattr(os, "fork"):
        pytest.skip("this system cannot fork")
    made = fuzz.Forks()
    yield made
    made.close()


@pytest.mark.parametrize("kind", list(fuzz.SLOW_KINDS))
def test_files_that_are_read_in_a_process_of_their_own(kind, forks, monkeypatch):
    monkeypatch.setattr(fuzz.reading, "ask_child", forks.ask)
    assert fuzz.fuzz(kind, 300, seed=7) == 300


@pytest.mark.parametrize("kind", list(fuzz.SLOW_KINDS))
def test_a_fork_reads_a_file_as_a_server_s_process_does(kind, forks, monkeypatch):
    name, content = next((n, c) for n, c in fuzz.good().items() if n.endswith("." + kind))
    server_s = fuzz.read(content, name)
    monkeypatch.setattr(fuzz.reading, "ask_child", forks.ask)
    forked = fuzz.read(content, name)
    np.testing.assert_array_equal(forked.X, server_s.X)
    np.testing.assert_array_equal(forked.y, server_s.y)


def test_a_fork_that_takes_too_long_is_a_refusal_and_the_next_one_reads(forks, monkeypatch):
    monkeypatch.setattr(fuzz.reading, "ask_child", forks.ask)
    name, content = next((n, c) for n, c in fuzz.good().items() if n.endswith(".mat"))
    with pytest.raises(fuzz.FileRefused, match="given up"):
        fuzz.read(content, name, limits=fuzz.Limits(bytes=1_000_000, seconds=0))
    assert fuzz.read(content, name).n_samples


async def send_nonsense(server, messages, seed):
    """Any value to any property of any model; a client whose wire is closed comes again."""
    rng = np.random.default_rng(seed)
    client, sent, closed = await Client(server.address).come(), 0, 0
    while sent < messages:
        keys = list(client.models)
        key = keys[int(rng.integers(len(keys)))]
        known = list(client.models[key].get("attributes", {}))
        names = known if known and rng.random() < 0.3 else ATTRIBUTES
        sent += 1
        odd = NEVER_SENT if sent % 50 == 25 else ODD
        value = odd[int(rng.integers(len(odd)))]
        try:
            if sent % 100 == 0:
                await client.raw(NOISE[int(rng.integers(len(NOISE)))])
            await client.change(
                key,
                30 if sent % 20 == 0 else None,
                **{names[int(rng.integers(len(names)))]: value},
            )
        except (Closed, WebSocketClosedError):
            closed += 1
            await client.leave()
            client = await Client(server.address).come()
    await client.leave()
    return client, closed


def test_any_message_to_any_widget_leaves_the_server_serving(room):
    async def visit():
        bystander = await Client(room.address).come()
        client, closed = await send_nonsense(room, MESSAGES, 11)
        # noise that is no message ends a connection, and so does what no page sends
        assert MESSAGES // 50 <= closed <= MESSAGES // 100 + MESSAGES // 50 + 5
        assert all("Traceback" not in text for text in client.errors)
        await bystander.move("lead", 17.0)
        again = await Client(room.address).come()
        await again.move("lead", 18.0)
        for one in (bystander, again):
            await one.leave()

    run(visit())
    assert "Traceback" not in room.said()


def test_a_slider_whose_end_the_client_moved_is_still_bound_by_the_state(room):
    async def visit():
        client = await Client(room.address).come()
        key = client.named("lead")
        await client.change(key, 20, end=1e9)
        await client.change(key, 20, value=1e8, value_throttled=1e8)
        await asyncio.sleep(1)
        after = client.attribute(client.named("address"), "value") or ""
        assert "1e+08" not in after
        assert "100000000" not in after
        await client.move("lead", 19.0)
        await client.leave()

    run(visit())


# ---- one's own data


def own_table(name="mine"):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(30, 2))
    return Dataset(name=name, title=name, X=X, y=(X[:, 0] > 0).astype(int), class_names=("a", "b"))


@pytest.fixture
def two_sessions():
    work, common = Scheduler(workers=1), Cache()
    yield Session(cache=common, work=work), Session(cache=common, work=work), common
    work.close()


def test_one_session_never_sees_the_file_of_another(two_sessions):
    ada, bob, common = two_sessions
    upload = Upload.of("secret.csv", own_table())
    ada.data.use_own(upload)
    assert ada.state.data.source == OWN
    ada.maps.show_at_once()
    bob.restore("data=own")
    assert bob.state.data.upload is None
    assert bob.state.data.source != OWN
    assert upload.token not in repr(list(common._held))
    assert ada.cache is not bob.cache


def test_a_visit_before_hands_its_file_on_once_and_only_to_who_knows_its_word(two_sessions):
    ada, _, _ = two_sessions
    upload = Upload.of("secret.csv", own_table())
    ada.data.use_own(upload)
    word = registry.enter(None, ada)
    assert registry.split(f"data=own&before={word}") == ("data=own", word)
    assert registry.own_file_of(word[:-1]) is None
    assert registry.own_file_of("") is None
    assert registry.own_file_of(word) is upload
    assert registry.own_file_of(word) is None
