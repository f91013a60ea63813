"""`forest-explorer image`: from an image with labelled pixels to maps of classes and votes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from .cli_open import complete_family

if TYPE_CHECKING:
    from .analysis import ClassMap


def image(
    cube: Annotated[
        Path, typer.Argument(help="An image: ENVI header or data, Renishaw map, imzML, ...")
    ],
    labels: Annotated[
        Path,
        typer.Option(
            help="Labelled pixels: a table with line, sample and class, an .npy array (0 is no "
            "label), or an ENVI classification."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="Write MAP.hdr with its data, and the votes.", show_default=False),
    ] = None,
    family: Annotated[
        str, typer.Option(help="See `forest-explorer families`.", autocompletion=complete_family)
    ] = "oRF-ridge",
    trees: Annotated[int, typer.Option(min=1, help="Number of trees.")] = 100,
    prepare: Annotated[
        str, typer.Option(help="Preparation steps, e.g. 'snv,derivative:order=1'.")
    ] = "",
    seed: Annotated[
        int, typer.Option(min=0, help="Seed of the random numbers: another one grows other trees.")
    ] = 0,
) -> None:
    """Grow a forest on labelled pixels and predict every pixel of an image.

    Example: forest-explorer image field.hdr --labels labels.csv --out map.hdr
    """
    from .analysis import FittedModel, class_map
    from .cli_spectra import parse_chain
    from .data import read_cube, read_labels
    from .engine import FAMILIES

    if family not in FAMILIES:
        _stop(f"There is no family '{family}'; see `forest-explorer families`.")
    if out is not None and out.suffix.lower() != ".hdr":
        _stop(f"--out is '{out}'; its name must end in .hdr.")
    try:
        chain = parse_chain(prepare)
        found = read_cube(cube)
        codes, names = read_labels(labels, found)
        data = found.labelled(codes, names)
        typer.echo(
            f"{found.name}: {found.lines} x {found.samples} pixels, {found.bands} bands; "
            f"{data.n_samples} labelled pixels of {data.n_classes} classes."
        )
        spec = FAMILIES[family].replace(n_tree=trees, seed=seed)
        model = FittedModel.fit(spec, data, chain, name=family)
        if model.forest.has_oob:
            typer.echo(
                f"Out-of-bag error on the labelled pixels: {100 * model.forest.oob_error[-1]:.1f} %"
                " (neighbours are alike: elsewhere it is larger)"
            )
        maps = class_map(model, found, progress=_progress)
        if sys.stderr.isatty():
            typer.echo("", err=True)
        if out is not None:
            write_map(maps, out)
    except (ValueError, OSError) as error:
        _stop(str(error))
    for name, count in maps.counts.items():
        typer.echo(f"{name}: {count} pixels ({100 * count / found.n_pixels:.1f} %)")
    if out is not None:
        typer.echo(f"Wrote {out} and {_votes(out)}.")


def write_map(maps: ClassMap, out: Path) -> None:
    """The classes as an ENVI classification (0 is no data) and the votes as an ENVI image."""
    lines, samples = maps.codes.shape
    shape = f"samples = {samples}\nlines = {lines}\nheader offset = 0\nbyte order = 0\n"
    safe = [name.translate(str.maketrans("{},\n", "()  ")) for name in maps.class_names]
    listed = ", ".join(["Unclassified", *safe])
    out.with_suffix(".dat").write_bytes((maps.codes + 1).astype("<i2").tobytes())
    out.write_text(
        f"ENVI\n{shape}bands = 1\ndata type = 2\ninterleave = bsq\nfile type = ENVI "
        f"Classification\nclasses = {len(safe) + 1}\nclass names = {{{listed}}}\n",
        encoding="utf-8",
    )
    votes = _votes(out)
    votes.with_suffix(".dat").write_bytes(maps.votes.astype("<f4").tobytes())
    votes.write_text(
        f"ENVI\n{shape}bands = {len(safe)}\ndata type = 4\ninterleave = bip\nfile type = ENVI "
        f"Standard\nband names = {{{', '.join(safe)}}}\n",
        encoding="utf-8",
    )


def _votes(out: Path) -> Path:
    return out.with_name(f"{out.stem}-votes.hdr")


def _progress(done: int, wanted: int, what: str) -> None:
    if sys.stderr.isatty():
        typer.echo(f"\r{what}: {done} of {wanted}", nl=False, err=True)


def _stop(sentence: str) -> NoReturn:
    typer.echo(sentence, err=True)
    sys.stderr.flush()
    raise typer.Exit(2) from None
