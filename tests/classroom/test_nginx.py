"""Several processes behind a real nginx, with the configuration that the README gives."""

import os
import re
import secrets
import shutil
import subprocess
import time
import urllib.error
import urllib.request

import pytest

from .client import ROOT, Client, Server, free_port, run

NGINX = shutil.which("nginx") or ("/usr/sbin/nginx" if os.path.exists("/usr/sbin/nginx") else "")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def configuration(folder, front, ports):
    """The README's, with our ports, without https and as a whole file."""
    text = re.search(r"```nginx\n(.*?)```", README, re.DOTALL)[1]
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


@pytest.mark.skipif(not NGINX and not os.environ.get("CI"), reason="there is no nginx here")
def test_two_processes_behind_nginx_serve_a_class(tmp_path):
    assert NGINX, "There is no nginx on this machine; install it."
    front = free_port()
    key = secrets.token_hex(32)
    origin = f"http://127.0.0.1:{front}"
    options = ("--behind-proxy", "--public", "--address", "127.0.0.1", "--origin", origin)
    servers = [Server(tmp_path, *options, BOKEH_SECRET_KEY=key) for _ in range(2)]
    nginx = None
    try:
        for server in servers:
            server.wait()
        path = configuration(tmp_path, front, [s.port for s in servers])
        nginx = subprocess.Popen([NGINX, "-p", str(tmp_path), "-c", str(path)])
        end = time.monotonic() + 20
        while True:
            try:
                urllib.request.urlopen(origin + "/health", timeout=10).read()
                break
            except OSError:
                assert time.monotonic() < end
                time.sleep(0.2)
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(origin + "/metrics", timeout=10)

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
    finally:
        if nginx is not None:
            nginx.terminate()
            nginx.wait(10)
        for server in servers:
            if server.process.poll() is None:
                server.stop()
