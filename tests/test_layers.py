"""The doors between rooms: DESIGN.md's table as data, and a walk over every import."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "explorer"


@dataclass(frozen=True)
class Room:
    """What a room may import: rooms and packages anywhere, and those inside functions only."""

    rooms: frozenset[str] = frozenset()
    packages: frozenset[str] = frozenset()
    lazily: frozenset[str] = frozenset()


def _room(rooms: str = "", packages: str = "", lazily: str = "") -> Room:
    return Room(*(frozenset(text.split()) for text in (rooms, packages, lazily)))


DRAWING = "holoviews bokeh colorcet"  # the last comes with the first
TABLE = {
    "engine": _room("notebook", "numpy numba scipy platformdirs"),
    "data": _room(
        "notebook",
        "numpy scipy",
        "pandas sklearn pyarrow openpyxl jcamp numba"
        " brukeropus spectrochempy_omnic sif_parser olefile h5py pyimzml",
    ),
    "analysis": _room("engine data notebook", "numpy scipy sklearn", "pandas"),
    "views": _room("analysis", f"numpy {DRAWING}"),
    "plot": _room("engine data analysis views", f"numpy {DRAWING}", "panel"),
    "studies": _room(
        "engine data analysis baselines sentences",
        "numpy scipy pandas sklearn dask",
        f"rich distributed views {DRAWING}",  # what computes must not need what draws
    ),
    "app": _room(
        "engine data analysis views studies baselines sentences",
        f"numpy scipy pandas sklearn panel param threadpoolctl tornado yaml markdown_it {DRAWING}",
        "webview",  # the extra `desktop`
    ),
    "estimators": _room("engine", "numpy scipy sklearn", "pandas onnx"),
    "baselines": _room("engine", "numpy sklearn"),
    "cli": _room(
        "engine data analysis views studies app estimators baselines sentences cli_spectra"
        " cli_tables cli_image cli_open",
        "typer",
        "rich panel dask",
    ),
    "cli_spectra": _room("engine data analysis cli_open", "typer"),
    "cli_tables": _room("engine data analysis cli_open", "typer"),
    "cli_image": _room("engine data analysis cli_spectra cli_open", "typer"),
    "cli_open": _room("engine data app", "typer"),
    # the package's own first file: names on demand, and no package at all
    "explorer": _room("engine data analysis plot exploration estimators"),
    # the app on one's own data: started as a process, its state read from links
    "exploration": _room("engine data plot", "numpy", "app"),
    # how objects show themselves; what draws is imported when a notebook asks for it
    "notebook": _room("", "", "plot"),
    # which errors users may read
    "sentences": _room(),
}
# names that `from explorer import ...` gives on demand, and the room behind each
ON_DEMAND = {
    "ForestClassifier": "estimators",
    "TreeClassifier": "estimators",
    "Exploration": "exploration",
    "explore": "exploration",
    "dataset": "plot",
    "grow": "plot",
    "load": "data",
    "read": "data",
}


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
        if other in allowed.lazily:
            return None if door.lazy else f"{at}: {home} may know {other} inside functions only."
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
    order = ["engine", "data", "analysis", "views", "plot", "studies", "app"]
    for at, room in enumerate(order):
        assert TABLE[room].rooms - {"baselines", "sentences", "notebook"} <= set(order[:at])


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
        ("explorer.studies.menze", "from explorer.views.theme import THEMES"),
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
        ("explorer.studies.menze", "def draw():\n    from explorer.views import theme"),
        ("explorer.app.main", "import panel as pn\nfrom explorer.studies import menze"),
    ],
)
def test_a_door_of_the_table_is_let_through(where: str, source: str) -> None:
    assert [complaint(door) for door in doors_of(source, where) if complaint(door)] == []


# The rooms of the app, in the order in which they may import: each knows only rooms above its own
# line. docs/design.md says what each is for.
APP_ROOMS = (
    ("gil_yield",),
    ("state", "widgets"),
    ("work",),
    ("server.patches",),
    ("session",),
    ("export",),
    ("pages", "sidebar"),
    ("lessons",),
    ("layout",),
    ("server",),
    ("main", "app_hooks"),
)


def app_room_of(dotted: str) -> str | None:
    """The room of a module of the app; None for all others."""
    parts = dotted.split(".")
    if parts[:2] != ["explorer", "app"] or len(parts) < 3:
        return None
    return "server.patches" if parts[2:4] == ["server", "patches"] else parts[2]


def app_complaint(door: Door) -> str | None:
    """What is wrong with a door between two rooms of the app, as a sentence."""
    home, other = app_room_of(door.where), app_room_of(door.target)
    if home is None or other is None or home == other:
        return None
    line = {room: i for i, rooms in enumerate(APP_ROOMS) for room in rooms}
    for room in (home, other):
        if room not in line:
            return f"{door.where}: there is no room {room!r} in the app's table."
    if line[other] < line[home]:
        return None
    return f"{door.where}, line {door.line}: {home} may not know {other} ({door.target})."


def imports_of_modules(doors: list[Door], modules: set[str]) -> dict[str, set[str]]:
    """Which of these modules each imports, a name inside a module counted as the module."""
    found: dict[str, set[str]] = {module: set() for module in modules}
    for door in doors:
        if door.where in modules:
            target = door.target
            if target not in modules:
                target = target.rpartition(".")[0]
            if target in modules and target != door.where:
                found[door.where].add(target)
    return found


def cycles_in(imports: dict[str, set[str]]) -> list[str]:
    """Modules that lie on a cycle of imports: those that can reach themselves."""

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        ahead = set(imports[start])
        while ahead:
            module = ahead.pop()
            found.add(module)
            ahead |= imports[module] - found
        return found

    return sorted(module for module in imports if module in reached(module))


def _module_of(path: Path) -> str:
    parts = ["explorer", *path.relative_to(PACKAGE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_rooms_of_the_app_import_in_one_direction_only() -> None:
    doors = [door for path in _modules() for door in _doors_of_file(path)]
    assert any(app_room_of(door.where) == "session" for door in doors)
    assert [text for door in doors if (text := app_complaint(door))] == []


def test_no_module_of_the_app_imports_itself_by_a_detour() -> None:
    paths = [path for path in _modules() if path.is_relative_to(PACKAGE / "app")]
    doors = [door for path in paths for door in _doors_of_file(path)]
    imports = imports_of_modules(doors, {_module_of(path) for path in paths})
    assert any(imports.values())
    assert cycles_in(imports) == []


def test_a_cycle_hidden_behind_type_checking_is_found() -> None:
    sources = {
        "explorer.app.session.a": "from explorer.app.session.b import B",
        "explorer.app.session.b": "if TYPE_CHECKING:\n    from explorer.app.session.a import A",
        "explorer.app.session.c": "from explorer.app.session import a",
    }
    doors = [door for module, text in sources.items() for door in doors_of(text, module)]
    assert cycles_in(imports_of_modules(doors, set(sources))) == [
        "explorer.app.session.a",
        "explorer.app.session.b",
    ]


@pytest.mark.parametrize(
    ("where", "source", "allowed"),
    [
        ("explorer.app.state.link", "from explorer.app.session.session import Session", False),
        ("explorer.app.session.maps", "from explorer.app.pages.board import Board", False),
        ("explorer.app.session.maps", "def f():\n    import explorer.app.server.serve", False),
        ("explorer.app.sidebar.sidebar", "from explorer.app.pages.board import Board", False),
        ("explorer.app.attic.old", "from explorer.app.state import link", False),
        ("explorer.app.pages.board", "from explorer.app.session.session import Session", True),
        ("explorer.app.session.mailbox", "from explorer.app.server.patches import a", True),
        ("explorer.app.pages.board", "from explorer.app.pages.picture import Picture", True),
    ],
)
def test_a_door_between_two_rooms_of_the_app_is_judged(
    where: str, source: str, allowed: bool
) -> None:
    found = [text for door in doors_of(source, where) if (text := app_complaint(door))]
    assert (found == []) == allowed


def test_only_functions_of_studies_that_draw_import_views() -> None:
    found = []
    for path in sorted((PACKAGE / "studies").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            text = ast.unparse(node)
            draws = "theme" in {a.arg for a in node.args.args} or "Curve" in ast.unparse(
                node.returns or ast.Constant(None)
            )
            if "from explorer.views" in text and not draws:
                found.append(f"{path.name}, line {node.lineno}: {node.name}")
    assert found == []


def test_a_class_name_is_defined_once() -> None:
    """Kernels are left out: their bundles of arrays are named as in the papers and stay inside."""
    homes: dict[str, list[str]] = {}
    for path in _modules():
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        if module.startswith("engine.kernels."):
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(module)
    studies = re.compile(r"(Fig|Table)\d+")  # named by their place in a paper, one folder each
    twice = {name: at for name, at in homes.items() if len(at) > 1 and not studies.fullmatch(name)}
    assert twice == {}


def _imported_by(statement: str) -> set[str]:
    """Top-level packages in a fresh interpreter after a statement."""
    code = f"{statement}\nimport sys\nprint(*{{m.split('.')[0] for m in sys.modules}})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_importing_the_engine_brings_no_panel_holoviews_bokeh_pandas_or_sklearn() -> None:
    loaded = _imported_by("import explorer.engine")
    assert "numba" in loaded
    assert loaded.isdisjoint({"panel", "holoviews", "bokeh", "param", "pandas", "sklearn"})


def test_importing_the_package_brings_no_package_at_all() -> None:
    loaded = _imported_by("import explorer as fx")
    assert loaded.isdisjoint({"numpy", "numba", "pandas", "sklearn", "holoviews", "panel", "bokeh"})


def test_growing_a_forest_brings_no_package_that_draws() -> None:
    loaded = _imported_by("import explorer as fx\nfx.grow\nfx.load('clouds')")
    assert loaded.isdisjoint({"holoviews", "panel", "bokeh"})


def test_importing_the_command_line_brings_neither_numpy_nor_numba() -> None:
    loaded = _imported_by("import explorer.cli")
    assert "typer" in loaded
    assert loaded.isdisjoint({"numpy", "numba", "sklearn", "panel"})


def test_running_a_study_brings_no_package_that_draws() -> None:
    loaded = _imported_by(
        "from explorer.studies.listing import find, studies\n"
        "studies()\n"
        "find('menze-fig2').run('tiny')"
    )
    assert "numba" in loaded
    assert loaded.isdisjoint({"bokeh", "holoviews", "panel"})
