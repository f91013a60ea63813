"""The libraries that benchmarks/engine.py compares with, each with its best setting.

Every peer grows the same number of trees to full depth on the same rows, with the same number of
features per node. It gets the data in the form that it reads fastest (float32; contiguous columns
for YDF), prepared before the clock starts. treeple needs an older scikit-learn, so it runs in an
environment and a process of its own (treeple_apart.py).
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import platformdirs

TREEPLE = ("treeple>=0.10,<0.11", "scikit-learn>=1.6,<1.7")


class SklearnForest:
    """RandomForestClassifier or ExtraTreesClassifier."""

    def __init__(self, kind, X, y, trees, threads, m_try="sqrt", rows=None):
        from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

        self.kind = {"RF": RandomForestClassifier, "ExtraTrees": ExtraTreesClassifier}[kind]
        self.options = {"n_estimators": trees, "max_features": m_try, "n_jobs": threads}
        self.X, self.y = np.ascontiguousarray(X, np.float32), y
        self.rows = None if rows is None else np.ascontiguousarray(rows, np.float32)
        self.model = None

    def fit(self):
        self.model = self.kind(**self.options, random_state=0).fit(self.X, self.y)

    def predict(self):
        return self.model.predict_proba(self.rows)


class YdfForest:
    """YDF's random forest; ``oblique`` for its sparse oblique splits."""

    def __init__(self, X, y, trees, threads, oblique=False, ratio=None, rows=None):
        import ydf

        ydf.verbose(0)
        options = {"split_axis": "SPARSE_OBLIQUE"} if oblique else {}
        if ratio is not None:
            options["num_candidate_attributes_ratio"] = ratio
        self.learner = ydf.RandomForestLearner(
            label="y",
            num_trees=trees,
            num_threads=threads,
            max_depth=-1,
            min_examples=1,
            compute_oob_performances=False,
            **options,
        )
        self.data = _columns(X) | {"y": y}
        self.rows = None if rows is None else _columns(rows)
        self.threads = threads
        self.model = None

    def fit(self):
        self.model = self.learner.train(self.data, verbose=0)

    def predict(self):
        return self.model.predict(self.rows, num_threads=self.threads)


def _columns(X):
    return {f"x{j}": np.ascontiguousarray(X[:, j], np.float32) for j in range(X.shape[1])}


def treeple_python(folder=None):
    """(Python of an environment with treeple, None), or (None, why there is none).

    folder: where the environment is; None is the user's cache folder. It is made if it is missing.
    """
    folder = Path(folder or platformdirs.user_cache_path("forest-explorer") / "treeple")
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    commands = [[python, "-c", "import treeple"]]
    if not python.exists():
        commands = [
            [sys.executable, "-m", "venv", folder],
            [python, "-m", "pip", "install", "--quiet", *TREEPLE],
            *commands,
        ]
    for command in commands:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            return None, f"treeple is left out: it could not be installed or imported ({last})."
    return python, None


class TreepleForest:
    """treeple's oblique forest in a process of its own, which reports the times it measured."""

    def __init__(self, python, X, y, rows, options):
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / "data.npz"
        codes = np.unique(y, return_inverse=True)[1]
        np.savez(path, X=X.astype(np.float32), y=codes, rows=rows.astype(np.float32))
        script = Path(__file__).with_name("treeple_apart.py")
        self.child = subprocess.Popen(
            [str(python), str(script), str(path), json.dumps(options)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, what):
        """(seconds, seconds of processor) of one call."""
        print(what, file=self.child.stdin, flush=True)
        return tuple(json.loads(self.child.stdout.readline()))

    def close(self):
        self.child.stdin.close()
        self.child.wait()
        self.folder.cleanup()
