"""The steps of the container image, run in a fresh environment without Docker."""

import os
import re
import subprocess
import sys
import sysconfig
import urllib.request
from pathlib import Path

import pytest
import yaml

from tests.browser.conftest import free_port

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.skipif(os.name == "nt", reason="The image is made of POSIX scripts.")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """What `deploy/install.sh` makes, for one family; packages are taken from this environment."""
    place = tmp_path_factory.mktemp("image")
    subprocess.run([sys.executable, "-m", "venv", str(place / "venv")], check=True)
    site = next((place / "venv").glob("lib/python*/site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    env = {**os.environ, "PIP_OPTIONS": "--no-deps --no-index --no-build-isolation"}
    env.pop("PYTHONPATH", None)
    done = subprocess.run(
        [str(ROOT / "deploy/install.sh"), str(place), str(ROOT), "RF"],
        capture_output=True,
        text=True,
        env=env,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return place


@pytest.fixture(scope="module")
def server(folder):
    """The server as the image starts it, and what it said before it was ready."""
    port = free_port()
    env = {**os.environ, "PORT": str(port), "FAMILIES": "RF", "FRAME": "https://school.example.org"}
    env.pop("PYTHONPATH", None)
    process = subprocess.Popen(
        [str(folder / "start.sh"), "--address", "127.0.0.1", "--ready", "0"],
        env=env,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
    )
    said = []
    for line in process.stderr:
        said.append(line)
        if "kept shut" in line:  # the last line of what is open
            break
    yield port, "".join(said), env
    process.terminate()
    process.communicate(timeout=60)


def test_the_package_of_the_environment_is_its_own(folder):
    code = "import explorer; print(explorer.__file__)"
    said = subprocess.run(
        [str(folder / "venv/bin/python"), "-c", code],
        capture_output=True,
        text=True,
        cwd=folder,
        env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"},
        check=True,
    )
    assert Path(said.stdout.strip()).is_relative_to(folder)


def test_kernels_of_the_image_are_used_as_they_are(server):
    assert "had to be compiled again" not in server[1]


def test_the_server_of_the_image_is_healthy_and_opens_a_page(server, folder):
    port, said, env = server
    assert f"localhost:{port}" in said
    check = subprocess.run([sys.executable, str(folder / "health.py")], env=env, timeout=60)
    assert check.returncode == 0
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=180) as page:
        assert (
            "frame-ancestors 'self' https://school.example.org;"
            in page.headers["Content-Security-Policy"]
        )


def test_the_health_check_fails_where_nothing_listens(folder):
    env = {**os.environ, "PORT": str(free_port())}
    check = subprocess.run(
        [sys.executable, str(folder / "health.py")], env=env, capture_output=True, timeout=60
    )
    assert check.returncode == 1


def test_the_image_runs_the_tested_steps_and_is_not_root():
    for path in ("Dockerfile", "deploy/huggingface/Dockerfile"):
        text = (ROOT / path).read_text(encoding="utf-8")
        assert "RUN deploy/install.sh /opt/forest-explorer ." in text
        assert 'ENTRYPOINT ["/opt/forest-explorer/start.sh"]' in text
        assert re.search(r"^USER 1000$", text, re.MULTILINE)
        assert "HEALTHCHECK" in text


def test_compose_has_two_processes_behind_the_nginx_that_they_trust():
    told = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    services = told["services"]
    assert set(services) == {"app1", "app2", "nginx"}
    address = services["nginx"]["networks"]["class"]["ipv4_address"]
    for name in ("app1", "app2"):
        assert services[name]["command"][-1] == address
        assert f"server {name}:5006;" in (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "wrong", ["school.example.org", "https://a;b", "javascript://x", "https://"]
)
def test_a_frame_that_is_no_origin_is_refused_in_a_sentence(wrong):
    from explorer.app.server.startup import Refused, checked_frame

    with pytest.raises(Refused, match="is not an origin"):
        checked_frame(wrong)
