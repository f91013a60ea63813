"""What ``verbose`` shows while a forest is fitted: a line on standard error."""

import sys
import time
from typing import TextIO

_TENTHS = 10


class FitProgress:
    """A callback of ``explorer.engine.grow``. A terminal gets one line, a file ten of them."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.begin = time.monotonic()
        self.said = ""
        self.live = self.stream.isatty()

    def __call__(self, done: int, wanted: int, what: str) -> None:
        if not self.live and what == "growing" and 0 < done < wanted:
            done -= done % max(1, wanted // _TENTHS)
        text = f"ForestClassifier: {what}, {done} of {wanted} trees"
        if text == self.said:
            return
        self.said = text
        if self.live:
            text = f"\r{text}, {time.monotonic() - self.begin:.0f} s\x1b[K"
        self.stream.write(text if self.live else text + "\n")
        self.stream.flush()

    def close(self) -> None:
        if self.live and self.said:
            self.stream.write("\n")
