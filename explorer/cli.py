"""forest-explorer: the command line. Commands import what they need, so that it starts at once."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from . import __version__, cli_image, cli_open, cli_spectra, cli_tables

EPILOG = """Without a command, the app starts.

**Examples**

- `forest-explorer` opens the app in the browser
- `forest-explorer demo` opens it with a first lesson
- `forest-explorer heart.csv --label target` opens it on a table
- `forest-explorer spectra/` opens it on a folder of instrument files
- `forest-explorer table heart.csv` cross-validates a forest on a table
- `forest-explorer fit spectra/ -m coffee.npz` keeps a model of spectra
- `forest-explorer predict new/ -m coffee.npz` judges unknown spectra
- `forest-explorer study run menze-fig2` runs a figure of a paper again

**Exit codes**: 0 done; 1 done in part, or nothing to do; 2 a wrong option, or a file that cannot be
used; 130 stopped with Ctrl-C.

`forest-explorer --install-completion` completes commands, options and families in your shell.
Colours are left out when the output is piped, or with NO_COLOR=1.
"""
app = typer.Typer(
    help="See what the splits of random forests and oblique random forests do, live.",
    epilog=EPILOG,
    cls=cli_open.CommandsOrFile,
    rich_markup_mode="markdown",
)
study = typer.Typer(help="Figures and tables of the five papers, run again.", no_args_is_help=True)
app.add_typer(study, name="study")
app.command("read")(cli_spectra.read_folder)
app.command()(cli_tables.table)
app.command()(cli_image.image)
app.command()(cli_spectra.fit)
app.command()(cli_spectra.predict)
app.command("open")(cli_open.open_file)
app.command()(cli_open.demo)

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
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
    port: Annotated[
        int, typer.Option(min=1, max=65535, help="Port of the app on this machine.")
    ] = 5006,
    show: Annotated[bool, typer.Option(help="Open the app in a browser.")] = True,
    public: Annotated[
        bool, typer.Option("--public", help="Let other machines in; requires --origin.")
    ] = False,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            help="Address under which browsers see it, such as class.example.org:5006; "
            "several times for several names.",
            show_default=False,
        ),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(help="Network address to listen to, instead of all.", show_default=False),
    ] = None,
    password: Annotated[
        str | None,
        typer.Option(
            help="One password for all visitors.",
            envvar="FOREST_EXPLORER_PASSWORD",
            show_default=False,
        ),
    ] = None,
    basic_auth: Annotated[
        str | None,
        typer.Option(help="A JSON file of names and passwords.", show_default=False),
    ] = None,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="Trust X-Forwarded-* headers from a proxy.")
    ] = False,
    proxy_address: Annotated[
        list[str] | None,
        typer.Option(
            help="IP address of the proxy, if it is not on this machine; may be repeated.",
            show_default=False,
        ),
    ] = None,
    max_sessions: Annotated[int, typer.Option(min=1, help="Visitors at a time.")] = 100,
    max_connections: Annotated[
        int | None,
        typer.Option(
            min=20,
            help="Connections at a time, half of them from one address; 16 per visitor if not "
            "said, at least 200.",
            show_default=False,
        ),
    ] = None,
    cache_size: Annotated[
        int, typer.Option(min=0, help="MB of finished forests and maps that are kept.")
    ] = 512,
    memory: Annotated[
        int | None,
        typer.Option(
            min=256,
            help="MB that growing forests may need together; half of the machine's if not said.",
            show_default=False,
        ),
    ] = None,
    ready: Annotated[
        int, typer.Option(min=0, max=500, help="Pages kept ready for those who come.")
    ] = 30,
    log_fits: Annotated[
        bool, typer.Option("--log-fits", help="Write a line of JSON for every request.")
    ] = False,
    frame: Annotated[
        list[str] | None,
        typer.Option(
            help="Origin whose pages may show the app in a frame, such as "
            "https://school.example.org; may be repeated.",
            show_default=False,
        ),
    ] = None,
    lessons: Annotated[
        Path | None,
        typer.Option(help="Folder of your own lessons, beside those of the app.", metavar="DIR"),
    ] = None,
) -> None:
    if lessons is not None:
        if not lessons.is_dir():
            _say(f"There is no folder {str(lessons)!r}. Make it, or name another with --lessons.")
            raise typer.Exit(2)
        os.environ["EXPLORER_LESSONS"] = str(lessons.resolve())
    if context.invoked_subcommand is not None:
        return
    from .app.server.serve import serve

    try:
        serve(
            port=port,
            show=show,
            public=public,
            origins=tuple(origin or ()),
            address=address,
            password=password,
            basic_auth=basic_auth,
            behind_proxy=behind_proxy,
            proxies=tuple(proxy_address or ()),
            max_connections=max_connections,
            max_sessions=max_sessions,
            cache_bytes=cache_size << 20,
            memory_bytes=None if memory is None else memory << 20,
            log_fits=log_fits,
            ready=ready,
            frames=tuple(frame or ()),
        )
    except ValueError as error:  # asked for what cannot be, or would open too much
        _say(str(error))
        raise typer.Exit(2) from None
    except OSError as error:
        _say(f"Port {port} cannot be used ({error.strerror}). Choose another with --port.")
        raise typer.Exit(2) from None


@app.command()
def window(
    link: Annotated[
        str, typer.Argument(help="A link of the app to begin with.", show_default=False)
    ] = "",
) -> None:
    """Open the app in a window of its own; closing it ends everything.

    Chromium, Chrome or Edge show it where there is one, else pywebview does.
    """
    from .app.server.desktop_window import NoWindow, open_window

    try:
        open_window(link)
    except NoWindow as why:
        _say(str(why))
        raise typer.Exit(1) from None


@app.command()
def warm(
    families: Annotated[
        list[str] | None,
        typer.Argument(
            help="Families to compile for; all if none is named.",
            show_default=False,
            autocompletion=cli_open.complete_family,
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Exit with 1 if anything was not compiled yet."),
    ] = False,
) -> None:
    """Compile every kernel now, so that no forest waits for it later.

    Compiled kernels are kept on disk. It uses all cores and takes about a minute, once per version.
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
    before = set(CACHE_DIR.rglob("*.nbc"))
    try:
        with bar:
            task = bar.add_task("starting", total=None)
            compile_all(
                lambda done, total, what: bar.update(
                    task, completed=done, total=total, description=what
                ),
                families or None,
                os.cpu_count() or 1,
            )
    except KeyboardInterrupt:
        _say("Stopped. What is compiled so far is kept; run it again to go on.")
        raise typer.Exit(130) from None
    except ValueError as error:
        _say(str(error))
        raise typer.Exit(2) from None
    new = len(set(CACHE_DIR.rglob("*.nbc")) - before)
    if check and new:
        _say(f"{new} kernels were not compiled for this machine; they are now, in {CACHE_DIR}.")
        raise typer.Exit(1)
    typer.echo(f"All is compiled and kept in {CACHE_DIR}.")


