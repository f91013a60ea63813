"""README and docs/ are true: their examples run, their files exist, their tables match the code."""

import re
from pathlib import Path

import pytest

from explorer.engine import FAMILIES

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    ROOT / name
    for name in (
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "SECURITY.md",
        "CODE_OF_CONDUCT.md",
    )
] + sorted((ROOT / "docs").rglob("*.md"))
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _examples(text: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


EXAMPLES = [
    pytest.param(code, id=f"{page.name}-{i}")
    for page in PAGES
    for i, code in enumerate(_examples(page.read_text(encoding="utf-8")))
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_every_python_example_runs(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # examples may write files
    exec(compile(code, "example", "exec"), {})


def test_readme_shows_the_engine_and_the_estimator() -> None:
    first, second = _examples(README)[:2]
    assert "explorer.engine" in first
    assert "ForestClassifier" in second


def test_readme_is_a_front_door_of_at_most_150_lines() -> None:
    assert len(README.splitlines()) <= 150


def test_the_families_in_the_docs_are_the_engines_in_its_order() -> None:
    text = (ROOT / "docs" / "families.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE) == list(FAMILIES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = [page.parent / link for link in re.findall(r"\]\(([\w./-]+)\)", text)]
    paths = [
        ROOT / path
        for path in re.findall(r"`((?:explorer|tests|benchmarks|docs|\.ci)/[\w./-]+)`", text)
    ]
    assert [str(p) for p in links + paths if "NAME" not in str(p) and not p.exists()] == []
