"""The current state as a Python script that prints the same figures and draws the same maps.

Only the public interface is used (`explorer.data`, `explorer.engine`, `explorer.analysis`,
`explorer.baselines`, `explorer.views`). Every text from a file or a link goes through `repr`, so
it stays a text.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from explorer import __version__
from explorer.app.state.baselines import BaselineSpec
from explorer.app.state.folder_choices import FolderChoices
from explorer.app.state.plane_choice import AVERAGED, PlaneRecipe, Window
from explorer.app.state.uploads import ImageChoices
from explorer.app.state.visitor import COLOURS, LETTERS, OWN, PAINT, DataRecipe
from explorer.app.work.map_record import TEST_POINTS, TEST_SEED
from explorer.app.work.requests import Pictures
from explorer.data import Dataset
from explorer.data.transforms import TRANSFORMS
from explorer.engine import FAMILIES, ForestSpec

_FIGURES = '''
test = fresh_rows(data, {points}, {seed})  # None where the truth is not known


def report(name, model, oob_error):
    """One line of figures (errors are shares of samples), and the map in a file."""
    line = f"{{name}}: OOB error {{oob_error:.6f}}"
    if test is not None:
        score = score_fresh(model, data, test)
        line += f", test error {{score.error:.6f}}, Hellinger {{score.hellinger:.6f}}"
    print(line)
    drawn = posterior_map(model, data, plane, {width}, {height}, truth=False, boundary="none")
    picture = posterior_svg(drawn, plane.project(data.X), data.y, title=name)
    Path(f"{{name}}.svg").write_text(picture, encoding="utf-8")

'''


def script(shown: Pictures, families: Sequence[str], query: str) -> str:
    """The text of the script. shown: the maps; query: of the link to them."""
    request, data = shown.request, shown.source.data
    recipe, specs = request.data, request.specs
    makers, making = _plane(shown.recipe, shown.window)
    lines = [
        f'"""What Forest Explorer {__version__} showed: figures, and maps as SVG files.',
        "",
        f"Link: ?{query}" if query else "Link: the first screen",
        "Run it where forest-explorer is installed.",
        '"""',
        "",
        "from dataclasses import replace",
        "from pathlib import Path",
        "",
        "import numpy as np",
        "",
        *makers,
        "from explorer.analysis import fresh_rows, posterior_map, score_fresh",
    ]
    if any(isinstance(spec, BaselineSpec) for spec in specs):
        lines.append("from explorer.baselines import BASELINES")
    lines += [*_imports(recipe), "from explorer.engine import FAMILIES, grow"]
    lines += ["from explorer.views.map_svg import posterior_svg", ""]
    lines += [*_data(recipe, data), *making]
    figures = _FIGURES.format(
        points=TEST_POINTS, seed=TEST_SEED, width=request.pixels[0], height=request.pixels[1]
    )
    trees = request.trees
    text = "\n".join(lines) + "\n" + figures
    return text + "\n".join(
        _model(f"{LETTERS[i]} {families[i]}", families[i], spec, trees, data.groups is not None)
        for i, spec in enumerate(specs)
    )


def _tour(plane: PlaneRecipe) -> tuple[list[str], list[str]]:
    """The plane of a tour, by its two directions: imports, and the lines that make it."""
    if not plane.frame:
        rows = ["frame = first_frame(space, data)"]
        first = ["from explorer.analysis.tour_route import first_frame"]
    else:
        half = len(plane.frame) // 2
        numbers = [f"    {list(plane.frame[:half])!r},", f"    {list(plane.frame[half:])!r},"]
        rows = ["frame = orthonormal(np.array([", *numbers, "]).T)"]
        first = []
    through = f"data.X[{plane.sample}]" if plane.at == "sample" else "None"
    imports = ["from explorer.analysis.tour import orthonormal, tour_space", *first]
    return imports, [
        "# the plane of the tour: two directions in the axes of its space, through a point",
        "space = tour_space(data)",
        *rows,
        f"plane = space.plane(frame, {through})",
    ]


def _plane(recipe: PlaneRecipe, window: Window) -> tuple[list[str], list[str]]:
    """What makes the plane: imports, and the lines that call it and set its window."""
    ranges = f"x_range={(window.x0, window.x1)!r}, y_range={(window.y0, window.y1)!r}"
    cut = f"plane = replace(plane, {ranges})  # the window"
    if recipe.kind == "tour":
        imports, lines = _tour(recipe)
        return imports, [*lines, cut]
    pair = f"{recipe.across}, {recipe.up}"
    name, more = "feature_plane", ""
    if recipe.kind == "discriminant":
        name, pair = "discriminant_plane", ""
    elif recipe.kind == "components":
        name = "component_plane"
    elif recipe.kind == "marginal":
        name, more = "marginal_plane", f", samples={AVERAGED}"
    else:
        at = {"sample": recipe.sample, "values": dict(recipe.fixed)}.get(recipe.at, recipe.at)
        more = f", at={at!r}"
    call = f"{name}(data{', ' if pair else ''}{pair}{more})"
    return [f"from explorer.analysis import {name}"], [f"plane = {call}", cut]


