"""`explore`: the whole app on one's own data, in a cell or a tab, and what was selected there.

    import explorer as fx
    seen = fx.explore(X, y)          # the app, in the cell
    seen.samples                     # rows that were selected with the lasso
    seen.models                      # the specs that were tuned
    seen.close()

The server is a process of its own, so that the app answers while a cell computes. It listens to
this machine only, opens the data only to those who have the link, and ends with this process.
"""

from __future__ import annotations

import atexit
import dataclasses
import json
import os
import pickle
import subprocess
import sys
import tempfile
import threading
from html import escape
from typing import Any
from urllib.parse import urlencode

import numpy as np
from numpy.typing import NDArray

from explorer.data import Dataset
from explorer.engine import FAMILIES, Forest, ForestSpec
from explorer.plot.inputs import as_dataset, dataset_of, family_of, spec_of

HEIGHT = 760  # pixels of the app in a cell
FIRST_MODELS = ("RF", "oRF-ridge")


@dataclasses.dataclass(frozen=True)
class Node:
    """A node that was chosen on the page Nodes: of which model, in which tree."""

    model: int
    tree: int
    node: int


class Exploration:
    """The app on one data set, and what its visitor selected, as Python objects.

    Shown in a notebook, it is the app itself. Every property asks the page as it is now; before
    a page is open, the properties give what the link says.
    """

    def __init__(
        self,
        data: Dataset,
        specs: tuple[ForestSpec, ...],
        page: str = "",
        height: int = HEIGHT,
        origin: str = "",
    ) -> None:
        self.dataset = data
        self.height = height
        self._specs = specs
        self._server = _server(origin)
        self._word = self._server.ask(what="lend", data=data)["word"]
        query = [("before", self._word), ("data", "own")]
        query += [("model", _in_link(spec)) for spec in specs]
        if page:
            query.append(("page", page))
        self._query = urlencode(query)

    @property
    def url(self) -> str:
        """Where the app is open; anybody on this machine who has it sees the data."""
        port = self._server.port
        base = f"http://127.0.0.1:{port}/"
        prefix = os.environ.get("JUPYTERHUB_SERVICE_PREFIX")
        if prefix:  # the browser is on another machine: by way of jupyter-server-proxy
            base = f"{prefix}proxy/{port}/"
        return f"{base}?{self._query}"

    def _repr_html_(self) -> str:
        """The app in the cell."""
        return (
            f'<iframe src="{escape(self.url)}" title="Forest Explorer" width="100%" '
            f'height="{self.height}" style="border:1px solid #8883;border-radius:8px" '
            'allow="clipboard-write"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Exploration({self.dataset!r}, {self.url})"

    def open(self) -> Exploration:
        """Open the app in a tab of the browser."""
        import webbrowser

        webbrowser.open(self.url)
        return self

    # ---- what was selected

    def _state(self) -> Any:
        """The state of the newest page on these data, read from its link; None if none is open."""
        from explorer.app.state import link
        from explorer.app.state.uploads import Upload
        from explorer.app.state.visitor import State

        told = self._server.ask(what="state", word=self._word)
        if not told["open"]:
            return None
        state = State()
        state.data.upload = Upload.of(self.dataset.name, self.dataset)
        link.read(told["link"], state)
        state.selection.rows = told["rows"]  # a link leaves out a long selection
        return state

    @property
    def is_open(self) -> bool:
        """Whether a page is open now."""
        return self._state() is not None

    @property
    def samples(self) -> NDArray[np.intp]:
        """Rows of the samples that are selected, ascending, intp[m]."""
        state = self._state()
        return np.array([] if state is None else state.selection.rows, np.intp)

    @property
    def selected(self) -> Dataset | None:
        """The selected samples as a data set, or None."""
        rows = self.samples
        return self.dataset.take(rows) if rows.size else None

    @property
    def data(self) -> Dataset:
        """The data that are shown: prepared, transformed and cut to bands as on the page."""
        state = self._state()
        if state is None:
            return self.dataset
        shown: Dataset = state.data.chosen_recipe().load()
        return shown

    @property
    def bands(self) -> list[tuple[bool, float, float]]:
        """Bands that were kept (True) or left out (False): (keep, from, to), in order."""
        state = self._state()
        return [] if state is None else [tuple(band) for band in state.data.bands]

    @property
    def band(self) -> tuple[float, float] | None:
        """The last band that was kept or left out, (from, to); None if there is none."""
        return self.bands[-1][1:] if self.bands else None

    @property
    def node(self) -> Node:
        """The node that is chosen on the page Nodes; node 0 of tree 0 is the first root."""
        state = self._state()
        if state is None:
            return Node(0, 0, 0)
        chosen = state.selection
        return Node(int(chosen.model), int(chosen.tree), int(chosen.node))

    @property
    def models(self) -> tuple[Any, ...]:
        """The recipe of every card, as it is tuned now: a ForestSpec, or a baseline's spec."""
        state = self._state()
        if state is None:
            return self._specs
        n = self.data.n_features
        return tuple(model.spec(n) for model in state.models.models)

    @property
    def link(self) -> str:
        """The state of the page as a link's query, to be opened again on the same data."""
        from explorer.app.state import link

        state = self._state()
        return self._query if state is None else link.write(state)

    def close(self) -> None:
        """Open the data to nobody any more. Pages that are open stay until they are closed."""
        self._server.ask(what="take back", word=self._word)


class Server:
    """The app's process: one for all explorations of this Python process."""

    def __init__(self, origin: str = "") -> None:
        self.origin = origin
        self._lock = threading.Lock()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (kept as long as the process)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "explorer.app.server.lent", *([origin] if origin else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )
        atexit.register(self.stop)
        self.port = int(self._answer()["port"])

    @property
    def runs(self) -> bool:
        return self._process.poll() is None

    def ask(self, **request: Any) -> dict[str, Any]:
        """One request and its answer."""
        with self._lock:
            assert self._process.stdin is not None
            try:
                pickle.dump(request, self._process.stdin)
                self._process.stdin.flush()
            except BrokenPipeError:
                raise RuntimeError(self._ended()) from None
            return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(self._ended())
        told: dict[str, Any] = json.loads(line)
        return told

    def _ended(self) -> str:
        self._log.seek(0)
        last = self._log.read().decode("utf-8", "replace").strip().splitlines()[-1:]
        return "The app's process has ended; call explore again. " + "".join(last)

    def stop(self) -> None:
        """End the process, by closing its pipe."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._log.close()
        atexit.unregister(self.stop)


_running: list[Server] = []
_starting = threading.Lock()


def _server(origin: str = "") -> Server:
    """The server that runs, or a new one; one for another origin takes its place."""
    with _starting:
        if _running and _running[0].runs and origin in ("", _running[0].origin):
            return _running[0]
        if _running and _running[0].runs:
            _running.pop().stop()
        _running[:] = [Server(origin)]
        return _running[0]


def stop() -> None:
    """Stop the app's process; `explore` starts another one."""
    with _starting:
        while _running:
            _running.pop().stop()


def explore(
    X: Any,
    y: Any = None,
    *,
    models: Any = None,
    page: str = "",
    height: int = HEIGHT,
    origin: str = "",
) -> Exploration:
    """Open the app on your own data.

    Parameters
    ----------
    X : Dataset, array-like, DataFrame, Forest or estimator
        A data set; a table of numbers (then y are its labels); or a forest or fitted estimator
        (then y are its data: a Dataset or a pair (X, y)).
    y : array-like, Dataset or (X, y), optional
        Labels, or the data of a forest.
    models : sequence of str or ForestSpec, optional
        Up to six families or specs to compare; RF and oRF-ridge by default, or the forest's own
        spec beside RF.
    page : str
        The page to begin with, such as "Nodes" or "Proximity".
    height : int
        Pixels of the app in a cell.
    origin : str
        On a hub: the address in the browser, such as "https://hub.example.org". The app is then
        reached through jupyter-server-proxy.

    Returns
    -------
    Exploration
        Shown in a cell it is the app; ``open()`` opens a tab. ``samples``, ``selected``,
        ``band``, ``node`` and ``models`` give what was selected.
    """
    forest = getattr(X, "forest_", X)
    if isinstance(forest, Forest):
        data = as_dataset(y)
        beside = FAMILIES["RF"].replace(n_tree=forest.n_tree, seed=forest.spec.seed)
        alone = family_of(forest.spec) == "RF"
        wanted = models or ([forest.spec] if alone else [beside, forest.spec])
    else:
        data = X if isinstance(X, Dataset) else dataset_of(X, y)
        wanted = models or FIRST_MODELS
    specs = tuple(_spec(one) for one in wanted)
    if not 1 <= len(specs) <= 6:
        raise ValueError(f"Up to six models are compared at once; there are {len(specs)}.")
    return Exploration(data, specs, page, height, origin)


def _spec(model: Any) -> ForestSpec:
    spec = spec_of(model)
    if spec is None:
        raise ValueError(f"{model!r} is not a family's name or a ForestSpec.")
    return spec


def _in_link(spec: ForestSpec) -> str:
    """A spec as the link writes a model: its family and the knobs that differ."""
    from explorer.app.state import link
    from explorer.app.state.visitor import ModelState

    model = ModelState(family=family_of(spec))
    base = model.base()
    for field in dataclasses.fields(ForestSpec):
        value = getattr(spec, field.name)
        if value != getattr(base, field.name):
            model.turn_knob(field.name, value)
    text: str = link.model_text(model)
    return text
