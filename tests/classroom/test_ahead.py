"""Pages that were built before anybody asked are like any other."""

import json
import time

import numpy as np
import pytest
from bokeh.document import Document
from bokeh.models import ColumnDataSource, Slider
from bokeh.protocol.messages.pull_doc_reply import pull_doc_reply

from explorer.app.server.prebuilt_pages import Written

from .client import Client, Server, run


@pytest.fixture(scope="module")
def ready(tmp_path_factory):
    code = (
        "from explorer.app.server import startup; "
        "startup.UNUSED_MS = 4000; startup.CHECK_MS = 500; "
        "from explorer.cli import main; main()"
    )
    server = Server(tmp_path_factory.mktemp("ahead"), "--ready", "2", code=code).wait()
    yield server
    assert "Traceback" not in server.said()
    server.stop()


def wait_for(server, number, seconds=90):
    end = time.monotonic() + seconds
    while server.health()["ready"] != number:
        assert time.monotonic() < end, f"there are {server.health()['ready']} pages ready"
        time.sleep(0.2)


def test_pages_are_built_while_nobody_asks_and_take_no_seat(ready):
    wait_for(ready, 2)
    assert ready.health()["sessions"] == 0


def test_two_who_come_have_pages_of_their_own(ready):
    async def visit():
        wait_for(ready, 2)
        one, other = await Client(ready.address).come(), await Client(ready.address).come()
        assert ready.health()["ready"] < 2
        assert ready.health()["sessions"] == 2
        assert one.token != other.token
        assert not set(one.models) & set(other.models)
        try:
            await one.move("lead", 30.0)
            assert other.attribute(other.named("lead"), "value") == 45
            await other.move("lead", 60.0)
        finally:
            await one.leave()
            await other.leave()

    run(visit())


def test_a_link_is_built_to_order(ready):
    async def visit():
        wait_for(ready, 2)
        client = await Client(ready.address).come("?data=spirals&model=F-RC")
        try:
            assert ready.health()["ready"] == 2
            assert "F-RC" in client.text()
        finally:
            await client.leave()

    run(visit())


def test_pages_that_were_taken_are_built_anew_once_those_who_left_are_forgotten(ready):
    async def visit():
        for client in [await Client(ready.address).come() for _ in range(2)]:
            await client.leave()

    wait_for(ready, 2)
    run(visit())
    found = []
    while (told := ready.health())["sessions"]:
        found.append(told["ready"])
        time.sleep(0.2)
    assert len(found) > 5
    assert set(found) == {0}
    wait_for(ready, 2)


def test_after_one_has_come_by_a_link_pages_for_it_are_built_too(ready):
    def prepared():
        end = time.monotonic() + 90
        while not ready.health()["prepared"]:
            assert time.monotonic() < end
            time.sleep(0.2)
        return ready.metrics()["pages_ready"]

    async def visit(link, words):
        client = await Client(ready.address).come(link)
        try:
            assert words in client.text()
            before = ready.metrics()["pages_ready"]
            await client.move("lead", 30.0)
            return before
        finally:
            await client.leave()

    often = [("?data=spirals&model=RR-RF", "RR-RF", 2), ("?data=moons&model=RF-ODT", "ODT", 4)]
    for link, words, times in often:
        for _ in range(times):
            run(visit(link, words))
        assert prepared() == 4
        assert run(visit(link, words)) == 3
    assert prepared() == 4


@pytest.fixture
def page():
    document = Document()
    document.add_root(Slider(start=0, end=90, value=45, name="lead"))
    document.add_root(ColumnDataSource({"x": np.arange(50.0)}))
    return document


def test_a_page_written_ahead_is_sent_as_if_it_were_written_now(page):
    sent = Written(page).reply("m7")
    now = pull_doc_reply.create("m7", page)
    assert json.loads(sent.content_json).keys() == json.loads(now.content_json).keys()
    assert sent.header["reqid"] == "m7"
    assert sent.header["num_buffers"] == now.header["num_buffers"] == 1
    assert [bytes(b.data) for b in sent.buffers] == [bytes(b.data) for b in now.buffers]
    told, fresh = (pull_doc_reply.assemble(*parts(m)) for m in (sent, now))
    assert told.content["doc"]["roots"][0] == fresh.content["doc"]["roots"][0]


def parts(message):
    return message.header_json, message.metadata_json, message.content_json


def test_a_page_that_changed_since_is_written_anew(page):
    kept = Written(page)
    page.add_next_tick_callback(lambda: None)
    assert kept.still_true  # nothing that is seen
    page.roots[0].value = 30
    assert not kept.still_true
