"""forest-explorer: the command line. Commands import what they need, so that it starts at once."""

import importlib
import importlib.util
import sys
from typing import Annotated

import typer

from . import __version__

app = typer.Typer(
    help="See what the splits of random forests and oblique random forests do, live.",
    epilog="Without a command, the app starts.",
    add_completion=False,
)

# what divides a node, in the words of the papers
_SPLITS = {
    "axis": "one feature",
    "thresholds": "one feature, random thresholds",
    "random": "random coefficients",
    "ridge": "ridge regression",
    "lda": "linear discriminant",
    "logistic": "logistic regression",
    "psvm": "proximal SVM",
    "sparse": "best random combination",
    "cap": "central axis projection",
    "perceptron": "perceptron",
    "mixed": "ridge or one feature",
}
_PAPERS = {
    "CART": "Menze s.3",
    "RF": "Menze, Tomita, Sazonau",
    "RF-rnd": "Menze s.3",
    "RF-thresholds": "Sazonau Alg. 2",
    "RF-C4.5": "Do",
    "oblique-tree": "Menze Fig. 4",
    "oRF-rnd": "Menze 4c",
    "oRF-lda": "Menze 4b",
    "oRF-ridge": "Menze 4a",
    "oRF-log": "Menze s.5",
    "F-RC": "Tomita s.2.4",
    "FRANK": "Tomita",
    "RR-RF": "Tomita",
    "RR-RF(r)": "Tomita",
    "RF-ODT": "Do s.2.3",
    "RDF-CAP": "Ho s.2-3",
    "RDF-PER": "Ho s.2-3",
    "oRF-mixed": "Menze's outlook",
    "F-RC-sparse": "Tomita's outlook",
}
_REFERENCES = (
    "Menze   On Oblique Random Forests (2011)",
    "Tomita  ROFLMAO: Robust Oblique Forests with Linear MAtrix Operations (2016)",
    "Do      Random forests of oblique decision trees (2010)",
    "Ho      Random Decision Forests (1995)",
    "Sazonau Implementation and Evaluation of a Random Forest (2012)",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"forest-explorer {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Say the version."),
    ] = False,
    port: Annotated[
        int, typer.Option(min=1, max=65535, help="Port of the app on this machine.")
    ] = 5006,
    show: Annotated[bool, typer.Option(help="Open the app in a browser.")] = True,
) -> None:
    if context.invoked_subcommand is not None:
        return
    module = _find_app()
    if module is None:
        _say(
            "The app is not there yet. Use explorer.engine or explorer.ForestClassifier in Python."
        )
        raise typer.Exit(2)
    importlib.import_module(module).serve(port=port, show=show)


@app.command()
def warm(
    families: Annotated[
        list[str] | None,
        typer.Argument(help="Families to compile for; all if none is named.", show_default=False),
    ] = None,
) -> None:
    """Compile every kernel now, so that no forest waits for it later.

    Compiled kernels are kept on disk. It takes a minute or two, once per version.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from .engine import warm as compile_all
    from .engine.kernels.jit import CACHE_DIR

    if CACHE_DIR is None:
        _say(
            "There is no folder to keep compiled kernels in. Set EXPLORER_CACHE_DIR to one that "
            "can be written."
        )
        raise typer.Exit(1)
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    # steps take many seconds: judge the speed by all of them
    bar = Progress(*columns, console=Console(stderr=True), speed_estimate_period=3600)
    try:
        with bar:
            task = bar.add_task("starting", total=None)
            compile_all(
                lambda done, total, what: bar.update(
                    task, completed=done, total=total, description=what
                ),
                families or None,
            )
    except KeyboardInterrupt:
        _say("Stopped. What is compiled so far is kept; run it again to go on.")
        raise typer.Exit(130) from None
    except ValueError as error:
        _say(str(error))
        raise typer.Exit(2) from None
    typer.echo(f"All is compiled and kept in {CACHE_DIR}.")


@app.command()
def families() -> None:
    """List the nineteen families: what divides a node, how many trees, from which paper."""
    from rich.console import Console
    from rich.table import Table

    from .engine import FAMILIES

    table = Table("family", "split", "trees", "paper", box=None, pad_edge=False)
    for column in table.columns:
        column.no_wrap = True
    table.columns[2].justify = "right"
    for name, spec in FAMILIES.items():
        split = _SPLITS.get(spec.split, spec.split)
        if spec.rotate:
            split += ", rotated"
        if spec.scaling != "none":
            split += f", on {spec.scaling}s"
        table.add_row(name, split, str(spec.n_tree), _PAPERS.get(name, ""))
    Console().print(table)
    typer.echo("\n" + "\n".join(_REFERENCES))


def _find_app() -> str | None:
    """Name of the module that serves the app, or None while there is none."""
    for module in ("explorer.app", "explorer.app.serve"):
        if importlib.util.find_spec(module) is None:
            return None
    return "explorer.app.serve"


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)


def main() -> None:
    app()
