"""Pages that were built before anybody asked are like any other."""

import time

import pytest

from .client import Client, Server, run


@pytest.fixture(scope="module")
def ready(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("ahead"), "--ready", "2").wait()
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


def test_pages_that_were_taken_are_built_anew(ready):
    wait_for(ready, 2)
