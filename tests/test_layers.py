"""The doors between rooms: DESIGN.md's table as data, and a walk over every import."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "explorer"


@dataclass(frozen=True)
class Room:
    """What a room may import: other rooms, packages anywhere, packages inside functions only."""

    rooms: frozenset[str] = frozenset()
    packages: frozenset[str] = frozenset()
    lazily: frozenset[str] = frozenset()


def _room(rooms: str = "", packages: str = "", lazily: str = "") -> Room:
    return Room(*(frozenset(text.split()) for text in (rooms, packages, lazily)))


DRAWING = "holoviews bokeh colorcet"  # the last comes with the first
TABLE = {
    "engine": _room("", "numpy numba scipy platformdirs"),
    "data": _room("", "numpy scipy", "pandas sklearn pyarrow openpyxl jcamp"),
    "analysis": _room("engine data", "numpy scipy sklearn", "pandas"),
    "views": _room("analysis", f"numpy {DRAWING}"),
    "studies": _room(
        "engine data analysis views baselines",
        f"numpy scipy pandas sklearn dask {DRAWING}",
        "rich distributed",
    ),
    "app": _room(
        "engine data analysis views studies baselines",
        f"numpy scipy pandas sklearn panel param threadpoolctl tornado yaml markdown_it {DRAWING}",
        "webview",  # the extra `desktop`
    ),
    "estimators": _room("engine", "numpy sklearn"),
    "baselines": _room("engine", "numpy sklearn"),
    "cli": _room(
        "engine data analysis views studies app estimators baselines", "typer", "rich panel dask"
    ),
    # the package's own first file: names on demand, and no package at all
    "explorer": _room("estimators"),
}
# names that `from explorer import ...` gives on demand, and the room behind each
ON_DEMAND = {"ForestClassifier": "estimators"}


@dataclass(frozen=True)
class Door:
    """One import: from a file and line to a dotted name, lazily or not."""

    where: str
    line: int
    target: str
    lazy: bool


def doors_of(source: str, module: str, is_package: bool = False) -> Iterator[Door]:
    """Every import in a module's text, relative ones resolved, also inside functions."""
    package = module if is_package else module.rpartition(".")[0]

    def walk(node: ast.AST, lazy: bool) -> Iterator[Door]:
        for child in ast.iter_child_nodes(node):
            inside = lazy or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                inside = True
            for target in targets(child):
                yield Door(module, child.lineno, target, inside)
            yield from walk(child, inside)

    def targets(node: ast.AST) -> list[str]:
        if isinstance(node, ast.Import):
            return [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base]).rstrip(".")
            return [f"{base}.{alias.name}" for alias in node.names]
        if (
            isinstance(node, ast.Call)
            and ast.unparse(node.func).rpartition(".")[2] in ("import_module", "__import__")
            and node.args
            and isinstance(node.args[0], ast.Constant)
        ):
            return [str(node.args[0].value)]
        return []

    yield from walk(ast.parse(source), False)


def room_of(dotted: str) -> str | None:
    """The room of one of our own names, "explorer" for the package itself; None for others."""
    parts = dotted.split(".")
    if parts[0] != "explorer":
        return None
    if len(parts) == 1:
        return "explorer"
    if parts[1] in ON_DEMAND:
        return ON_DEMAND[parts[1]]
    if parts[1].startswith("__"):  # __version__
        return "explorer"
    return parts[1]


def complaint(door: Door) -> str | None:
    """What is wrong with a door, as a sentence; None if it is in the table."""
    home = room_of(door.where)
    at = f"{door.where}, line {door.line}"
    if home not in TABLE:
        return f"{at}: there is no room {home!r} in the table; add it to DESIGN.md and here."
    allowed = TABLE[home]
    other = room_of(door.target)
    if other is not None:
        if other in (home, "explorer") or other in allowed.rooms:
            return None
        return f"{at}: {home} may not know {other} ({door.target})."
    package = door.target.split(".")[0]
    if package in sys.stdlib_module_names or package in allowed.packages:
        return None
    if package in allowed.lazily:
        return None if door.lazy else f"{at}: {home} may import {package} inside functions only."
    return f"{at}: {home} may not import {package}."


