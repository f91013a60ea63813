"""`forest-explorer data.csv` and `forest-explorer demo`: the app on a file, or on a lesson."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

DEMO = "stairs-and-slopes"
Port = Annotated[int, typer.Option(min=1, max=65535, help="Port of the app on this machine.")]
Show = Annotated[bool, typer.Option(help="Open the app in a browser.")]


class CommandsOrFile(TyperGroup):
    """Commands, and one more way: a file or folder in the place of a command is opened."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        first = args[0] if args else ""
        if first and self.get_command(ctx, first) is None and _looks_like_a_file(first):
            args = ["open", *args]
        return super().resolve_command(ctx, args)


def _looks_like_a_file(word: str) -> bool:
    """A path that exists, or a word that can only be meant as one: "data.csv", "folder/"."""
    return Path(word).exists() or any(mark in word for mark in (".", "/", "\\"))


def complete_family(incomplete: str) -> list[str]:
    """Names of families that begin as typed, for the shell."""
    from .engine import FAMILIES

    return [name for name in FAMILIES if name.lower().startswith(incomplete.lower())]


def open_file(
    file: Annotated[
        Path,
        typer.Argument(help="A table (CSV, Excel, Parquet, ...) or a folder of spectra."),
    ],
    label: Annotated[
        str | None,
        typer.Option(help="The column of classes; guessed if not given.", show_default=False),
    ] = None,
    one_hot: Annotated[bool, typer.Option("--one-hot", help="0/1 columns for text.")] = False,
    port: Port = 5006,
    show: Show = True,
) -> None:
    """Open the app on a table or a folder of spectra: the same as `forest-explorer FILE`.

    Example: forest-explorer open heart.csv --label target
    """
    from .data import FileRefused, read, read_spectra

    if not file.exists():
        _stop(f"There is no file or folder {str(file)!r}. Check the name, or see --help.")
    try:
        if file.is_dir():
            data = read_spectra(file).to_dataset()
        else:
            data = read(str(file), label=label, one_hot=one_hot)
    except (FileRefused, ValueError, OSError) as error:
        _stop(f"{file.name} could not be opened: {error}")
    typer.echo(
        f"{file.name}: {data.n_samples} samples, {data.n_features} features, "
        f"{data.n_classes} classes."
    )
    _serve(port, show, lent=data)


def demo(port: Port = 5006, show: Show = True) -> None:
    """Open the app with a lesson that shows what it is about, in five minutes."""
    _serve(port, show, link=f"lesson={DEMO}")


def _serve(port: int, show: bool, link: str = "", lent: Any = None) -> None:
    from .app.server.serve import serve

    try:
        serve(port=port, show=show, link=link, lent=lent)
    except ValueError as error:
        _stop(str(error))
    except OSError as error:
        _stop(f"Port {port} cannot be used ({error.strerror}). Choose another with --port.")


def _stop(sentence: str) -> NoReturn:
    print(sentence, file=sys.stderr)
    raise typer.Exit(2) from None
