"""Runs one study in a process of its own and tells how it goes, a line of JSON at a time.

    python -m explorer.studies.child sazonau-fig1 quick

Lines are {"done", "wanted", "what"}, and at the end {"result"} (the text of `Result`) or {"error"}
(a sentence; with {"details"} for the log where the error was unexpected). The process has a low
priority and ends when its standard input does, so that no study outlives who asked for it.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from typing import Any, TextIO

from explorer.sentences import is_sentence

FAILED = "This study could not be finished: something in it went wrong. The log has the details."
POLITE = 5  # added to the process's niceness: whoever moves a slider goes first


def main(name: str, scale: str, out: TextIO) -> int:
    """Run the study; 0 if it gave a result."""

    def tell(**line: Any) -> None:
        print(json.dumps(line), file=out, flush=True)

    from explorer.studies.executors import Local
    from explorer.studies.listing import find

    try:
        result = find(name).run(
            scale,
            Local(processes=0),
            lambda done, wanted, what: tell(done=done, wanted=wanted, what=what),
        )
    except MemoryError:
        tell(error="There was not enough memory for this study.")
        return 1
    except Exception as error:
        if is_sentence(error):
            tell(error=str(error))
        else:
            tell(error=FAILED, details=traceback.format_exc())
        return 1
    tell(result=result.to_text())
    return 0


def _end_with_parent() -> None:
    # not sys.stdin.read(): its lock would be held while the interpreter ends
    while os.read(0, 1024):
        pass
    os._exit(1)


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(POLITE)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sys.exit(main(sys.argv[1], sys.argv[2], sys.stdout))