def _modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def _doors_of_file(path: Path) -> list[Door]:
    parts = ["explorer", *path.relative_to(PACKAGE).with_suffix("").parts]
    is_package = parts[-1] == "__init__"
    module = ".".join(parts[:-1] if is_package else parts)
    return list(doors_of(path.read_text(encoding="utf-8"), module, is_package))


def test_every_import_goes_through_a_door_of_the_table() -> None:
    doors = [door for path in _modules() for door in _doors_of_file(path)]
    assert any(door.where.startswith("explorer.engine.") for door in doors)
    assert [text for door in doors if (text := complaint(door))] == []


def test_the_app_imports_the_baselines_only_when_one_is_fitted() -> None:
    doors = [door for path in _modules() for door in _doors_of_file(path)]
    to_them = [d for d in doors if room_of(d.where) == "app" and room_of(d.target) == "baselines"]
    assert to_them
    assert all(door.lazy for door in to_them)


def test_every_file_lies_in_a_room_of_the_table() -> None:
    names = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in _modules()}
    assert names - {"__init__"} <= set(TABLE) - {"explorer"}


def test_no_room_knows_a_room_to_its_right() -> None:
    order = ["engine", "data", "analysis", "views", "studies", "app"]
    for at, room in enumerate(order):
        assert TABLE[room].rooms - {"baselines"} <= set(order[:at])  # it stands beside them


@pytest.mark.parametrize(
    ("where", "source"),
    [
        ("explorer.engine.forest", "import pandas"),
        ("explorer.engine.forest", "def f():\n    import sklearn.metrics"),
        ("explorer.engine.forest", "from .. import data"),
        ("explorer.engine.forest", "from ..data.dataset import Dataset"),
        ("explorer.engine.kernels.cut", "from ...estimators import ForestClassifier"),
        ("explorer.engine.forest", "from .. import ForestClassifier"),
        ("explorer.engine.forest", "import importlib\nimportlib.import_module('panel')"),
        ("explorer.data.files", "import pandas"),
        ("explorer.data.files", "class A:\n    import openpyxl"),
        ("explorer.data.files", "from explorer.engine import grow"),
        ("explorer.analysis.maps", "from explorer.views import theme"),
        ("explorer.views.maps", "import panel"),
        ("explorer.views.maps", "from explorer import engine"),
        ("explorer.studies.menze", "from ..app import state"),
        ("explorer.estimators", "from .data import load"),
        ("explorer.cli", "import rich"),
        ("explorer.attic.old", "import numpy"),
    ],
)
def test_a_door_that_is_not_in_the_table_is_found(where: str, source: str) -> None:
    assert any(complaint(door) for door in doors_of(source, where))


@pytest.mark.parametrize(
    ("where", "source"),
    [
        ("explorer.engine.files", "import json\nfrom .. import __version__\nfrom .forest import A"),
        ("explorer.engine.kernels.directions.axis", "from ..grow import grow_trees"),
        ("explorer.data.files", "def read():\n    import pandas\n    import pyarrow.csv"),
        ("explorer.data.files", "if TYPE_CHECKING:\n    import pandas"),
        ("explorer.analysis.maps", "from explorer.engine import Forest\nfrom scipy import stats"),
        ("explorer.views.maps", "from ..analysis.maps import Map\nimport holoviews as hv"),
        ("explorer.app.main", "import panel as pn\nfrom explorer.studies import menze"),
    ],
)
def test_a_door_of_the_table_is_let_through(where: str, source: str) -> None:
    assert [complaint(door) for door in doors_of(source, where) if complaint(door)] == []


def _imported_by(statement: str) -> set[str]:
    """Top-level packages in a fresh interpreter after a statement."""
    code = f"{statement}\nimport sys\nprint(*{{m.split('.')[0] for m in sys.modules}})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_importing_the_engine_brings_no_panel_holoviews_bokeh_pandas_or_sklearn() -> None:
    loaded = _imported_by("import explorer.engine")
    assert "numba" in loaded
    assert loaded.isdisjoint({"panel", "holoviews", "bokeh", "param", "pandas", "sklearn"})


def test_importing_the_command_line_brings_neither_numpy_nor_numba() -> None:
    loaded = _imported_by("import explorer.cli")
    assert "typer" in loaded
    assert loaded.isdisjoint({"numpy", "numba", "sklearn", "panel"})
