"""How kernels are compiled: once per family, cached on disk, announced before they are.

``@kernel`` marks an entry point called from Python: compiled on first use, without the GIL,
and cached. ``@step`` marks a function that only other kernels call: it compiles into its
callers. The cache lives in a folder whose name is a hash of the sources in this folder and of the
versions of numba, numpy and Python, because numba itself watches only the file that defines
the entry point and would go on running a stale helper after an edit of another file. Kernels
import nothing from outside this folder, so that other changes do not compile them again.
"""

import hashlib
import os
import platform
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numba
import numpy as np
import platformdirs

from .disk_cache import never_fail

Announce = Callable[[str], None]

_KERNELS = Path(__file__).resolve().parent
# steps are never called from Python: no wrappers for it, and (unless they allocate) no reference
# counts, which halves what there is to compile
_INNER: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
_compiling = threading.RLock()
_ready: set[str] = set()


def _fingerprint() -> str:
    digest = hashlib.blake2b(digest_size=8)
    for source in sorted(_KERNELS.rglob("*.py")):
        digest.update(source.read_bytes())
    versions: tuple = (numba.__version__, np.__version__, platform.machine(), sys.version)
    if getattr(numba.config, "BOUNDSCHECK", None):  # other code, which numba would not tell apart
        versions += ("bounds checked",)
    digest.update(repr(versions).encode())
    return digest.hexdigest()


def _writable_folder() -> Path | None:
    """The cache folder of this version of the engine, or None where nothing can be written."""
    chosen = os.environ.get("EXPLORER_CACHE_DIR")
    root = Path(chosen) if chosen else platformdirs.user_cache_path("forest-explorer") / "kernels"
    folder = root / _fingerprint()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"\0")
    except OSError:
        return None
    return folder


CACHE_DIR: Path | None = _writable_folder()


@contextmanager
def _numba_caches_here():
    """Point numba at our folder while a kernel is declared, and leave its setting as it was."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_DIR)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def _cached(function: Callable, **options: Any) -> Any:
    """Compile an entry point and keep it on disk, under checksums (disk_cache.py)."""
    with _numba_caches_here():
        made = numba.njit(nogil=True, error_model="numpy", cache=True, **options)(function)
    never_fail(made)
    return made


def kernel(function: Callable) -> Any:
    """Compile an entry point: nogil, cached on disk where a folder is writable."""
    if CACHE_DIR is None:
        return numba.njit(nogil=True, error_model="numpy")(function)
    return _cached(function)


def grower(function: Callable) -> Any:
    """Compile an entry point that allocates nothing: no reference counting, cached."""
    if CACHE_DIR is None:
        return numba.njit(nogil=True, error_model="numpy", _nrt=False)(function)
    return _cached(function, _nrt=False)


def step(function: Callable) -> Any:
    """Compile a function that only other kernels call. Strict IEEE arithmetic, in source order."""
    return numba.njit(_nrt=False, **_INNER)(function)


def maker(function: Callable) -> Any:
    """A step that allocates arrays."""
    return numba.njit(**_INNER)(function)


def template(function: Callable) -> Any:
    """A function whose text is copied into its callers before types are known.

    So it may take another step as an argument and still be cached: numba cannot cache a
    function that is passed a compiled one.
    """
    return numba.njit(nogil=True, error_model="numpy", inline="always")(function)


def fast_step(function: Callable) -> Any:
    """A step whose sums may be reordered by the compiler (vectorised reductions).

    The order is fixed when the kernel is compiled, so results stay the same from run to run
    and for any number of threads; they may differ from a plain loop in the last bits.
    """
    return numba.njit(_nrt=False, fastmath={"reassoc", "nsz", "contract"}, **_INNER)(function)


def is_ready(function: Any) -> bool:
    """Has this kernel been called in this process?"""
    return f"{function.py_func.__module__}.{function.py_func.__qualname__}" in _ready


def call(function: Any, what: str, announce: Announce | None, *args: Any) -> Any:
    """Call a kernel; if this is the first call on this machine, say what is being compiled.

    One thread compiles at a time, so that two sessions asking for the same family do not
    compile it twice; once a kernel is ready the lock is never taken again.
    """
    name = f"{function.py_func.__module__}.{function.py_func.__qualname__}"
    if name in _ready:
        return function(*args)
    with _compiling:
        if name in _ready:
            return function(*args)
        marker = CACHE_DIR / f"{name}.ready" if CACHE_DIR else None
        if announce is not None and (marker is None or not marker.exists()):
            announce(f"compiling {what}, once")
        result = function(*args)
        _ready.add(name)
        if marker is not None:
            with suppress(OSError):  # a full disk must not stop a forest
                marker.touch()
    return result
