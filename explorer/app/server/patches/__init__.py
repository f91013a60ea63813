"""Changes to Bokeh, Panel and Tornado, one file each."""

import os

SWITCH = "EXPLORER_PATCHES_OFF"  # names of patches that are not installed, with commas between


def is_off(name: str) -> bool:
    """Whether the environment switches a patch off, to see whether it is still needed."""
    return name in os.environ.get(SWITCH, "").split(",")
