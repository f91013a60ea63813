"""Our docstrings as reStructuredText, and what parameters with one meaning everywhere mean.

A docstring of the house has lines such as ``trees: the first so many of a forest.`` Here each
becomes a paragraph with the name in bold; parameters that a docstring leaves to the table below
are added from it. Docstrings with numpydoc sections stay as they are.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

COMMON = {
    "X": "samples x features, an array of numbers.",
    "a": "the first of two components or positions, counted from 0.",
    "args": "passed on.",
    "arrays": "the flat arrays of all trees, see `Forest`.",
    "axis": "the positions of the channels, float64[P].",
    "b": "the second of two components or positions, counted from 0.",
    "bands": "channels of the spectra, or groups of features.",
    "bins": "how many bins of equal width.",
    "boundary": "whether the boundary is computed, too.",
    "cancel": "a function or threading.Event; once true, the work stops and raises Cancelled.",
    "changes": "the fields that change, by name.",
    "class_names": "the names of the K classes.",
    "classes": "the labels of the classes, in the order of the codes.",
    "components": "how many coordinates are kept.",
    "confidence": "the confidence of the sets of classes, between 0 and 1.",
    "counts": "weight of each class.",
    "cube": "an image with a spectrum in every pixel.",
    "curves": "pairs (truth, score), one per curve.",
    "cut": "regions of the axis to leave out, pairs (from, to).",
    "dataset": "the data set; for a record, its name.",
    "datasets": "the names of the data sets, or how many there are.",
    "decimal": "the decimal mark of a text file, if it is not a point.",
    "delimiter": "what stands between two cells of a text file; found if not given.",
    "depth": "how many splits lie above it.",
    "description": "a sentence about it.",
    "edges": "the ends of the bins, ascending.",
    "estimate": "the estimated posterior.",
    "evaluation": "from `evaluate` or `out_of_bag`.",
    "false_positive_high": "upper end of the interval of the false positive rate.",
    "feature_names": "the names of the P features.",
    "forest": "a grown forest.",
    "gain": "decrease of impurity times weight.",
    "grid": "the common axis, from `propose_grid`.",
    "groups": "one label per sample, equal for replicates of one object.",
    "header": "whether the first line holds names; found if not given.",
    "height": "pixels from bottom to top.",
    "high": "the last position of the axis.",
    "i": "the first number of a pair, or the number of a sample.",
    "j": "the second number of a pair.",
    "kinds": "which kinds are computed.",
    "knob": "the name of a setting.",
    "kwargs": "passed on.",
    "label": "what it is, in words.",
    "limit": "bytes that a file may have, unpacked.",
    "limits": "bounds on memory and time of the process that reads risky files.",
    "low": "the first position of the axis.",
    "measure": "what is measured: the error, or 1 - AUC.",
    "measured": "spectra as they were read, from `read_spectra`.",
    "member": "which file of an archive.",
    "method": "how values are found between two positions: linear or spline.",
    "model": "a forest or a baseline; for a record, its name.",
    "most": "the largest number.",
    "n_curves": "how many curves were averaged.",
    "n_features": "how many features there are.",
    "name": "what to call it.",
    "names": "what to call each of them.",
    "number": "which one, counted from 0.",
    "options": "passed on to the function that computes it.",
    "parent": "the node above.",
    "path": "a file.",
    "penalty": "lambda of a ridge direction.",
    "permutation_high": "upper end of the interval of the permutation importance.",
    "permutation_low": "lower end of the interval of the permutation importance.",
    "plane": "where the picture lies, from `feature_plane` and its like.",
    "points": "how many thresholds are kept.",
    "positive": "class code that counts as positive; the last by default.",
    "posterior": "posteriors [height, width, K].",
    "prepare": "a chain that is fitted on every training part.",
    "progress": "called as progress(done, wanted, what) while the work goes on.",
    "protocol": "how it is tried out, a `Protocol`; for a record, in words.",
    "recipe": "a ForestSpec or a baseline.",
    "reference": "the model that others are compared with.",
    "rng": "a numpy Generator.",
    "rows": "which samples.",
    "sample_weight": "finite numbers >= 0, one per sample.",
    "scaling": "how features are scaled, a `Scaling`.",
    "seconds": "how long it took to grow.",
    "seed": "the same seed gives the same result.",
    "sheet": "which sheet of a workbook.",
    "source": "a path, or the bytes of a file.",
    "spec": "what defines the forest, a `ForestSpec`.",
    "step": "the distance of two positions of the axis.",
    "steps": "transforms, in order.",
    "stop": "a function; once true, reading stops.",
    "test": "a data set of its own to test on.",
    "threads": "how many to use; None for all cores. The result does not depend on it.",
    "title": "one line for people.",
    "training": "what the forest remembers of its training data.",
    "training_names": "the names of the training samples.",
    "tree": "number of a tree, from 0.",
    "trees": "how many trees count, from the first; all of them by default.",
    "true_positive_high": "upper end of the interval of the true positive rate.",
    "unit": "the unit of the axis: cm-1, nm, um or eV.",
    "value": "the table of errors [M, D].",
    "values": "the values, by name or in order.",
    "way": "where they come from: folder, name:TEMPLATE, metadata:FIELD or table:FILE:COLUMN.",
    "weights": "coefficients of the features.",
    "where": "what is checked, for the error's sentence.",
    "width": "pixels from left to right.",
    "x": "positions, float64.",
    "x_range": "ends of the picture from left to right; those of the data by default.",
    "y": "one label per sample.",
    "y_range": "ends of the picture from bottom to top; those of the data by default.",
}
_FIELD = re.compile(r"^((?:[A-Za-z]\w*(?:\.\.\.\w*)?)(?:(?:, | and )[A-Za-z.]\w*)*): (.*)$")
_SECTION = re.compile(r"^(Parameters|Returns|Attributes|Raises|Yields)\s*$")


def parameters_of(thing: Any) -> list[str]:
    """Names of the parameters of a function or class."""
    try:
        found = inspect.signature(thing).parameters
    except (TypeError, ValueError):
        return []
    return [name for name in found if name not in ("self", "cls")]


def not_described(thing: Any) -> list[str]:
    """Parameters that neither the docstring names nor the common table describes."""
    text = _own_words(thing)
    return [
        name
        for name in parameters_of(thing)
        if name not in COMMON and not re.search(rf"\b{re.escape(name)}\b", text)
    ]


def _own_words(thing: Any) -> str:
    text = thing.__doc__ or ""
    if inspect.isclass(thing):
        text += " " + (getattr(thing.__init__, "__doc__", "") or "")
    return text


def process_docstring(app: Any, what: str, name: str, thing: Any, options: Any, lines: Any) -> None:
    """Sphinx's hook: change the lines of a docstring in place."""
    if any(_SECTION.match(line) for line in lines):
        return
    words = "\n".join(lines)
    out = as_rst(lines)
    left = [
        parameter
        for parameter in (parameters_of(thing) if what in ("function", "method", "class") else [])
        if parameter in COMMON and not re.search(rf"\b{re.escape(parameter)}\b", words)
    ]
    for parameter in left:
        out += ["", f"**{parameter}**: {escaped(COMMON[parameter])}"]
    lines[:] = [*out, ""]