@app.command()
def families() -> None:
    """List the families: what divides a node, how many trees, from which paper."""
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


@study.command("list")
def study_list() -> None:
    """List the studies: name, where in which paper, what."""
    from rich.console import Console
    from rich.table import Table

    from .studies.contents import CONTENTS

    table = Table("study", "paper", "where", "what", box=None, pad_edge=False)
    for column in table.columns[:3]:
        column.no_wrap = True
    for name, one in CONTENTS.items():
        table.add_row(name, f"{one.paper.short} {one.paper.year}", one.where, one.title)
    Console().print(table)


@study.command("run")
def study_run(
    names: Annotated[
        list[str], typer.Argument(help="Studies, papers (menze, tomita, ...) or 'all'.")
    ],
    full: Annotated[
        bool, typer.Option("--full/--quick", help="The paper's protocol, or under a minute.")
    ] = False,
    data: Annotated[
        Path | None, typer.Option(help="A folder with a CSV per data set, label last.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for the results.")] = Path("study-results"),
    dask: Annotated[str | None, typer.Option(help="Address of a Dask scheduler.")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with what a stopped run has kept.")
    ] = False,
    processes: Annotated[
        int | None, typer.Option(min=0, help="Processes; 0 for none but this. Default: per core.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="A setting of the scale, changed: trials=3.", metavar="NAME=VALUE"
        ),
    ] = None,
) -> None:
    """Run studies and write figures, tables, claims and recipes into a folder.

    Ctrl-C keeps what is done; --resume goes on with it, also after a crash.
    """
    from .studies.contents import CONTENTS, names_of
    from .studies.workers import Workers, cores

    workers = None
    try:
        many = any(CONTENTS[name].many for name in names_of(names))
        count = cores() if processes is None else processes
        if many and count > 1 and dask is None:
            workers = Workers(count)  # they start while we import

        from .studies import Sources
        from .studies.run_command import parsed_settings, run_studies

        sources = Sources(data)
        run_studies(
            names,
            "full" if full else "quick",
            out,
            sources,
            dask=dask,
            resume=resume,
            processes=processes,
            settings=parsed_settings(settings or ()),
            workers=workers,
        )
    except KeyboardInterrupt:
        _say("Stopped. What is done is kept; the same command with --resume goes on.")
        raise typer.Exit(130) from None
    except (ValueError, RuntimeError, OSError) as error:
        _say(_in_words(error))
        raise typer.Exit(2) from None
    finally:
        if workers is not None:
            workers.stop()


