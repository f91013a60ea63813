"""The child process: parsers that may crash, hang or eat memory run here, under limits.

    python -m explorer.data.readers.child <format>      request on stdin, answer on stdout

The format "any" is for files of strangers: archives are unpacked and formats recognised here, too.

Request: one line of JSON (name, limits, wishes), then the bytes of the file. Answer: an .npz
archive without pickle (the block of numbers, and all else as JSON), or one line of JSON with the
refusal. Nothing is written to disk.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def main() -> None:
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # parsers that print must not write into the answer
    request = sys.stdin.buffer.readline()
    order = json.loads(request)
    limit(order["limits"])
    content = sys.stdin.buffer.read()
    answer.write(answered(sys.argv[1], content, order))
    answer.flush()
    os._exit(0)  # a damaged parser must not get to run its finalisers


def answered(format_name: str, content: bytes, order: dict[str, Any]) -> bytes:
    import warnings

    warnings.simplefilter("ignore")
    from explorer.data.readers.ask import ANY
    from explorer.data.readers.formats import parser
    from explorer.data.readers.reading import read_here
    from explorer.data.readers.refused import FileRefused, Limits
    from explorer.data.readers.wire import MAGIC, pack

    name, limits, wishes = order["name"], Limits(**order["limits"]), order["wishes"]
    try:
        if format_name == ANY:
            table = read_here(content, name, limits, **wishes)
        else:
            table = parser(format_name)(content, name, limits, **wishes)
        return MAGIC + pack(table, limits)
    except FileRefused as refusal:
        return json.dumps({"refused": str(refusal)}).encode()
    except MemoryError:
        return json.dumps({"memory": True}).encode()
    except BaseException as error:
        return json.dumps({"broken": f"{type(error).__name__}: {error}"[:200]}).encode()


def limit(limits: dict[str, Any]) -> None:
    """Memory, processor time, no files, no core: where the system knows such limits."""
    try:
        import resource
    except ImportError:  # Windows: the parent's clock still runs
        return
    seconds = int(limits["seconds"]) + 1
    for what, value in (
        (resource.RLIMIT_AS, int(limits["memory"])),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        _, hard = resource.getrlimit(what)
        cap = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(what, (cap, cap))


if __name__ == "__main__":
    main()
