"""What goes wrong in a classroom, tried on real server processes.

The server of most tests has short times for what takes half a minute in a class; the last tests
have the real ones.
"""

import asyncio
import os
import signal
import subprocess
import sys
import time

import pytest

from .client import ROOT, Client, Server, free_port, run
from .proxy import Proxy

# as the real one, but with short times, two faults (one in a callback, one in a worker's thread)
# and a clock that jumps when it is told to
FAULTY = """
import signal, time
from explorer.app.server import startup
from explorer.app.session import data_actions, maps

startup.UNUSED_MS, startup.CHECK_MS, startup.PING_SECONDS = 1500, 400, 1
turn, pictures = data_actions.DataActions.turn_lead, maps.pictures
clock, ahead = time.time, [0]

def turn_lead(self, value):
    if value == 66.0:
        raise RuntimeError("the details of it")
    turn(self, value)

def wrong(request, *rest):
    if dict(request.data.knobs).get("angle") == 67.0:
        raise RuntimeError("the details of it")
    yield from pictures(request, *rest)

def jump(*_):
    ahead[0] = {0: 86400, 86400: -86400, -86400: 0}[ahead[0]]

data_actions.DataActions.turn_lead, maps.pictures = turn_lead, wrong
time.time = lambda: clock() + ahead[0]
signal.signal(signal.SIGUSR1, jump)
from explorer.cli import main
main()
"""
# a page that takes as long to be written as four pings
SLOW_PAGE = """
import asyncio
from explorer.app.server import prebuilt_pages, startup

startup.PING_SECONDS, near = 1, prebuilt_pages.beside

async def slow(document, act):
    await asyncio.sleep(4)
    return await near(document, act)

prebuilt_pages.beside = slow
from explorer.cli import main
main()
"""
HEAVY_CLIENT = """
import asyncio, sys
sys.path.insert(0, "tests")
from classroom.client import Client

async def go():
    await Client(sys.argv[-1]).come("?data=parity&d.n=5000&d.p=50&model=RF~n_tree:3000")
    print("here", flush=True)
    await asyncio.sleep(600)

asyncio.run(go())
"""
READY = (
    "window.Bokeh && Bokeh.documents[0] && Bokeh.documents[0].is_idle"
    " && !document.body.classList.contains('loading')"
)
LEAD = (
    "[...Bokeh.documents[0]._all_models.values()]"
    ".find((m) => m.name === 'lead' || m.tags?.includes('lead'))"
)


@pytest.fixture(scope="module")
def faulty(folder):
    server = Server(folder, "--log-fits", code=FAULTY).wait()
    yield server
    server.stop()


async def gone(server, seconds, most=0):
    """The seconds until no more sessions than so many are held."""
    begun = time.monotonic()
    while server.health()["sessions"] > most:
        assert time.monotonic() - begun < seconds, "sessions are still held"
        await asyncio.sleep(0.1)
    return time.monotonic() - begun


def test_a_closed_tab_is_freed_and_its_work_cancelled(faulty):
    async def visit():
        client = await Client(faulty.address).come("?data=parity&d.n=4000&d.p=20")
        await client.change(client.named("trees"), value=50)
        await client.leave()
        await gone(faulty, 15)

    run(visit())
    assert faulty.metrics()["requests_waiting"] == 0


def test_a_frozen_client_is_freed(faulty):
    async def visit():
        client = await Client(faulty.address).come()
        assert faulty.health()["sessions"] >= 1
        # it is there, but says nothing any more: no answer to a ping either
        client._reader.cancel()
        client._socket.protocol.stream.socket.setblocking(False)
        asyncio.get_running_loop().remove_reader(client._socket.protocol.stream.fileno())
        await gone(faulty, 20)
        client._socket.protocol.stream.close()
        client._socket.protocol = None  # closed by hand: nothing to complain about

    run(visit())


def test_who_waits_long_for_an_answer_is_not_taken_for_dead(folder):
    async def visit():
        client = await Client(server.address).come()
        await client.move("lead", 20.0)
        await client.leave()

    server = Server(folder, code=SLOW_PAGE).wait()
    try:
        run(visit())
    finally:
        server.stop()


