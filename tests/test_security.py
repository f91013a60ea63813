"""SECURITY.md promises nothing without a test, and names no test that is not there."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "SECURITY.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (?!promise)([^|]+?) \|(.*)\|$", PAGE, re.MULTILINE)
NAME = re.compile(r"`([\w/]+\.py)::(\w+)`")


def names_in(path):
    """All tests of a file."""
    tree = ast.parse((TESTS / path).read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in tree.body if isinstance(node, kinds)}


def test_the_table_is_found():
    assert len(ROWS) >= 20


@pytest.mark.parametrize(("promise", "rest"), ROWS)
def test_every_promise_names_tests_that_exist(promise, rest):
    named = NAME.findall(rest)
    assert named, f"no test is named for: {promise}"
    for path, test in named:
        assert test.startswith("test_")
        assert test in names_in(path), f"{path} has no {test}"
