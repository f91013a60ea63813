"""What is released: one version, an sdist and a wheel that are whole, and tests that run on it."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import explorer
import forest_explorer

ROOT = Path(__file__).resolve().parent.parent
# a part of the tests that needs no file of the checkout, on the wheel instead of the checkout
ON_THE_WHEEL = ("tests/data/test_dataset.py", "tests/plot/test_cards.py")


def _run(*command: str, **options) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, **options)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory) -> Path:
    """The sdist, and the wheel that is built from it."""
    out = tmp_path_factory.mktemp("dist")
    _run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT))
    return out


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    return next(dist.glob("*.whl"))


def test_the_version_is_said_in_one_place(wheel):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" not in project
    assert f"-{explorer.__version__}-" in wheel.name
    said = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "explorer").rglob("*.py")
        if re.search(r"^__version__ = ", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert said == [str(Path("explorer") / "__init__.py")]


def test_twine_accepts_both(dist):
    said = _run(sys.executable, "-m", "twine", "check", "--strict", *map(str, dist.iterdir()))
    assert said.count("PASSED") == 2


def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(wheel):
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    made = {"__pycache__", ".nbi", ".nbc"}  # by Python and Numba
    here = {
        path.relative_to(ROOT).as_posix()
        for path in (*(ROOT / "explorer").rglob("*"), ROOT / "forest_explorer.py")
        if path.is_file() and made.isdisjoint({*path.parts, path.suffix})
    }
    assert held == here


def test_the_sdist_holds_what_tests_and_documentation_need(dist):
    with tarfile.open(next(dist.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {"pyproject.toml", "README.md", "LICENSE", "docs/conf.py", "tests/conftest.py"}
    assert wanted <= names
    assert not any(
        name.startswith(("assets/", "benchmarks/", ".git/", ".github/")) for name in names
    )


def test_tests_pass_on_the_wheel_and_not_on_the_checkout(wheel, tmp_path):
    """The wheel comes first on the path, and the tests are copied away from the checkout."""
    place = tmp_path / "wheel"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    _run(*pip, "--target", str(place), str(wheel))
    shared = [f"tests/{part}conftest.py" for part in ("", "data/", "plot/")]
    for name in (*shared, *ON_THE_WHEEL):
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / name).read_bytes())
    env = {**os.environ, "PYTHONPATH": str(place)}
    where = _run(
        sys.executable, "-c", "import explorer; print(explorer.__file__)", cwd=tmp_path, env=env
    )
    assert Path(where.strip()).is_relative_to(place)
    options = ["-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), *ON_THE_WHEEL]
    said = _run(sys.executable, "-m", "pytest", *options, cwd=tmp_path, env=env)
    assert re.search(r"\d+ passed", said)


def test_jupyter_finds_the_app_for_its_launcher():
    told = forest_explorer.jupyter_proxy()
    assert told["command"][-2:] == ["--port", "{port}"]
    assert told["launcher_entry"]["title"] == "Forest Explorer"
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    named = tomllib.loads(text)["project"]["entry-points"]["jupyter_serverproxy_servers"]
    assert named == {"forest-explorer": "forest_explorer:jupyter_proxy"}
