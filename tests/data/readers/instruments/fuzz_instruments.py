"""Damaged instrument files by the thousand. Seeded, so a case can be had again.

    python tests/data/readers/instruments/fuzz_instruments.py 100000          # so many in all
    python tests/data/readers/instruments/fuzz_instruments.py 5000 spc wdf    # of these formats

Files are small ones that `instrument_files` writes, and where they lie the real samples up to
60 kB. A case is fine if it gives spectra, a table, or a sentence. Cases are read in forks, a
hundred to each, as a worker reads a folder; a case that ends the fork or takes too long is named.
A crash is counted, not a fault: a server's worker is a process of its own.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[4]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from instrument_files import GOOD  # noqa: E402

from explorer.data.readers.instruments.block import Given  # noqa: E402
from explorer.data.readers.instruments.formats import recognise  # noqa: E402
from explorer.data.readers.instruments.packing import pack, unpack  # noqa: E402
from explorer.data.readers.instruments.worker import answered  # noqa: E402
from explorer.data.readers.refused import Limits  # noqa: E402

SAMPLES = Path(
    os.environ.get("EXPLORER_INSTRUMENT_FILES", ROOT.parent / "shared" / "instrument-files")
)
LIMITS = Limits(bytes=2_000_000, cells=2_000_000)
LARGEST_SAMPLE = 60_000
BATCH = 100
SECONDS = 10
MEMORY = 3_000_000_000

Case = tuple[str, bytes, dict[str, bytes]]


class Fault(AssertionError):
    """A case that gave neither spectra nor a sentence."""


class TooSlow(BaseException):
    """Raised by the clock inside a case; no reader catches it."""


def seeds() -> dict[str, list[Case]]:
    """Good files by format: written here, and real ones where they lie."""
    found: dict[str, list[Case]] = defaultdict(list)
    for key, cases in GOOD.items():
        found[key] += cases
    if SAMPLES.is_dir():
        for path in sorted(SAMPLES.rglob("*")):
            if path.is_file() and path.stat().st_size <= LARGEST_SAMPLE:
                content = path.read_bytes()
                key = recognise(Given(path.name, content, LIMITS)).key
                if key not in ("binary", "gsf", "l6s"):
                    found[key].append((path.name, content, {}))
    return dict(found)


def mutated(content: bytes, rng: np.random.Generator) -> bytes:
    """Bytes changed, put in, taken out, doubled, or cut; numbers in headers made large."""
    data = bytearray(content)
    for _ in range(int(rng.integers(1, 7))):
        if not data:
            break
        # half of the changes hit the first kilobyte, where headers are
        most = len(data) if rng.random() < 0.5 else min(len(data), 1024)
        at, extra = int(rng.integers(most)), rng.bytes(int(rng.integers(1, 9)))
        kind = rng.integers(7)
        if kind == 0:
            data[at : at + len(extra)] = extra
        elif kind == 1:
            data[at:at] = extra
        elif kind == 2:
            del data[at : at + 1 + extra[0] % 60]
        elif kind == 3:
            data[at:at] = data[max(0, at - 60) : at]
        elif kind == 4:
            data[at] ^= 1 << int(rng.integers(8))
        elif kind == 5:
            odd = (b"\xff\xff\xff\x7f", b"\x00\x00\x00\x80", b"\xff\xff\xff\xff", b"\x00" * 8)
            data[at : at + 4] = odd[int(rng.integers(4))]
        else:
            del data[at:]
    return bytes(data)


def case(key: str, number: int, seed: int, good: list[Case]) -> Case:
    rng = np.random.default_rng((seed, sum(key.encode()), number))
    name, content, beside = good[int(rng.integers(len(good)))]
    if beside and rng.random() < 0.5:
        return name, content, {n: mutated(c, rng) for n, c in beside.items()}
    return name, mutated(content, rng), beside


def attempt(what: Case) -> None:
    """One case: fine, or a Fault."""
    name, content, beside = what
    answer = unpack(pack(answered(Given(name, content, LIMITS, beside))))
    if answer.refused:
        words = answer.refused
        if words[-1] != "." or len(words) > 500 or "Traceback" in words or "Error:" in words:
            raise Fault(words)
        return
    for block in answer.blocks:
        if block.y.shape != (len(block.names), block.x.size) or not np.isfinite(block.x).all():
            raise Fault("a block whose parts do not fit")
    if not answer.blocks and answer.table is None:
        raise Fault("nothing")


def batch(key: str, numbers: range, seed: int, good: list[Case]) -> tuple[int, int, str]:
    """Some cases in a fork: how many were done, the signal that ended it, and a fault if any."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reads)
        _in_fork(key, numbers, seed, good, writes)
    os.close(writes)
    said = b""
    while piece := os.read(reads, 65536):
        said += piece
    os.close(reads)
    _, status = os.waitpid(child, 0)
    lines = said.decode("utf-8", "replace").split("\n")
    done = sum(line == "." for line in lines)
    fault = next((line[1:] for line in lines if line.startswith("!")), "")
    return done, os.waitstatus_to_exitcode(status), fault


def _in_fork(key: str, numbers: range, seed: int, good: list[Case], pipe: int) -> None:
    import faulthandler
    import resource  # only where there are forks

    faulthandler.disable()  # a crash here is counted, not shown
    nothing = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1, 2):
        os.dup2(nothing, handle)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def late(*_: object) -> None:
        raise TooSlow

    signal.signal(signal.SIGALRM, late)
    for number in numbers:
        # a reader in C that hangs is ended by the limit of the processor's time
        used = int(resource.getrusage(resource.RUSAGE_SELF).ru_utime)
        resource.setrlimit(resource.RLIMIT_CPU, (used + 2 * SECONDS, resource.RLIM_INFINITY))
        signal.alarm(SECONDS)
        try:
            attempt(case(key, number, seed, good))
        except TooSlow:
            os.write(pipe, f"!case {number}: took longer than {SECONDS} s\n".encode())
            os._exit(0)
        except BaseException as error:
            os.write(pipe, f"!case {number}: {type(error).__name__}: {error}\n".encode())
            os._exit(0)
        signal.alarm(0)
        os.write(pipe, b".\n")
    os._exit(0)


def fuzz(key: str, cases: int, seed: int = 0, good: list[Case] | None = None) -> int:
    """Try so many cases of a format; how many ended their process. The first fault is raised."""
    files = good if good is not None else seeds()[key]
    for what in files:  # what a reader imports is imported once, before the forks
        answered(Given(what[0], what[1], LIMITS, what[2]))
    crashes, number = 0, 0
    while number < cases:
        done, code, fault = batch(key, range(number, min(cases, number + BATCH)), seed, files)
        if fault:
            raise Fault(f"{key}, seed {seed}, {fault}")
        number += done
        if code != 0:
            crashes += 1
            number += 1  # the case that ended the fork
    return crashes


def main() -> None:
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    good = seeds()
    keys = sys.argv[2:] or list(good)
    begun = time.monotonic()
    for key in keys:
        cases = max(1, total // len(keys))
        crashes = fuzz(key, cases, seed=1, good=good[key])
        words = f"; {crashes} ended their process" if crashes else ""
        print(f"{key}: {cases} cases, no fault{words}", flush=True)
    print(f"{time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
