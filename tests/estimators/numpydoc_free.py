"""The "Parameters" section of a numpydoc docstring, read with the standard library."""

import inspect
import re


def parameters_of(thing: object) -> dict[str, str]:
    """Name -> type and default, as its first line says, in the order of the docstring."""
    text = inspect.getdoc(thing) or ""
    section = re.split(r"\nParameters\n-+\n", text)[1]
    section = re.split(r"\n\w+\n-{3,}\n", section)[0]
    heads = re.findall(r"^(\w+) : (.+)$", section, flags=re.MULTILINE)
    return dict(heads)
