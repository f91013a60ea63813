"""Owns asking the child process to parse a file, and every way in which it may fail to answer."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from explorer.data.readers.refused import FileRefused, Limits, shown
from explorer.data.readers.table import Table
from explorer.data.readers.wire import MAGIC, unpack

_ROOT = str(Path(__file__).resolve().parents[3])


def ask_child(
    format_name: str, content: bytes, name: str, limits: Limits, wishes: dict[str, Any]
) -> Table:
    """The Table of a file, parsed in a process of its own; FileRefused if that process dies."""
    order = {"name": name, "limits": dataclasses.asdict(limits), "wishes": wishes}
    environment = {
        key: value for key, value in os.environ.items() if key.startswith(("LANG", "LC_", "SYSTEM"))
    }
    environment |= {
        "PYTHONPATH": os.pathsep.join([_ROOT, *(p for p in sys.path if p and p != _ROOT)]),
        "PATH": os.environ.get("PATH", ""),
        "OPENBLAS_NUM_THREADS": "1",  # each thread would reserve address space under the limit
        "OMP_NUM_THREADS": "1",
        "ARROW_DEFAULT_MEMORY_POOL": "system",
    }
    try:
        done = subprocess.run(
            [sys.executable, "-m", "explorer.data.readers.child", format_name],
            input=json.dumps(order).encode() + b"\n" + content,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            timeout=limits.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise FileRefused(
            f"{shown(name)} took longer than {limits.seconds:g} s to read and was given up. It is "
            "too complicated or damaged; save it again, or as CSV."
        ) from None
    return understood(done.stdout, done.returncode, name, limits)


def understood(said: bytes, code: int, name: str, limits: Limits) -> Table:
    """The Table in what the child said before it ended with this code; or FileRefused."""
    if said.startswith(MAGIC):
        return unpack(said[len(MAGIC) :])
    answer = _json(said) if code == 0 else {}
    if "refused" in answer:
        raise FileRefused(answer["refused"])
    if "memory" in answer:
        raise FileRefused(
            f"{shown(name)} needs more than {limits.memory / 1e9:g} GB of memory to read. It is "
            "too large or damaged; save fewer rows or columns."
        )
    if "broken" in answer:
        raise FileRefused(
            f"{shown(name)} is damaged or not what its name says ({answer['broken'][:120]}). "
            "Save it again, or as CSV."
        )
    raise FileRefused(
        f"{shown(name)} is damaged: it made its reader crash, in a process of its own. Save it "
        "again, or as CSV."
    )


def _json(data: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(data)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}
