"""`forest-explorer read`, `fit` and `predict`: from a folder of spectra to an answer."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from .cli_open import complete_family

if TYPE_CHECKING:
    from .data import Chain
    from .data.measured import MeasuredSpectra

SHOWN = 20  # lines of a long list
Files = Annotated[list[Path], typer.Argument(help="Folders, zip archives or files of spectra.")]


def read_folder(
    files: Annotated[
        list[Path],
        typer.Argument(help="Folder, zip archive or files as instruments write them."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="Write one data set, .csv or .npz.", show_default=False),
    ] = None,
    classes: Annotated[
        str | None,
        typer.Option(
            help="Where classes come from: folder, name:TEMPLATE such as 'name:{class}_*', "
            "metadata:FIELD or table:FILE:COLUMN. The first proposal if not given.",
            show_default=False,
        ),
    ] = None,
    groups: Annotated[
        str | None,
        typer.Option(
            help="Where replicate groups come from: as above, or numbered, or file.",
            show_default=False,
        ),
    ] = None,
    unit: Annotated[
        str | None,
        typer.Option(help="Unit of the axis: cm-1, nm, um, eV.", show_default=False),
    ] = None,
    low: Annotated[
        float | None, typer.Option(help="First position of the axis.", show_default=False)
    ] = None,
    high: Annotated[
        float | None, typer.Option(help="Last position of the axis.", show_default=False)
    ] = None,
    step: Annotated[
        float | None, typer.Option(help="Step of the axis.", show_default=False)
    ] = None,
    spline: Annotated[
        bool, typer.Option("--spline", help="Interpolate by cubic splines, not lines.")
    ] = False,
    cut: Annotated[
        list[str] | None,
        typer.Option(help="Region to leave out, such as 2280:2400; several times for several."),
    ] = None,
) -> None:
    """Read spectra from instrument files; say what was read, what not, and why."""
    from .data import FileRefused, read_spectra
    from .data.measured.report import report
    from .data.measured.writing import write

    try:
        found = read_spectra(files[0] if len(files) == 1 else files)
        regions = [_region(text) for text in cut or ()]
        chosen = None
        if any(x is not None for x in (unit, low, high, step)) or spline or regions:
            method = "spline" if spline else "linear"
            chosen = found.propose_grid(unit, low, high, step, method, regions)
        for line in report(found, chosen):
            typer.echo(line)
        if out is not None:
            data = found.to_dataset(classes, groups, chosen)
            write(data, out)
            typer.echo("")
            typer.echo(
                f"Wrote {out}: {data.n_samples} spectra of {data.n_features} points, "
                f"{data.n_classes} classes."
            )
    except FileRefused as refusal:
        _stop(str(refusal), 2)
    except OSError as error:
        _stop(f"{out} could not be written ({error.strerror}).", 2)
    if not found.spectra:
        raise typer.Exit(1)


def _region(text: str) -> tuple[float, float]:
    from .data import FileRefused

    try:
        first, last = (float(part) for part in text.split(":"))
    except ValueError:
        raise FileRefused(f"--cut is {text!r}; write two numbers, such as 2280:2400.") from None
    return first, last


def fit(
    files: Files,
    model: Annotated[Path, typer.Option("--model", "-m", help="The model file (.npz) to write.")],
    family: Annotated[
        str, typer.Option(help="See `forest-explorer families`.", autocompletion=complete_family)
    ] = "oRF-ridge",
    trees: Annotated[int, typer.Option(min=1, help="Number of trees.")] = 300,
    classes: Annotated[
        str | None,
        typer.Option(
            help="Where classes come from: folder, name:TEMPLATE, metadata:FIELD or "
            "table:FILE:COLUMN; proposed if not given.",
            show_default=False,
        ),
    ] = None,
    groups: Annotated[
        str | None,
        typer.Option(
            help="Where replicate groups come from, in the same ways.", show_default=False
        ),
    ] = None,
    prepare: Annotated[
        str,
        typer.Option(
            help="Preparation steps, e.g. 'baseline:method=linear,snv,derivative:order=1'."
        ),
    ] = "",
    seed: Annotated[
        int, typer.Option(min=0, help="Seed of the random numbers: another one grows other trees.")
    ] = 0,
) -> None:
    """Grow a forest on spectra from instrument files and save it with its preparation.

    Example: forest-explorer fit coffee/ --model coffee.npz --prepare snv,derivative:order=1
    """
    from .analysis import FittedModel
    from .engine import FAMILIES

    try:
        spec = FAMILIES[family].replace(n_tree=trees, seed=seed)
        chain = parse_chain(prepare)
        measured = _read(files)
        dataset = measured.to_dataset(classes, groups)
        fitted = FittedModel.fit(spec, dataset, chain, name=family)
        fitted.save(model)
    except KeyError as error:
        _stop(f"There is no family {error}; see `forest-explorer families`.")
    except (ValueError, OSError) as error:
        _stop(str(error))
    counts = ", ".join(
        f"{n} {name}" for n, name in zip(dataset.class_counts, dataset.class_names, strict=True)
    )
    _list_not_read(measured.not_read)
    typer.echo(f"{dataset.n_samples} spectra ({counts}), {dataset.n_features} channels.")
    for note in dataset.notes:
        typer.echo(f"- {note}")
    if fitted.forest.has_oob:
        typer.echo(f"Out-of-bag error: {100 * fitted.forest.oob_error[-1]:.1f} %")
    typer.echo(f"Model written to {model}.")


def predict(
    model: Annotated[Path, typer.Argument(help="A model file that `forest-explorer fit` wrote.")],
    files: Files,
    csv: Annotated[
        Path | None, typer.Option(help="Write the whole table here.", show_default=False)
    ] = None,
    confidence: Annotated[
        float, typer.Option(min=0.5, max=0.999, help="Confidence of the class sets.")
    ] = 0.95,
) -> None:
    """Judge spectra measured later: class, votes, class set, and what is unlike anything seen.

    Example: forest-explorer predict coffee.npz new/ --csv answers.csv
    """
    from .analysis import FittedModel
    from .data.csv_cells import to_csv

    try:
        loaded = FittedModel.load(model)
        found, left_out, notes = loaded.judge_spectra(_read(files), confidence=confidence)
    except FileNotFoundError as error:
        _stop(f"There is no file {error.filename}.")
    except (ValueError, OSError) as error:
        _stop(str(error))
    _list_not_read(left_out)
    for note in notes:
        typer.echo(f"- {note}", err=True)
    frame = found.to_frame()
    if csv is not None:
        csv.write_text(to_csv(frame), encoding="utf-8")
    first = frame.iloc[:, :5]
    typer.echo(first.head(SHOWN).to_string(index=False, float_format=lambda v: f"{v:.2f}"))
    if len(frame) > SHOWN:
        typer.echo(f"... {len(frame) - SHOWN} more; --csv FILE writes all of them.")
    if csv is not None:
        typer.echo(f"{len(frame)} rows written to {csv}.")


def parse_chain(text: str) -> Chain:
    """'snv,derivative:order=1:window=9' as a chain; a ValueError says what is wrong."""
    from .data import Chain

    steps: list[tuple[str, dict[str, Any]]] = []
    for part in filter(None, (p.strip() for p in text.split(","))):
        name, *knobs = part.split(":")
        found: dict[str, Any] = {}
        for one in knobs:
            key, equals, value = one.partition("=")
            if not equals:
                raise ValueError(f"'{one}' in step '{name}' must be written as knob=value.")
            found[key.strip()] = _value(value.strip())
        steps.append((name.strip(), found))
    return Chain.of(*steps)


def _value(text: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return float(text)
    except ValueError:
        return text


def _read(files: list[Path]) -> MeasuredSpectra:
    from .data import read_spectra

    missing = [path for path in files if not path.exists()]
    if missing:
        raise ValueError(f"There is no file or folder {missing[0]}.")
    return read_spectra(files[0] if len(files) == 1 else [str(path) for path in files])


def _list_not_read(not_read: Any) -> None:
    for one in not_read[:SHOWN]:
        typer.echo(f"Not read: {one.file}: {one.reason}", err=True)
    if len(not_read) > SHOWN:
        typer.echo(f"... and {len(not_read) - SHOWN} more files that were not read.", err=True)


def _stop(sentence: str, code: int = 2) -> NoReturn:
    typer.echo(sentence, err=True)
    sys.stderr.flush()
    raise typer.Exit(code) from None
