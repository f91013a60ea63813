"""Interleaved minima: every contestant is called once, then in turn, and its best time counts."""

import gc
import time
from typing import NamedTuple


class Seconds(NamedTuple):
    wall: float
    processor: float  # of all threads


def clocked(work):
    """Seconds of one call. A contestant that measures itself returns (wall, processor)."""
    wall, processor = time.perf_counter(), time.process_time()
    told = work()
    if isinstance(told, tuple):
        return Seconds(*told)
    return Seconds(time.perf_counter() - wall, time.process_time() - processor)


def interleaved(contestants, rounds, seconds, first=True):
    """name -> least wall and processor time, of up to ``rounds`` rounds.

    first: call everybody once before the clock starts (compilation, caches). After ``seconds`` no
    further round begins; one round is always run.
    """
    if first:
        for work in contestants.values():
            work()
    best = {}
    gc.collect()
    gc.disable()  # as timeit does
    try:
        begin = time.perf_counter()
        for done in range(rounds):
            if done and time.perf_counter() - begin > seconds:
                break
            for name, work in contestants.items():
                now = clocked(work)
                before = best.get(name, now)
                best[name] = Seconds(
                    min(now.wall, before.wall), min(now.processor, before.processor)
                )
    finally:
        gc.enable()
    return best
