"""Who may come in by which door, tried on real servers."""

import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest
from tornado.httpclient import HTTPClientError

from .client import Client, Closed, Server, run


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


opener = urllib.request.build_opener(NoRedirect)


def ask(server, path="", data=None, **headers):
    """Status, headers and text of an answer, whatever it is."""
    request = urllib.request.Request(server.address + path, data, headers)
    try:
        with opener.open(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as answer:
        return answer.code, answer.headers, answer.read().decode()


@pytest.mark.parametrize(
    "path", ["", "health", "no/such/page", "static/js/bokeh.min.js", "static/", "?bokeh-token=x"]
)
def test_every_answer_carries_the_safe_headers(room, path):
    _, headers, _ = ask(room, path)
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Server"] == "forest-explorer"


def test_the_page_lets_only_its_own_scripts_run(room):
    _, _, page = ask(room)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
    nonce = re.search(r"'nonce-([^']+)'", policy)[1]
    assert "'unsafe-inline'" not in policy.partition("script-src")[2].partition(";")[0]
    assert "default-src 'none'" in policy
    for tag in re.findall(r"<script[^>]*>", page):
        assert f'nonce="{nonce}"' in tag
    _, _, other = ask(room)
    assert nonce not in other


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("?bokeh-session-id=mine", {}),
        ("?bokeh-token=eyJzZXNzaW9uX2lkIjogIm1pbmUifQ", {}),
        ("", {"Bokeh-Session-Id": "mine"}),
        ("", {"Bokeh-Token": "mine"}),
    ],
)
def test_a_chosen_session_is_refused(room, path, headers):
    before = room.health()["sessions"]
    status, _, page = ask(room, path, **headers)
    assert status == 403
    assert "somebody else" in page
    assert room.health()["sessions"] == before


@pytest.mark.parametrize(
    "path",
    [
        "admin",
        "metadata",
        "autoload.js?bokeh-autoload-element=1",
        "components/this/Zen/css/x.css",
        "rest/session_info",
        "liveness",
        "static/",
        "static/js/",
        "static/../../../../etc/passwd",
        "static/..%2f..%2f..%2fetc/passwd",
        "static/js/%00",
        "static/extensions/panel/%00",
        "no/such/page",
        ".git/config",
    ],
)
def test_doors_that_nobody_needs_are_shut(room, path):
    status, _, text = ask(room, path)
    assert status in (403, 404)
    assert "Traceback" not in text
    assert "root:" not in text


def test_the_start_says_what_is_open(room, locked):
    said = room.said()
    assert "open to      this machine only" in said
    assert "kept shut    /admin" in said
    doors = re.search(r"doors +(.*)", said)[1].split()
    assert {"/?", "/ws", "/health", "/metrics"} <= set(doors)
    assert not {"/metadata", "/autoload.js", "/admin"} & set(doors)
    assert "asks for     a password" in locked.said()
    assert "open to      other machines too" in locked.said()
    assert "unencrypted" in locked.said()


def test_metrics_are_in_the_format_of_prometheus(room):
    async def move():
        client = await Client(room.address).come()
        await client.move("lead", 31.0)
        await client.leave()

    run(move())
    text = room.get("metrics")
    line = re.compile(r'^(# TYPE \w+ \w+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? -?[0-9.e+-]+)$')
    assert [row for row in text.splitlines() if not line.match(row)] == []
    found = room.metrics()
    assert found['requests_total{kind="maps",outcome="done"}'] >= 1
    assert found["sessions_most"] == 40
    assert found["waited_seconds_count"] >= 1


def test_a_line_of_json_tells_who_waited_how_long(room):
    async def move():
        client = await Client(room.address).come()
        await client.move("lead", 33.0)
        await client.leave()

    run(move())
    lines = [json.loads(row) for row in room.said().splitlines() if row.startswith("{")]
    done = [row for row in lines if row["kind"] == "maps" and row["outcome"] == "done"]
    assert done
    assert {"session", "waited_ms", "worked_ms", "trees", "cache"} <= set(done[-1])
    assert all(re.fullmatch("[0-9a-f]{6}", row["session"]) for row in lines)


# ---- the websocket


