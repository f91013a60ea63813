"""The process that reads instrument files one after the other, under limits.

    python -m explorer.data.readers.instruments.worker      requests on stdin, answers on stdout

A request is one line of JSON (name, limits, the names and sizes of the files) and the bytes of the
files. An answer is eight bytes of length and a packed `Answer`; or, for an archive that is to be
opened, the files in it. Files of one folder share a
process: starting one per file would take longer than reading them. A file that crashes the
process, or takes too long, costs that process and its own line; `pool` starts another for the next
file.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import Any

from explorer.data.readers.child import limit
from explorer.data.readers.instruments.block import Given, checked
from explorer.data.readers.instruments.formats import reader_of, recognise
from explorer.data.readers.instruments.packing import (
    Answer,
    AxisSlots,
    NameTable,
    pack,
    pack_files,
)
from explorer.data.readers.refused import FileRefused, Limits, reason, shown
from explorer.data.readers.unpack import unpacked

# The clock of each file is the parent's; this one ends a process whose parent is gone.
_LONGEST_LIFE = 6 * 3600


def answered(given: Given) -> Answer:
    """What becomes of a file: its spectra, a table of names, or a sentence that says why not."""
    title = ""
    try:
        found = recognise(given)
        title = found.title
        result = reader_of(found)(given)
        if isinstance(result, NameTable):
            return Answer(title, table=result)
        return Answer(title, tuple(checked(result, given)))
    except FileRefused as refusal:
        return Answer(title, refused=str(refusal))
    except MemoryError:
        words = (
            f"{shown(given.plain)} needs more than {given.limits.memory / 1e9:g} GB of memory to "
            "read. It is too large or damaged; export a part of it."
        )
        return Answer(title, refused=words)
    except ImportError as error:
        words = (
            f"{shown(given.plain)} is a file of {title or 'a format'} that needs another package "
            f"({reason(error, 60)}): install forest-explorer[instruments]."
        )
        return Answer(title, refused=words)
    except RecursionError:
        words = f"{shown(given.plain)} is nested too deeply to read. Export it again."
        return Answer(title, refused=words)
    except Exception:  # readers and their libraries raise whatever a damaged file makes them raise
        kind = f"looks like {title} but " if title else ""
        words = f"{shown(given.plain)} {kind}is damaged or incomplete. Copy or export it again."
        return Answer(title, refused=words)


def opened(given: Given) -> bytes:
    """The files in an archive, packed."""
    try:
        return pack_files(unpacked(given.content, given.name, given.limits))
    except FileRefused as refusal:
        return pack_files({}, str(refusal))


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # libraries that print must not write into the answers
    warnings.simplefilter("ignore")
    requests = sys.stdin.buffer
    limited = False
    slots = AxisSlots()
    while line := requests.readline():
        order: dict[str, Any] = json.loads(line)
        limits = Limits(**order["limits"])
        if not limited:
            limit({"memory": limits.memory, "seconds": _LONGEST_LIFE})
            limited = True
        content = requests.read(order["size"])
        beside = {name: requests.read(size) for name, size in order["beside"]}
        given = Given(order["name"], content, limits, beside)
        packed = opened(given) if order["open"] else pack(answered(given), slots)
        answers.write(len(packed).to_bytes(8, "little") + packed)
        answers.flush()
    os._exit(0)  # a damaged parser must not get to run its finalisers


if __name__ == "__main__":
    main()
