"""The locked ends of what is allowed say what pyproject.toml says."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def allowed():
    texts = list(PROJECT["dependencies"])
    for extra in ("files", "spectra", "instruments", "cluster"):
        texts += PROJECT["optional-dependencies"][extra]
    return {r.name.lower(): r for r in map(Requirement, texts)}


def pinned(name):
    rows = (ROOT / "constraints" / name).read_text().splitlines()
    return dict(re.split("==", row.lower()) for row in rows if row and row[0] != "#")


def test_the_oldest_are_the_lower_ends():
    lower = {
        name: next(s.version for s in r.specifier if s.operator == ">=")
        for name, r in allowed().items()
    }
    assert {n: Version(v) for n, v in pinned("oldest.txt").items() if n in lower} == {
        n: Version(v) for n, v in lower.items()
    }


@pytest.mark.parametrize("file", ["oldest.txt", "newest.txt"])
def test_every_dependency_is_pinned_within_its_bounds(file):
    pins = pinned(file)
    for name, requirement in allowed().items():
        assert requirement.specifier.contains(pins[name]), requirement
