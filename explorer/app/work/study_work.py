"""Runs studies in a child process, one at a time, shared by all sessions.

A study is seconds to a minute of work that must not hold Python's lock in the server, so it runs
in a process of its own (explorer/studies/child.py). Whoever asks for a study that runs already
joins it; it ends early only when nobody waits for it any more.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.app.work.cache import Cache
from explorer.app.work.cache_key import Key, cache_key
from explorer.app.work.scheduler import Rest
from explorer.engine.threads import stand_back
from explorer.studies import Claim, Result, find

log = logging.getLogger("explorer.studies")

SCALE = "quick"
LOOK_SECONDS = 0.2  # between two looks at a running study
ALONE_SECONDS = 5.0  # after which a page without a browser waits no longer; a reload is faster
_ROOT = str(Path(__file__).parents[3])


@dataclass(frozen=True)
class Going:
    """How far a study is. wanted: 0 while it is not known; seconds: since it began, or 0."""

    name: str
    done: int = 0
    wanted: int = 0
    what: str = ""
    seconds: int = 0
    left: int | None = None  # seconds, by the parts done so far; None while it cannot be said


@dataclass(frozen=True)
class Shown:
    """A result with its pictures (new ones, of this session) and what it says to the claims."""

    name: str
    result: Result
    figures: dict[str, Any]
    claims: list[Claim]


def command(name: str) -> list[str]:
    """What starts a study."""
    return [sys.executable, "-m", "explorer.studies.child", name, SCALE]


class StudyRun:
    """One study being run for whoever watches."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.watchers = 0
        self.stopped = threading.Event()
        self.ended = threading.Event()
        self.text = ""
        self.error = ""
        self._process: subprocess.Popen[str] | None = None
        self._state = (0, 0, "")
        self._began = self._first = 0.0

    def going(self) -> Going:
        now = time.monotonic()
        done, wanted, what = self._state
        seconds = int(now - self._began) if self._began else 0
        left = None
        if done and self._first:  # starting up is not what the parts take
            left = max(1, round((now - self._first) * (wanted - done) / done))
        return Going(self.name, done, wanted, what, seconds, left)

    def work(self, command: Callable[[str], list[str]]) -> None:
        """Run it, on a thread that may wait."""
        try:
            if not self.stopped.is_set():
                self._listen(command(self.name))
        except OSError:
            self.error = "This study could not be started on the server."
        finally:
            self.ended.set()

    def _listen(self, words: list[str]) -> None:
        path = os.pathsep.join(filter(None, (_ROOT, os.environ.get("PYTHONPATH", ""))))
        self._began = time.monotonic()
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,  # its end tells the child that we are gone
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        )
        with self._process as process:
            if self.stopped.is_set():  # while it was being started
                process.kill()
            assert process.stdout is not None
            for line in process.stdout:
                self._hear(json.loads(line))
                if self.text or self.error or self.stopped.is_set():
                    break
            process.kill()  # its last words are said; leaving by itself would take a while
        if not self.text and not self.error and not self.stopped.is_set():
            self.error = (
                "The study ended before it was done, perhaps because memory ran out. Run it again."
            )

    def _hear(self, line: dict[str, Any]) -> None:
        self.text = line.get("result", self.text)
        self.error = line.get("error", self.error)
        if "details" in line:
            log.error("The study %s failed:\n%s", self.name, line["details"])
        if "done" in line:
            self._first = self._first or time.monotonic()
            self._state = (int(line["done"]), int(line["wanted"]), str(line["what"]))

    def stop(self) -> None:
        self.stopped.set()
        process = self._process
        if process is not None:
            process.kill()


class Runner:
    """Runs studies one after another; sessions that want the same one share it."""

    def __init__(self, command: Callable[[str], list[str]] = command) -> None:
        self._command = command
        self._runs: dict[str, StudyRun] = {}
        self._lock = threading.Lock()
        self._row = ThreadPoolExecutor(1, "study", initializer=stand_back)

    def join(self, name: str) -> StudyRun:
        """Watch the run of a study, started now unless it is going on; `leave` it in the end."""
        with self._lock:
            run = self._runs.get(name)
            if run is None or run.ended.is_set() or run.stopped.is_set():
                run = self._runs[name] = StudyRun(name)
                self._row.submit(run.work, self._command)
            run.watchers += 1
            return run

    def leave(self, run: StudyRun) -> None:
        """Watch no longer; nobody's run is stopped."""
        with self._lock:
            run.watchers -= 1
            if run.watchers <= 0:
                if self._runs.get(run.name) is run:
                    del self._runs[run.name]
                if not run.ended.is_set():
                    run.stop()


RUNNER = Runner()


def key(name: str) -> Key:
    """Of a study's result in the cache."""
    return cache_key("study", name, SCALE)


def study_steps(
    name: str,
    theme: str,
    cache: Cache,
    runner: Runner = RUNNER,
    alone: Callable[[], bool] = lambda: False,
) -> Iterator[Going | Rest | Shown]:
    """Run a study (unless somebody did) and draw it: `Going` again and again, then `Shown`.

    alone: whether nobody sees the page any more; then it waits for the study no longer.
    """
    study = find(name)
    result = cache.get(key(name))
    if result is None:
        run = runner.join(name)
        try:
            last, seen = None, time.monotonic()
            while not run.ended.is_set():
                if not alone():
                    seen = time.monotonic()
                elif time.monotonic() - seen > ALONE_SECONDS:
                    raise ValueError("Connection lost, stopped. Press Run to start again.")
                now = run.going()
                yield Rest(LOOK_SECONDS) if now == last else now
                last = now
            if run.error:
                raise ValueError(run.error)
            if not run.text:
                return
            result = Result.from_text(run.text)
            cache.put(key(name), result, len(run.text))
        finally:
            runner.leave(run)
    yield Shown(name, result, study.draw(result, theme), study.claims(result))
