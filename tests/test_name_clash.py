"""Another package named explorer is told in a sentence, and a light install works."""

import subprocess
import sys
from pathlib import Path

import pytest

import forest_explorer

ROOT = Path(__file__).resolve().parent.parent


def test_our_own_folder_is_no_clash() -> None:
    assert forest_explorer.name_clash() is None
    from explorer import ForestClassifier

    assert forest_explorer.ForestClassifier is ForestClassifier


@pytest.mark.parametrize("ask", ["main()", "ForestClassifier"])
def test_another_explorer_is_told_in_a_sentence(ask: str, tmp_path: Path) -> None:
    other = tmp_path / "explorer"
    other.mkdir()
    for name in ("__init__.py", "apps.py", "schema.py"):
        (other / name).write_text("")
    code = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(ROOT)!r}]\n"
    code += f"import forest_explorer\nforest_explorer.{ask}\n"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "belongs to django-sql-explorer" in done.stderr
    assert "virtual environment of its own" in done.stderr
    assert ("Traceback" in done.stderr) == (ask != "main()")


def test_the_estimator_works_without_panel_bokeh_holoviews_and_pandas() -> None:
    code = (
        "import sys\n"
        "class Nothing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in {'panel', 'bokeh', 'holoviews', 'pandas', 'param',\n"
        "                'typer', 'rich', 'yaml', 'markdown_it', 'tornado'}:\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Nothing())\n"
        "from explorer import ForestClassifier\n"
        "X = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.5]] * 3\n"
        "model = ForestClassifier('RF', n_estimators=3, random_state=0).fit(X, [0, 0, 1, 1] * 3)\n"
        "assert model.predict([[3.0, 0.0]])[0] == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
