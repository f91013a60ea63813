"""`forest-explorer table`: what is in a table, its missing cells, and a first cross-validation."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from .cli_open import complete_family

SHORT = {"rows": "drop rows", "columns": "drop columns", "fill": "fill"}


def table(
    file: Annotated[Path, typer.Argument(help="A table: CSV, Excel, Parquet, ARFF, MATLAB, ...")],
    label: Annotated[
        str | None, typer.Option(help="The column of classes; guessed if not given.")
    ] = None,
    missing: Annotated[
        str | None,
        typer.Option(
            help="What to do with empty cells: rows (drop their rows), columns (drop their "
            "columns), fill (the median of the training part of each fold).",
            show_default=False,
        ),
    ] = None,
    one_hot: Annotated[bool, typer.Option("--one-hot", help="0/1 columns for text.")] = False,
    family: Annotated[
        str, typer.Option(help="See `forest-explorer families`.", autocompletion=complete_family)
    ] = "oRF-mixed",
    trees: Annotated[int, typer.Option(min=1, help="Number of trees.")] = 100,
    folds: Annotated[int, typer.Option(min=2, max=100, help="Folds of cross-validation.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Another number draws other folds.")] = 0,
) -> None:
    """Look at a table, decide about its missing cells, and cross-validate a forest on it.

    Example: forest-explorer table heart.csv --label target --missing fill
    """
    from .analysis import Protocol, evaluate
    from .data import preview, read
    from .engine import FAMILIES

    if missing is not None and missing not in SHORT:
        _stop(f"--missing is '{missing}'; it can be rows, columns or fill.")
    if family not in FAMILIES:
        _stop(f"There is no family '{family}'; see `forest-explorer families`.")
    try:
        seen = preview(str(file))
        typer.echo(f"{file.name}: {seen.format}, {seen.n_rows} rows, {len(seen.columns)} columns.")
        if seen.missing is not None:
            typer.echo(seen.missing.words)
            if missing is None:
                typer.echo("Choose what to do with them:")
                shorts = {way: short for short, way in SHORT.items()}
                for words, way in seen.missing.offers.items():
                    typer.echo(f"  --missing {shorts[way]}: {words}")
                raise typer.Exit(1)
        data = read(
            str(file),
            label=label,
            one_hot=one_hot,
            impute=None if missing is None else SHORT[missing],
        )
        spec = FAMILIES[family].replace(n_tree=trees)
        found = evaluate(spec, data, Protocol("k-fold", folds=folds, seed=seed), trees=False)
    except (ValueError, OSError) as error:
        _stop(str(error))
    counts = ", ".join(
        f"{n} {name}" for n, name in zip(data.class_counts, data.class_names, strict=True)
    )
    typer.echo(f"{data.n_samples} samples ({counts}), {data.n_features} features.")
    for note in data.notes:
        typer.echo(f"- {note}")
    typer.echo(f"Error of {family}: {100 * found.error:.1f} % ({found.protocol}).")


def _stop(sentence: str) -> NoReturn:
    typer.echo(sentence, err=True)
    sys.stderr.flush()
    raise typer.Exit(2) from None