@study.command("draw")
def study_draw(
    out: Annotated[Path, typer.Argument(help="Folder of results.")] = Path("study-results"),
) -> None:
    """Draw the figures of finished studies again, where a browser can make PNG and SVG."""
    from .studies import find
    from .studies.findings import sound
    from .studies.output import write_output
    from .studies.report import saved_results

    try:
        for name, result in saved_results(out).items():
            with sound(out / name / "result.json"):
                complaints = write_output(find(name), result, out / name)
            for complaint in complaints:
                _say(f"{name}: {complaint}")
            typer.echo(f"{name}: {out / name}")
    except (ValueError, OSError) as error:
        _say(_in_words(error))
        raise typer.Exit(2) from None


@study.command("report")
def study_report(
    out: Annotated[Path, typer.Argument(help="Folder of results.")] = Path("study-results"),
    to: Annotated[Path, typer.Option(help="The file to write.")] = Path("REPRODUCTION.md"),
    kept: Annotated[
        Path, typer.Option(help="Folder of what earlier runs found, one small file per study.")
    ] = Path("docs/reproduction"),
) -> None:
    """Write REPRODUCTION.md: every claim, printed against measured.

    What the runs found is kept in small files, from which the report is written. Studies that the
    folder has no result of stay as these files have them.
    """
    from .studies.account import account_of, read_accounts, write_accounts
    from .studies.findings import write_whole
    from .studies.report import reproduction, saved_results

    try:
        results = saved_results(out)
        if to.exists():
            to.read_text(encoding="utf-8")  # what is not text is no report of ours
        accounts = read_accounts(kept) | {n: account_of(r) for n, r in results.items()}
        write_accounts(accounts, kept)
        write_whole(to, reproduction(accounts))
    except UnicodeDecodeError:
        _say(f"{to} is not text, so it is not written over. Name another file with --to.")
        raise typer.Exit(2) from None
    except (ValueError, OSError) as error:
        _say(_in_words(error))
        raise typer.Exit(2) from None
    typer.echo(f"{len(results)} studies written to {to}.")


def _in_words(error: Exception) -> str:
    """An error as a sentence; of the system's own, the file and the reason."""
    if isinstance(error, OSError):
        return f"{error.filename or 'A file'} cannot be used: {error.strerror or error}."
    return str(error)


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)


def main() -> None:
    app()


if __name__ == "__main__":
    main()