def test_a_callback_that_raises_is_seen_by_its_user_and_the_next_action_works(faulty):
    async def visit():
        bystander = await Client(faulty.address).come()
        client = await Client(faulty.address).come()
        await client.change(client.named("lead"), value=66.0)
        await client.until(lambda: "our fault" in client.text(), 30)
        assert "details" not in client.text()
        assert "our fault" not in bystander.text()
        await client.move("lead", 20.0)
        for one in (client, bystander):
            await one.leave()

    run(visit())


def test_a_worker_that_raises_shows_a_notice_in_that_session_only(faulty):
    async def visit():
        bystander = await Client(faulty.address).come()
        client = await Client(faulty.address).come()
        await client.change(client.named("lead"), value=67.0)
        await client.until(lambda: "could not be computed" in client.text(), 10)
        assert "details" not in client.text()
        assert "could not be computed" not in bystander.text()
        await client.move("lead", 21.0)
        for one in (client, bystander):
            await one.leave()

    run(visit())


def test_a_clock_that_jumps_disturbs_nobody(faulty):
    async def visit():
        client = await Client(faulty.address).come()
        for value in (22.0, 23.0, 24.0):  # a day ahead, a day back, and as it was
            faulty.process.send_signal(signal.SIGUSR1)
            await asyncio.sleep(0.7)
            await client.move("lead", value)
        await client.leave()

    run(visit())


@pytest.mark.browser
def test_a_page_whose_token_is_too_old_opens_again_by_itself(browser, faulty):
    """As a page has that a browser kept over the weekend."""
    faulty.process.send_signal(signal.SIGUSR1)  # the clock by which Panel reads Bokeh's token
    context = browser.new_context()
    page = context.new_page()
    try:
        page.goto(faulty.address)
        page.wait_for_timeout(2000)
        assert not page.evaluate("window.Bokeh.documents.length")
        faulty.process.send_signal(signal.SIGUSR1)  # a day back
        page.wait_for_function(READY, timeout=60_000)
    finally:
        faulty.process.send_signal(signal.SIGUSR1)
        context.close()
    assert "Exception in callback" not in faulty.said()


async def drag(server, seconds):
    """Move a slider all the time; the last picture must be that of the last place."""
    client = await Client(server.address).come()
    key, end, i = client.named("lead"), time.monotonic() + seconds, 0
    while time.monotonic() < end:
        i += 1
        await client.change(key, value=float(i % 89))
        await asyncio.sleep(1 / 60)
    await client.change(key, value=43.0)
    await settle(client, server)
    dragged = client.pictures()
    await client.move("lead", 44.0)
    await settle(client, server)
    assert dragged != client.pictures()
    await client.move("lead", 43.0)
    await settle(client, server)
    assert len(dragged) == 2
    assert dragged == client.pictures(), "the drag ended on a picture of another place"
    await client.leave()


async def settle(client, server):
    """Until nothing more comes."""
    while True:
        before = client.patches
        await asyncio.sleep(1)
        if before == client.patches and server.metrics()["requests_waiting"] == 0:
            return


def test_a_slider_dragged_for_a_minute_ends_on_the_right_picture(room):
    run(drag(room, 60))


# ---- the wire


def lead(page, value=None):
    if value is not None:
        page.evaluate(
            f"() => {{ const m = {LEAD}; m.value = {value}; m.value_throttled = {value} }}"
        )
        page.wait_for_function(f"location.search.includes('angle={value}')", timeout=20_000)
    return page.evaluate(f"() => {LEAD}.value")


def seen(page):
    page.wait_for_function("!document.getElementById('wire').hidden", timeout=10_000)


def back(page, seconds=60):
    page.wait_for_function(
        "document.getElementById('wire')?.hidden && " + READY, timeout=1000 * seconds
    )


def cut_and_mend(browser, server, seconds, meanwhile=lambda: None):
    proxy = Proxy(server.port, server.proxy)
    origin = proxy.address.rstrip("/")
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    try:
        page.goto(proxy.address)
        page.wait_for_function(READY, timeout=60_000)
        lead(page, 20)
        begun = time.monotonic()
        proxy.cut()
        seen(page)
        assert time.monotonic() - begun < 6  # 0.3 s on a machine that does nothing else
        page.wait_for_timeout(1000 * seconds)
        meanwhile()
        proxy.mend()
        back(page)
        assert lead(page) == 20
        assert "before" not in page.url
        lead(page, 30)  # it works again
        assert page.url.startswith(origin)
    finally:
        context.close()
        proxy.close()