def test_a_token_that_is_not_ours_opens_nothing(room):
    async def try_it(token):
        client = Client(room.address)
        client.token = token
        with pytest.raises((Closed, HTTPClientError)):
            await client.connect()

    async def all_of_them():
        real = Client(room.address)
        page = await real.fetch()
        ours = re.search(r'"token":"([^"]+)"', page)[1]
        await try_it("mine")
        await try_it(ours[:-4] + "AAAA")
        await try_it(ours.split(".")[0])

    run(all_of_them())
    assert "Traceback" not in room.said()


def test_a_page_of_another_site_cannot_open_a_websocket(room):
    async def try_it():
        client = Client(room.address)
        client.token = re.search(r'"token":"([^"]+)"', await client.fetch())[1]
        with pytest.raises(HTTPClientError, match="403"):
            await client.connect(origin="http://evil.example")

    run(try_it())


def test_a_failing_message_gets_a_sentence_and_no_traceback(room):
    async def try_it():
        client = await Client(room.address).come()
        reply = await client.change(client.named("lead"), 10, value="nonsense")
        assert reply == {"text": "That could not be done.", "traceback": None}
        await client.until(lambda: "our fault" in client.text(), 2)  # and its user sees it
        await client.move("lead", 12.0)  # and goes on
        await client.leave()

    run(try_it())


# ---- the password


def login(server, password):
    body = urllib.parse.urlencode({"password": password}).encode()
    return ask(server, "login?next=%2F%3Fpage%3DNodes", body)


def test_without_the_password_nobody_sees_the_page(locked):
    status, headers, _ = ask(locked, "?page=Nodes")
    assert status == 302
    assert headers["Location"] == "./login?next=%2F%3Fpage%3DNodes"
    assert ask(locked, "login")[0] == 200

    async def wire():
        client = Client(locked.address)
        client.token = "x"
        with pytest.raises(HTTPClientError, match="403"):
            await client.connect()

    run(wire())
    assert locked.health()["sessions"] == 0


def test_the_right_password_gives_a_cookie_that_scripts_and_other_sites_cannot_use(locked):
    status, headers, _ = login(locked, "four tall trees")
    assert status == 303
    assert headers["Location"] == "./?page=Nodes"
    cookie = headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    status, _, page = ask(locked, "", Cookie=cookie.split(";")[0])
    assert status == 200
    assert "token" in page
    forged = re.sub(r"[0-9a-f]{64}", "0" * 64, cookie.split(";")[0])
    assert ask(locked, "", Cookie=forged)[0] == 302


def test_wrong_passwords_are_slowed_down(locked):
    begun = time.monotonic()
    assert [login(locked, word)[0] for word in ("a", "four tall trees ")] == [403, 403]
    assert time.monotonic() - begun > 1.4  # 0.5 + 1 s
    assert "four tall trees" not in locked.said()


# ---- seats


def test_the_visitor_too_many_is_told_in_words_and_let_in_later(locked):
    cookie = login(locked, "four tall trees")[1]["Set-Cookie"].split(";")[0]

    async def visits():
        clients = [await Client(locked.address, {"Cookie": cookie}).come()]
        while True:  # a seat of an earlier test may still be taken
            client = Client(locked.address, {"Cookie": cookie})
            page = await client.fetch()
            if client.status == 503:
                break
            assert len(clients) < 2
            clients.append(client)
        assert "The server is full" in page
        assert "<script" not in page
        await clients[0].move("lead", 20.0)  # those inside are not disturbed
        for client in clients:
            await client.leave()

    run(visits())
    assert locked.metrics()["visitors_turned_away_total"] >= 1


def test_panel_serve_has_the_same_doors(folder):
    code = (
        "import sys; sys.argv = ['panel', 'serve', 'explorer/app', '--port', sys.argv[2]]; "
        "from panel.command import main; main()"
    )
    server = Server(folder, code=code).wait()
    try:
        assert ask(server, "app")[0] == 200
        for path in (
            "app",
            "app/static/js/bokeh.min.js",
            "static/js/bokeh.min.js",
            "none",
            "health",
        ):
            headers = ask(server, path)[1]
            assert headers["X-Content-Type-Options"] == "nosniff", path
            assert "frame-ancestors 'none'" in headers["Content-Security-Policy"], path
        assert ask(server, "static/js/%00")[0] == 404
        assert ask(server, "app?bokeh-session-id=mine")[0] == 403
        assert ask(server, "components/this/Zen/css/x")[0] == 404
        assert ask(server, "app/metadata")[0] == 404
        assert server.health()["max_sessions"] == 100
    finally:
        server.stop()
