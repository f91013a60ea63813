"""The way into Forest Explorer that no other package can block.

``explorer`` is also the name of the folder that django-sql-explorer installs. Whichever of the two
was installed last has overwritten files of the other, and imports fail in strange ways. This
module has a name of its own: it looks first, and says in a sentence what is wrong. The command
``forest-explorer`` starts here, and ``from forest_explorer import ForestClassifier`` works like
``from explorer import ForestClassifier``.
"""

import importlib.util
import sys
from pathlib import Path
from typing import Any

__all__ = ["ForestClassifier", "NameTaken", "jupyter_proxy", "main", "name_clash"]  # noqa: F822  on demand

# files that only one of the two has
_OURS = ("engine/spec.py", "estimators/classifier.py", "cli.py")
_THEIRS = ("apps.py", "schema.py", "actions.py")


class NameTaken(ImportError):
    """Another package has installed its files in the folder ``explorer``."""


def name_clash() -> str | None:
    """What is wrong with the folder ``explorer``, as a sentence; None if it is ours alone."""
    found = importlib.util.find_spec("explorer")
    if found is None or not found.submodule_search_locations:
        return "Forest Explorer is not installed: there is no package named explorer."
    folder = Path(next(iter(found.submodule_search_locations)))
    missing = [name for name in _OURS if not (folder / name).exists()]
    foreign = [name for name in _THEIRS if (folder / name).exists()]
    if not missing and not foreign:
        return None
    other = "django-sql-explorer" if foreign else "another package"
    return (
        f"The folder {folder} belongs to {other}, which also calls its package 'explorer'. The two "
        "cannot share an environment: install forest-explorer in a virtual environment of its own "
        "(python -m venv forests)."
    )


def main() -> None:
    """The command ``forest-explorer``."""
    trouble = name_clash()
    if trouble is not None:
        sys.exit(trouble)
    from explorer.cli import main as command

    command()


def jupyter_proxy() -> dict[str, Any]:
    """How jupyter-server-proxy starts the app and shows it in the launcher of JupyterLab.

    The app listens to this machine only. Visitors come through Jupyter, which has asked for their
    login and checked the origin of their page; so the proxy names the app's own origin.
    """
    return {
        "command": [sys.executable, "-m", "forest_explorer", "--no-show", "--port", "{port}"],
        "timeout": 60,
        "request_headers_override": {"Origin": "http://127.0.0.1:{port}"},
        "launcher_entry": {"title": "Forest Explorer", "category": "Notebook"},
    }


def __getattr__(name: str) -> Any:
    if name == "ForestClassifier":
        trouble = name_clash()
        if trouble is not None:
            raise NameTaken(trouble)
        from explorer import ForestClassifier

        return ForestClassifier
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if __name__ == "__main__":
    main()
