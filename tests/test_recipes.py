"""The recipes of CONTRIBUTING.md, followed with toys in a temporary package.

Each toy is one file and one line in its list, as the recipe says. A fresh interpreter then finds
it in the app, on the command line and in the estimator.
"""

import subprocess
import sys
import textwrap

import pytest

TOYS = {
    # recipe "A split family": a file in engine/kernels/directions/
    "directions/toysigns.py": '''
        """Directions of coefficients +1 and -1."""

        import numpy as np

        from explorer.engine.kernels.grow import grow_trees
        from explorer.engine.kernels.jit import grower, template
        from explorer.engine.kernels.linear import cut_along, draw_varying, raw_weights
        from explorer.engine.kernels.rng import normal
        from explorer.engine.kernels.scratch import SIZE


        @template
        def toysigns(table, knobs, node, work, split):
            n = node.b - node.a
            m = draw_varying(
                knobs.m_try, knobs.per_tree, work.state, node.pool, table.XT, node.rows, node.a, n
            )
            if m == 0:
                return False
            for j in range(m):
                work.model.coef[0, j] = 1.0 if normal(work.state) > 0 else -1.0
                work.model.scale[j] = 1.0
            split.what[SIZE] = raw_weights(
                node.pool, work.model.coef[0], work.model.scale, m, split.index, split.value
            )
            return cut_along(table, knobs, node, work, split, -np.inf)


        @grower
        def grow_toysigns(table, knobs, first, trees, block, stop, yard):
            return grow_trees(toysigns, table, knobs, first, trees, block, stop, yard)
    ''',
    # recipe "A data set"
    "toy/data.py": '''
        import numpy as np

        from explorer.data.dataset import Dataset
        from explorer.data.entry import entry, samples, seed


        def toy_data(n: int = 60, seed: int = 0) -> Dataset:
            """Two classes on both sides of a line."""
            X = np.random.default_rng(seed).normal(size=(n, 2))
            y = (X[:, 0] + X[:, 1] > 0).astype(int)
            return Dataset(name="toy_data", title="Toy data", X=X, y=y, class_names=("a", "b"))


        ENTRIES = (entry(toy_data, "Toy data", "synthetic", "A line.", n=samples(), seed=seed()),)
    ''',
    # recipe "A page"
    "toy/page.py": """
        from explorer.app.pages.board import Board


        class ToyPage(Board):
            name, works = "Toy", ()

            def __init__(self, session):
                super().__init__(session)
                self.row, self.view = self.controls(), self.board()
                self.seen_forests = None
                self.start()

            def follow(self, forests):
                self.seen_forests = forests

            def restyle(self, look):
                pass

            def fault(self, sentence):
                raise AssertionError(sentence)

            def light_up(self, rows):
                pass
    """,
    # recipe "A study": a class in a folder of studies/
    "studies/toy_paper.py": """
        from explorer.studies.findings import Findings
        from explorer.studies.plan import Plan, Unit
        from explorer.studies.study import Claim, Study, sized


        def count(data, *, threads=None):
            return {"n": int(data.n_samples)}


        class ToyStudy(Study):
            name = "toy-fig1"
            caption, protocol = "How many samples there are.", "They are counted."
            scales = sized({"n": 20}, {"n": 60}, {"n": 60})

            def plan(self, settings, sources):
                data = sources.load("toy_data", n=settings["n"])
                return Plan((Unit("count", count, {}, ("toy",)),), {"toy": data})

            def gather(self, settings, plan, outputs):
                return Findings({"counts": [outputs["count"]]}, {})

            def draw(self, result, theme="light"):
                return {}

            def claims(self, result):
                n = result.table("counts")[0]["n"]
                return [Claim("There are samples.", "Fig. 1", n > 0, {"n": n})]
    """,
}
# one line in each list
LISTED = """
import sys
sys.path.insert(0, {folder!r})

import explorer.engine.kernels.directions as directions
from explorer.engine.kernels.directions import DIRECTIONS, LINEAR, Direction
directions.__path__.append({folder!r} + "/directions")
DIRECTIONS["toysigns"] = Direction("toysigns", LINEAR, least=2)
from explorer.engine import FAMILIES, ForestSpec
FAMILIES["Toy-signs"] = ForestSpec(split="toysigns", n_tree=5)

from explorer.data import listing
listing.SOURCES = (*listing.SOURCES, "toy.data")

import explorer.studies
from explorer.studies.contents import CONTENTS, StudyEntry
from explorer.studies.citations import MENZE
explorer.studies.__path__.append({folder!r} + "/studies")
CONTENTS["toy-fig1"] = StudyEntry(MENZE, "toy-fig1", "Fig. 1", "A toy study", "toy_paper:ToyStudy")

from explorer.app.state.page_list import ENTRIES, PageEntry
ENTRIES.append(PageEntry("Toy", "forests", "toy.page:ToyPage"))
"""
IN_THE_APP = """
import time
from explorer.app.layout.page import Pages
from explorer.app.layout.screen import Screen
from explorer.app.pages.controls import Controls
from explorer.app.session.session import Session
from explorer.app.work.cache import Cache
from explorer.app.work.scheduler import Scheduler

session = Session("data=toy_data&page=Toy&model=Toy-signs", None, Cache(), Scheduler(workers=1))
assert session.notices == [], session.notices
screen, controls = Screen(session), Controls(session)
pages = Pages(screen, controls)
session.refresh()
end = time.monotonic() + 300
while session.worker.busy:
    assert time.monotonic() < end
    time.sleep(0.02)
page = pages.more["Toy"]
assert "gone" not in page.view.css_classes
assert page.seen_forests.finished, page.seen_forests
assert page.seen_forests.grown[0].forest.spec.split == "toysigns"
assert "Toy" in controls.tabs.options
assert "toy_data" in screen.sidebar.others.values
assert "Toy-signs" in screen.sidebar.models.view[1][0][1].values
session.open_page("Papers")
assert "toy-fig1" in pages.more["Papers"].known
"""
ON_THE_COMMAND_LINE = """
from typer.testing import CliRunner
from explorer.cli import app

said = CliRunner().invoke(app, ["families"], env={"COLUMNS": "120"}).stdout
assert "Toy-signs" in said, said
said = CliRunner().invoke(app, ["study", "list"], env={"COLUMNS": "120"}).stdout
assert "toy-fig1" in said, said
from explorer.studies.listing import find
result = find("toy-fig1").run("tiny")
assert [claim.holds for claim in find("toy-fig1").claims(result)] == [True]
"""
IN_THE_ESTIMATOR = """
from explorer import ForestClassifier
from explorer.data import load

data = load("toy_data")
model = ForestClassifier(family="Toy-signs", n_estimators=5, random_state=0).fit(data.X, data.y)
assert model.score(data.X, data.y) > 0.8
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the four files of the toys."""
    root = tmp_path_factory.mktemp("toys")
    for name, source in TOYS.items():
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(source).lstrip(), encoding="utf-8")
    (root / "toy" / "__init__.py").touch()
    return root


@pytest.mark.parametrize(
    "look", [IN_THE_APP, ON_THE_COMMAND_LINE, IN_THE_ESTIMATOR], ids=["app", "cli", "estimator"]
)
def test_a_family_a_data_set_a_page_and_a_study_need_one_file_and_one_line_each(folder, look):
    code = LISTED.format(folder=str(folder)) + look
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr[-3000:]