def behind_a_proxy(folder, **options):
    """A server that a page behind a proxy may use."""
    port = free_port()
    doors = ("--public", "--address", "127.0.0.1", "--origin", f"127.0.0.1:{port}")
    server = Server(folder, *doors, **options).wait()
    server.proxy = port
    return server


@pytest.fixture(scope="module")
def open_room(folder):
    server = behind_a_proxy(folder)
    yield server
    server.stop()


@pytest.mark.browser
def test_after_a_cut_of_3_s_the_page_works_again_with_its_state(browser, open_room):
    cut_and_mend(browser, open_room, 3)


@pytest.mark.browser
@pytest.mark.parametrize("seconds", [8, 45])
def test_after_a_longer_cut_the_page_works_again_with_its_state(browser, open_room, seconds):
    cut_and_mend(browser, open_room, seconds)


@pytest.mark.browser
def test_a_tab_left_open_overnight_works_again_in_the_morning(browser, folder):
    """The laptop sleeps; when it wakes, its session is gone."""
    server = behind_a_proxy(folder, code=FAULTY)

    def night():
        run(gone(server, 10))

    try:
        cut_and_mend(browser, server, 1, night)
    finally:
        server.stop()


@pytest.mark.browser
def test_a_wire_that_is_dead_without_a_word_is_noticed_when_it_is_used(browser, open_room):
    proxy = Proxy(open_room.port, open_room.proxy)
    context = browser.new_context()
    page = context.new_page()
    try:
        page.goto(proxy.address)
        page.wait_for_function(READY, timeout=60_000)
        page.wait_for_timeout(1500)
        proxy.cut("freeze")
        begun = time.monotonic()
        page.mouse.click(500, 400)
        seen(page)
        assert time.monotonic() - begun < 6  # 1.6 s on a machine that does nothing else
        proxy.mend()
        back(page)
    finally:
        context.close()
        proxy.close()


@pytest.mark.browser
def test_after_a_restart_of_the_server_the_page_comes_back_with_its_state(browser, folder):
    first = Server(folder).wait()
    context = browser.new_context()
    page = context.new_page()
    second = None
    try:
        page.goto(first.address)
        page.wait_for_function(READY, timeout=60_000)
        lead(page, 25)
        assert first.stop() == 0
        seen(page)
        second = Server(folder, port=first.port).wait()
        back(page, 90)
        assert lead(page) == 25
        lead(page, 26)
    finally:
        context.close()
        if second is not None:
            second.stop()


def test_sigterm_during_load_drains_cleanly(folder):
    server = Server(folder).wait()

    async def visit():
        clients = await asyncio.gather(*(Client(server.address).come() for _ in range(3)))
        for i in range(10):
            for client in clients:
                await client.change(client.named("lead"), value=float(10 + i))
        server.process.send_signal(signal.SIGTERM)
        await clients[0].until(lambda: clients[0].close_code is not None, 20)
        assert clients[0].close_code == 1012  # "service restart": the page comes back
        for client in clients:
            await client.leave()

    run(visit())
    assert server.stop() == 0
    assert "Traceback" not in server.said()
    assert "Exception" not in server.said()


# ---- with the times of a class


def test_a_closed_tab_is_freed_within_35_s(room):
    async def visit():
        await gone(room, 60)
        client = await Client(room.address).come()
        await client.leave()
        assert await gone(room, 40) < 35

    run(visit())


def test_a_frozen_client_is_freed_within_60_s_and_its_fit_cancelled(room, folder):
    frozen = subprocess.Popen(
        [sys.executable, "-c", HEAVY_CLIENT, room.address], cwd=ROOT, stdout=subprocess.PIPE
    )
    try:
        assert frozen.stdout.readline() == b"here\n"
        os.kill(frozen.pid, signal.SIGSTOP)
        assert run(gone(room, 90)) < 60
        assert room.metrics()["requests_waiting"] == 0
    finally:
        frozen.kill()
        frozen.communicate()
