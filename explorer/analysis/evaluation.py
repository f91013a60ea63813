"""`Evaluation`: how well a model does on samples it has not seen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support

from explorer.analysis.model import (
    Progress,
    check_features,
    check_training,
    class_columns,
    derived_seed,
    fit,
    spread,
    stop_if,
)
from explorer.analysis.protocols import Protocol
from explorer.analysis.record import Record
from explorer.analysis.scores import auc, class_aucs, error_by_trees, interval, tree_depths
from explorer.data import Chain, Dataset, FittedChain
from explorer.engine import FAMILIES, Forest, ForestSpec

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Evaluation(Record):
    """A model tried out on a data set under a protocol.

    Test predictions, one after the other (N in all): row, repeat, run: intp[N]; y: intp[N];
    posterior: float64[N, K]; predicted: intp[N].
    Per run (R fits): run_repeat: intp[R]; run_error: float64[R]; fit_seconds: float64[R];
        nodes, depth: float64[R], means over trees (NaN for a baseline); test_ratio: float64[R],
        test samples over training samples.
    Per repeat: repeat_error, repeat_auc: float64[repeats], from all test samples of the repeat
        together (Menze s.3).
    error, auc: their means; error_low, error_high, auc_low, auc_high: 95 % intervals (Student's
        t) over repeats, or for the error of a single repeat over its runs; NaN with one of them.
    Per class: precision, recall, f1, class_auc: float64[K] (one against the rest; 0 where
        nothing was predicted, NaN for the AUC of an absent class); confusion: intp[K, K], true
        class by rows. All from all test predictions together.
    by_trees: float64[R, n_tree], test error after 1, 2, ... trees; None for a baseline.
    """

    model: str
    dataset: str
    protocol: str
    class_names: tuple[str, ...]
    row: Ints
    repeat: Ints
    run: Ints
    y: Ints
    posterior: Floats
    predicted: Ints
    run_repeat: Ints
    run_error: Floats
    fit_seconds: Floats
    nodes: Floats
    depth: Floats
    test_ratio: Floats
    repeat_error: Floats
    repeat_auc: Floats
    error: float
    error_low: float
    error_high: float
    auc: float
    auc_low: float
    auc_high: float
    precision: Floats
    recall: Floats
    f1: Floats
    class_auc: Floats
    confusion: Ints
    by_trees: Floats | None = None

    @property
    def accuracy(self) -> float:
        return 1.0 - self.error

    def to_frame(self) -> pandas.DataFrame:
        """One row per run."""
        import pandas

        return pandas.DataFrame(
            {
                "model": self.model,
                "dataset": self.dataset,
                "repeat": self.run_repeat,
                "error": self.run_error,
                "fit seconds": self.fit_seconds,
                "nodes per tree": self.nodes,
                "depth": self.depth,
            }
        )

    def class_frame(self) -> pandas.DataFrame:
        """One row per class."""
        import pandas

        return pandas.DataFrame(
            {
                "class": list(self.class_names),
                "precision": self.precision,
                "recall": self.recall,
                "f1": self.f1,
                "auc": self.class_auc,
            }
        )

    def prediction_frame(self) -> pandas.DataFrame:
        """One row per test prediction."""
        import pandas

        table: dict[str, Any] = {"row": self.row, "repeat": self.repeat, "run": self.run}
        table["true"] = [self.class_names[k] for k in self.y]
        table["predicted"] = [self.class_names[k] for k in self.predicted]
        for k, name in enumerate(self.class_names):
            table[f"P({name})"] = self.posterior[:, k]
        return pandas.DataFrame(table)

    def tree_frame(self) -> pandas.DataFrame:
        """Error by number of trees, odd or even: mean and 95 % interval over runs.

        (Sazonau Fig. 1.)
        """
        import pandas

        if self.by_trees is None:
            raise ValueError(f"{self.model} has no trees to count.")
        trees = np.arange(1, self.by_trees.shape[1] + 1)
        mean, low, high = np.array([interval(column) for column in self.by_trees.T]).T
        parity = np.where(trees % 2, "odd", "even")
        return pandas.DataFrame(
            {"trees": trees, "error": mean, "low": low, "high": high, "parity": parity}
        )


def name_of(recipe: Any) -> str:
    """What to call a recipe: a family's or baseline's name, or the split."""
    if isinstance(recipe, ForestSpec):
        for name, spec in FAMILIES.items():
            if recipe.replace(n_tree=spec.n_tree, seed=spec.seed) == spec:
                return name
        return f"{recipe.split} forest"
    return str(getattr(recipe, "name", type(recipe).__name__))


def evaluate(
    recipe: Any,
    dataset: Dataset,
    protocol: Protocol | None = None,
    *,
    test: Dataset | None = None,
    name: str | None = None,
    trees: bool = True,
    prepare: Chain | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    cancel: Any = None,
) -> Evaluation:
    """Fit a recipe again and again and see how it does on samples it has not seen.

    recipe: a ForestSpec or a baseline. protocol: ten-fold cross-validation by default. test: a
    test set of its own; then ``dataset`` trains, ``protocol.repeats`` times with other seeds.
    trees: whether to follow the error by number of trees. prepare: preparation steps of spectra;
    what they learn (a reference spectrum) is learned from the training part of each run alone.
    Everything but the seconds is determined by the recipe, the data and the protocol's seed.
    """
    steps = evaluation_steps(
        recipe,
        dataset,
        protocol,
        test=test,
        name=name,
        trees=trees,
        prepare=prepare,
        threads=threads,
        cancel=cancel,
    )
    for step in steps:
        done, wanted, record = step
        if progress is not None:
            progress(done, wanted, "evaluating")
    stop_if(cancel)
    return record()


def evaluation_steps(
    recipe: Any,
    dataset: Dataset,
    protocol: Protocol | None = None,
    *,
    test: Dataset | None = None,
    name: str | None = None,
    trees: bool = True,
    prepare: Chain | None = None,
    threads: int | None = None,
    cancel: Any = None,
) -> Iterator[tuple[int, int, Callable[[], Evaluation]]]:
    """`evaluate`, one run at a time: (runs done, runs wanted, the record of the runs so far)."""
    protocol = Protocol() if protocol is None else protocol
    runs, words = planned_runs(recipe, dataset, protocol, test=test, name=name)
    log = RunLog(recipe, dataset, test, trees, prepare, protocol.grouped)
    called = name or name_of(recipe)
    for number in range(len(runs)):
        log.run(number, runs[number], protocol.seed, threads, cancel)
        yield number + 1, len(runs), lambda: log.record(called, words)


class Run(NamedTuple):
    """One fit: rows that train it and rows that test it, intp each; None for out-of-bag votes."""

    repeat: int
    train: Ints | None
    held: Ints | None


def planned_runs(
    recipe: Any,
    dataset: Dataset,
    protocol: Protocol,
    *,
    test: Dataset | None = None,
    name: str | None = None,
) -> tuple[list[Run], str]:
    """The fits that a protocol asks for, in order, and the protocol in words."""
    if test is not None:
        words = "a test set of its own"
        words += f", {protocol.repeats} times" if protocol.repeats > 1 else ""
        return _fixed(dataset, test, protocol), words
    if protocol.kind == "oob":
        if not isinstance(recipe, ForestSpec) or recipe.bootstrap == "none":
            raise ValueError(
                f"{name or name_of(recipe)} leaves no samples out of a bag; use cross-validation."
            )
        runs = [Run(repeat, None, None) for repeat in range(protocol.repeats)]
    else:
        runs = [Run(s.repeat, s.train, s.test) for s in protocol.splits(dataset)]
    return runs, protocol.label(dataset)


def out_of_bag(
    forest: Forest, dataset: Dataset, *, seconds: float = np.nan, name: str | None = None
) -> Evaluation:
    """The evaluation of a forest that is grown already, by its own out-of-bag votes."""
    called = name or name_of(forest.spec)
    check_training(forest, dataset)
    if not forest.has_oob:
        raise ValueError(f"{called} leaves no samples out of a bag; use cross-validation.")
    log = RunLog(forest.spec, dataset)
    log.add(forest, 0, Run(0, None, None), seconds, None)
    grouped = forest.training.groups is not None
    return log.record(called, Protocol("oob", grouped=grouped).label(dataset))


def _fixed(dataset: Dataset, test: Dataset, protocol: Protocol) -> list[Run]:
    check_same_classes(dataset, test)
    everything, held = np.arange(dataset.n_samples), np.arange(test.n_samples)
    return [Run(repeat, everything, held) for repeat in range(protocol.repeats)]


def check_same_classes(dataset: Dataset, test: Dataset) -> None:
    if test.n_features != dataset.n_features or test.class_names != dataset.class_names:
        raise ValueError(
            f"Test set '{test.name}' has other features or classes than data set '{dataset.name}'."
        )


class RunLog:
    """Collects runs and turns them into a record.

    Runs may be made apart (in other processes): ``part`` is what was noted as plain values, and
    ``join`` takes it up; parts must be joined in the order of their runs. prepare: a chain that
    is fitted on the training part of every run. grouped: heed the data set's groups.
    """

    def __init__(
        self,
        recipe: Any,
        dataset: Dataset,
        test: Dataset | None = None,
        trees: bool = True,
        prepare: Chain | None = None,
        grouped: bool = True,
    ) -> None:
        self.recipe, self.dataset, self.trees = recipe, dataset, trees
        if dataset.gaps is not None:  # missing values are filled from each training part
            prepare = (prepare or Chain()).for_data(dataset)
        self.prepare, self.grouped = prepare, grouped
        self.tested = dataset if test is None else test
        self.parts: list[tuple[Ints, int, int, Ints, Floats]] = []
        self.runs: list[tuple[int, float, float, float, float, float]] = []
        self.curves: list[Floats] = []

    def run(self, number: int, run: Run, seed: int, threads: int | None, cancel: Any) -> None:
        """Fit run ``number`` of a protocol of that seed, and note how the model does."""
        stop_if(cancel)
        data, train = self.dataset, run.train
        X, y = (data.X, data.y) if train is None else (data.X[train], data.y[train])
        fitted = None
        if self.prepare is not None:
            part = data if train is None else data.take(train)
            fitted = self.prepare.fit(part)
            X = fitted.map(data.raw if train is None else data.raw[train])
        seed = derived_seed(seed, 1 + number)
        before = time.perf_counter()
        groups = data.groups if self.grouped else None
        if groups is not None and train is not None:
            groups = groups[train]
        model = fit(self.recipe, X, y, groups=groups, seed=seed, threads=threads, cancel=cancel)
        self.add(model, number, run, time.perf_counter() - before, threads, fitted)

    def part(self) -> dict[str, Any]:
        """All that was noted, as lists and arrays."""
        return {"parts": self.parts, "seconds and shape": self.runs, "curves": self.curves}

    def join(self, part: dict[str, Any]) -> None:
        """Take up what another log noted."""
        self.parts += [tuple(p) for p in part["parts"]]
        self.runs += [tuple(r) for r in part["seconds and shape"]]
        self.curves += part["curves"]

    def add(
        self,
        model: Any,
        number: int,
        run: Run,
        seconds: float,
        threads: int | None,
        fitted: FittedChain | None = None,
    ) -> None:
        """Note how a fitted model does on what was held out; out of bag without a training part.

        fitted: the preparation of the rows that the model was fitted on.
        """
        data, tested = self.dataset, self.tested
        repeat, train, held = run
        trained = data.n_samples if train is None else len(train)
        if fitted is None:
            check_features(model, data)
        columns = class_columns(model, data)
        if held is None:
            posterior = model.oob_proba
            held = np.flatnonzero(np.isfinite(posterior[:, 0]))
            posterior = posterior[held]
        else:
            rows = tested.X[held] if fitted is None else fitted.map(tested.raw[held])
            posterior = model.predict_proba(rows)
        posterior = spread(posterior, columns, data.n_classes)
        truth = tested.y[held]
        error = float((posterior.argmax(axis=1) != truth).mean()) if held.size else np.nan
        nodes, depth = np.nan, np.nan
        if isinstance(model, Forest):
            nodes = model.feature.size / model.n_tree
            depth = float(tree_depths(model).mean())
            if self.trees:
                if train is None:
                    self.curves.append(model.oob_error)
                else:
                    self.curves.append(error_by_trees(model, rows, truth, threads=threads))
        self.parts.append((held, repeat, number, truth, posterior))
        self.runs.append((repeat, error, seconds, nodes, depth, held.size / trained))

    def record(self, name: str, words: str) -> Evaluation:
        row, y, posterior = (np.concatenate([p[k] for p in self.parts]) for k in (0, 3, 4))
        sizes = [p[0].size for p in self.parts]
        repeat = np.repeat([p[1] for p in self.parts], sizes)
        run = np.repeat([p[2] for p in self.parts], sizes)
        predicted = posterior.argmax(axis=1)
        run_repeat, run_error, seconds, nodes, depth, share = map(
            np.array, zip(*self.runs, strict=True)
        )
        repeats = np.unique(repeat)
        wrong = predicted != y
        repeat_error = np.array([wrong[repeat == r].mean() for r in repeats])
        repeat_auc = np.array([auc(y[repeat == r], posterior[repeat == r]) for r in repeats])
        over = repeat_error if repeats.size > 1 else run_error
        _, error_low, error_high = interval(over)
        auc_mean, auc_low, auc_high = interval(repeat_auc)
        K = self.dataset.n_classes
        precision, recall, f1, _ = precision_recall_fscore_support(
            y, predicted, labels=np.arange(K), zero_division=0.0
        )
        return Evaluation(
            name,
            self.dataset.name,
            words,
            self.dataset.class_names,
            row,
            repeat,
            run,
            y,
            posterior,
            predicted,
            run_repeat.astype(np.intp),
            run_error,
            seconds,
            nodes,
            depth,
            share,
            repeat_error,
            repeat_auc,
            float(repeat_error.mean()),
            error_low,
            error_high,
            auc_mean,
            auc_low,
            auc_high,
            np.asarray(precision),
            np.asarray(recall),
            np.asarray(f1),
            class_aucs(y, posterior),
            confusion_matrix(y, predicted, labels=np.arange(K)).astype(np.intp),
            np.array(self.curves) if self.curves else None,
        )