def as_rst(lines: list[str]) -> list[str]:
    """Paragraphs, fields in bold, and indented blocks as they are."""
    out: list[str] = []
    in_field = False
    for line in lines:
        if not line.strip():
            out.append("")
            in_field = False
            continue
        field = _FIELD.match(line)
        if field:
            out += ["", f"**{escaped(field[1])}**: {escaped(field[2])}"]
            in_field = True
        elif line.startswith(" ") and in_field:
            out.append(escaped(line.strip()))
        elif line.startswith(" "):
            if not out or not out[-1].startswith("    "):
                while out and not out[-1]:
                    out.pop()
                out += ["", "::", ""] if out else ["::", ""]
            out.append("    " + line)
        else:
            if out and out[-1].startswith("    "):
                out.append("")
            out.append(escaped(line))
            in_field = in_field and bool(out)
    return out


def escaped(text: str) -> str:
    """Characters that reStructuredText would read as marks, outside of ``code``."""
    parts = re.split(r"(``[^`]*``|`[^`]*`)", text)
    for i in range(0, len(parts), 2):
        part = re.sub(r"([*|\\])", r"\\\1", parts[i])
        parts[i] = re.sub(r"(\w)_(?=\W|$)", r"\1\\_", part).replace("`", "\\`")
    for i in range(1, len(parts), 2):
        if not parts[i].startswith("``"):
            parts[i] = f"`{parts[i]}`"
    return "".join(parts)
