"""Several processes behind a real nginx, with the configuration that docs/class-server.md gives."""

import http.client
import os
import re
import secrets
import shutil
import subprocess
import threading
from contextlib import contextmanager

import pytest
from tornado.httpclient import HTTPClientError

from explorer.app.server.guessing import FREE_CHECKS

from . import raw
from .client import ROOT, Client, Server, free_port, run

NGINX = shutil.which("nginx") or ("/usr/sbin/nginx" if os.path.exists("/usr/sbin/nginx") else "")
needs_nginx = pytest.mark.skipif(
    not NGINX and not os.environ.get("CI"), reason="there is no nginx here"
)
KEY = secrets.token_hex(32)
WORD = "four tall trees"
FORM = "application/x-www-form-urlencoded"
GUIDE = (ROOT / "docs" / "class-server.md").read_text(encoding="utf-8")


def configuration(folder, front, ports):
    """The guide's, with our ports, without https and as a whole file."""
    text = re.search(r"```nginx\n(.*?)```", GUIDE, re.DOTALL)[1]
    text = re.sub(r"    ssl_.*\n", "", text).replace(
        "listen 443 ssl;", f"listen 127.0.0.1:{front};"
    )
    for old, new in zip(("5006", "5007"), ports, strict=True):
        text = text.replace(f"127.0.0.1:{old}", f"127.0.0.1:{new}")
    text = text.replace("$host;", "$http_host;")  # here the address has a port
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    path = folder / "nginx.conf"
    path.write_text(
        f"daemon off;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{places}{text}}}\n"
    )
    return path


@contextmanager
def behind_nginx(folder, processes=1, **environment):
    """nginx with the guide's configuration, and servers started as the guide starts them."""
    assert NGINX, "There is no nginx on this machine; install it."
    front = free_port()
    origin = f"http://127.0.0.1:{front}"
    options = ("--behind-proxy", "--public", "--address", "127.0.0.1", "--origin", origin)
    environment.setdefault("BOKEH_SECRET_KEY", KEY)
    servers = [Server(folder, *options, **environment) for _ in range(processes)]
    nginx = None
    try:
        for server in servers:
            server.wait()
        ports = [server.port for server in servers] * 2
        path = configuration(folder, front, ports[:2])
        nginx = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(path)])
        raw.until(lambda: _answers(front))
        yield origin, front, servers, options
    finally:
        if nginx is not None:
            nginx.terminate()
            nginx.wait(10)
        for server in servers:
            if server.process.poll() is None:
                server.stop()


def _answers(port):
    try:
        return raw.asked(port, "/health")[0] == 200
    except OSError:
        return False


@needs_nginx
def test_two_processes_behind_nginx_serve_a_class(tmp_path):
    with behind_nginx(tmp_path, 2) as (origin, front, servers, _):
        assert raw.asked(front, "/metrics")[0] == 403

        async def visit():
            clients = []
            for _ in range(6):
                client = await Client(origin + "/").come()
                await client.move("lead", 20.0)
                clients.append(client)
            assert all(server.health()["sessions"] > 0 for server in servers)
            servers[0].stop()  # one process goes: its pages come back by the other
            again = await Client(origin + "/").come("?d.angle=20")
            await again.move("lead", 30.0)
            for client in [*clients, again]:
                await client.leave()

        run(visit())


def guess(port, number, answers):
    """A wrong password, with an address of its own in every header that a client can think of."""
    forged = f"198.51.100.{number}"
    wire = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = dict.fromkeys(("X-Real-Ip", "X-Forwarded-For", "Forwarded", "X-Client-Ip"), forged)
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    try:
        wire.request("POST", "/login", f"password=guess{number}", headers)
        answers.append(wire.getresponse().status)
    finally:
        wire.close()


@needs_nginx
def test_behind_nginx_forged_headers_open_nothing_and_a_new_password_ends_cookies(tmp_path):
    environment = {"FOREST_EXPLORER_PASSWORD": WORD, "BOKEH_ALLOW_WS_ORIGIN": "evil.example"}
    with behind_nginx(tmp_path, **environment) as (origin, front, servers, options):
        # metrics, under every way to write the address
        forged = {"X_Real_Ip": "127.0.0.1", "X_Forwarded_For": "127.0.0.1"}
        for path in ("/metrics", "//metrics", "/%6detrics", "/./metrics", "/metrics/"):
            assert raw.asked(front, path, **forged)[0] in (403, 404), path
            assert raw.asked(front, path + "?a")[0] in (403, 404), path
        assert raw.asked(servers[0].port, "/metrics", X_Real_Ip="127.0.0.1")[0] == 404

        # the environment does not widen the origins
        status, said = raw.asked(
            front, "/login", body=b"password=four+tall+trees", Content_Type=FORM
        )
        assert status == 303
        cookie = re.search(r"Set-Cookie: (forest_explorer=[^;]+)", said)[1]

        async def from_elsewhere():
            client = await Client(origin + "/", {"Cookie": cookie}).come()
            stranger = Client(origin + "/", {"Cookie": cookie})
            stranger.token = client.token
            with pytest.raises(HTTPClientError, match="403"):
                await stranger.connect(origin="http://evil.example")
            await client.leave()

        run(from_elsewhere())

        # guesses of one client are those of one client, whatever it says of itself
        answers: list[int] = []
        threads = [threading.Thread(target=guess, args=(front, i, answers)) for i in range(80)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set(answers) == {403, 429}
        assert answers.count(403) <= FREE_CHECKS + 10

        # another password with the same key: the old cookie is void
        assert raw.asked(front, "/", Cookie=cookie)[0] == 200
        servers[0].stop()
        servers[0] = Server(
            tmp_path,
            *options,
            port=servers[0].port,
            FOREST_EXPLORER_PASSWORD="five tall trees",
            BOKEH_SECRET_KEY=KEY,
        ).wait()
        raw.until(lambda: raw.asked(front, "/health")[0] == 200, 30)  # nginx tries it again
        status, said = raw.asked(front, "/", Cookie=cookie)
        assert status == 302
        assert "./login" in said


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"BOKEH_SECRET_KEY": ""}, "at least 32"),
        ({"BOKEH_SECRET_KEY": "short"}, "at least 32"),
        ({"FOREST_EXPLORER_PASSWORD": ""}, "password is empty"),
    ],
)
def test_a_start_with_a_weak_key_or_an_empty_password_is_refused(tmp_path, environment, words):
    options = ("--public", "--address", "127.0.0.1", "--origin", "class.example.org")
    server = Server(tmp_path, *options, **environment)
    assert server.process.wait(120) == 2
    assert words in " ".join(server.said().split())
    assert "Traceback" not in server.said()
    server.stop()


def test_without_openssl_the_guide_s_commands_start_nothing(tmp_path):
    commands = re.search(r"```sh\n(set -e\n.*?)```", GUIDE, re.DOTALL)[1]
    started = tmp_path / "started"
    program = tmp_path / "forest-explorer"
    program.write_text(f"#!/bin/sh\necho yes > {started}\n")
    program.chmod(0o755)
    shell = shutil.which("sh")
    done = subprocess.run(
        [shell, "-c", commands + "\nwait\n"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    assert done.returncode != 0
    assert not started.exists()