def _imports(recipe: DataRecipe) -> list[str]:
    names = {PAINT: "Dataset", OWN: "read"}.get(recipe.name, "load")
    if recipe.upload is not None and recipe.upload.folder is not None:
        names = "read_spectra"
    if recipe.upload is not None and recipe.upload.image is not None:
        first = "read_cube" if recipe.upload.image.file else "example_scene"
        names = f"{first}, read_labels, regions"
    names = f"Chain, {names}" if recipe.chain else names
    more = ", transforms" if recipe.transform != "none" or recipe.bands else ""
    return [f"from explorer.data import {names}{more}"]


def _data(recipe: DataRecipe, data: Dataset) -> list[str]:
    lines: list[str] = []
    if recipe.name == PAINT:
        rows = [f"    ({x!r}, {y!r}, {k})," for x, y, k in recipe.points]
        names = tuple(COLOURS[: max(k for _, _, k in recipe.points) + 1])
        lines += ["points = np.array([  # x1, x2, class", *rows, "])"]
        lines += [
            'data = Dataset("paint", X=points[:, :2], y=points[:, 2].astype(int),',
            f"               class_names={names!r})",
        ]
    elif recipe.upload is not None:
        upload = recipe.upload
        if upload.image is not None:
            lines += _image(upload.image)
        elif upload.folder is not None:
            lines += _folder(upload.name, upload.folder)
        else:
            lines += [
                "# your own file, in the folder where this script is run",
                f"data = read({_call(upload.name, upload.wishes)})",
            ]
    else:
        lines += [f"data = load({_call(recipe.name, dict(recipe.knobs))})"]
    if recipe.chain:
        steps = "".join(f"    ({name!r}, {dict(knobs)!r}),\n" for name, knobs in recipe.chain)
        lines += [f"chain = Chain.of(\n{steps})", "data = chain.apply(data)"]
    if recipe.transform != "none":
        kind = TRANSFORMS[recipe.transform].__name__
        lines += [f"data = transforms.{kind}({_knobs(dict(recipe.transform_knobs))}).apply(data)"]
    for keep, low, high in recipe.bands:
        band = _knobs({"low": low, "high": high, "keep": keep})
        lines += [f"data = transforms.BandSelection({band}).apply(data)"]
    if recipe.upload is not None:
        lines += [
            f"if data.digest() != {data.digest()!r}:",
            '    raise SystemExit("This is not the file that was shown; its figures differ.")',
        ]
    lines += ['print(f"{data.n_samples} samples, {data.n_features} features")']
    return lines


def _folder(name: str, choices: FolderChoices) -> list[str]:
    """How a folder of spectra becomes the data set that was shown."""
    asked = {"classes": choices.classes, "groups": choices.groups or None}
    return [
        "# your own folder (or its zip archive), beside this script",
        f"found = read_spectra({name!r})",
        f"grid = found.propose_grid({_knobs(choices.grid())})",
        f"data = found.to_dataset({_knobs({k: v for k, v in asked.items() if v})}, grid=grid)",
    ]


def _image(choices: ImageChoices) -> list[str]:
    """How labelled pixels of an image become the data set that was shown."""
    groups = "regions(labels)" if choices.grouped else "None"
    cube = f"read_cube({choices.file!r})" if choices.file else "example_scene()[0]"
    return [
        "# the image, and its labelled pixels: the CSV of the picture 'Image', beside this script",
        f"cube = {cube}",
        "labels, names = read_labels('labelled-pixels.csv', cube)",
        f"data = cube.labelled(labels, names, {groups}, most={choices.most})",
    ]


def _model(name: str, family: str, spec: Any, trees: int, grouped: bool) -> str:
    sample = "data.X, data.y, groups=data.groups" if grouped else "data.X, data.y"
    if isinstance(spec, BaselineSpec):
        set_ = {k: v for k, v in spec.settings.items() if v is not None}
        recipe = f"BASELINES[{family!r}]"
        if set_:
            recipe = f"replace({recipe}, {_knobs(set_)})"
        return (
            f"model = {recipe}.fit({sample}, seed={spec.seed})\nreport({name!r}, model, np.nan)\n"
        )
    changed = _differences(FAMILIES[family], spec)
    knobs = f".replace({_knobs(changed)})" if changed else ""
    shown = f".take({trees})" if 0 < trees < spec.n_tree else ""
    return (
        f"forest = grow(FAMILIES[{family!r}]{knobs}, {sample}){shown}\n"
        f"report({name!r}, forest, forest.oob_error[-1] if forest.has_oob else np.nan)\n"
    )


def _differences(base: ForestSpec, spec: ForestSpec) -> dict[str, Any]:
    names = [f.name for f in dataclasses.fields(spec)]
    return {n: getattr(spec, n) for n in names if getattr(spec, n) != getattr(base, n)}


def _knobs(knobs: dict[str, Any]) -> str:
    return ", ".join(f"{k}={v!r}" for k, v in knobs.items())


def _call(first: Any, knobs: dict[str, Any]) -> str:
    return ", ".join(part for part in (repr(first), _knobs(knobs)) if part)
