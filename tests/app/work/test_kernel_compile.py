import threading

import pytest

from explorer.app.state.visitor import DataState
from explorer.app.work import kernel_compile
from explorer.app.work.cache import Cache
from explorer.app.work.map_work import pictures
from explorer.app.work.requests import MapRequest
from explorer.engine import FAMILIES
from explorer.engine.kernels import jit

RF = FAMILIES["RF"]


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(jit, "CACHE_DIR", tmp_path)
    monkeypatch.setattr(kernel_compile, "_running", {})
    return tmp_path


def mark_ready(folder):
    function = kernel_compile.DIRECTIONS[RF.split].grow.py_func
    (folder / f"{function.__module__}.{function.__qualname__}.ready").touch()


def test_a_family_is_prepared_only_once_its_child_process_has_ended(empty_cache, monkeypatch):
    growing_compiled, drawing_compiled = threading.Event(), threading.Event()

    def child(spec):
        mark_ready(empty_cache)  # the kernel that grows is first; those that draw come after it
        growing_compiled.set()
        assert drawing_compiled.wait(60)

    monkeypatch.setattr(kernel_compile, "prepare", child)
    assert not kernel_compile.prepared(RF)
    assert growing_compiled.wait(60)
    assert kernel_compile.is_ready(RF)
    assert not kernel_compile.prepared(RF)
    drawing_compiled.set()
    kernel_compile._running[RF.split].join(60)
    assert kernel_compile.prepared(RF)


def test_a_family_in_the_cache_needs_no_child_process(empty_cache, monkeypatch):
    mark_ready(empty_cache)
    monkeypatch.setattr(kernel_compile, "prepare", None)
    assert kernel_compile.prepared(RF)
    assert kernel_compile._running == {}


def test_where_nothing_can_be_kept_no_child_is_started(monkeypatch):
    monkeypatch.setattr(jit, "CACHE_DIR", None)
    monkeypatch.setattr(kernel_compile, "prepare", None)
    assert kernel_compile.prepared(RF)


def kernels_called(monkeypatch, work):
    """The kernels that some work calls, as if none had been called before."""
    called = set()
    monkeypatch.setattr(jit, "_ready", called)
    work()
    return called


@pytest.mark.parametrize("family", ["RF", "oRF-ridge"])
def test_the_child_process_compiles_every_kernel_of_the_first_map(monkeypatch, family):
    state = DataState()
    spec = FAMILIES[family].replace(n_tree=5)
    request = MapRequest(state.recipe(), (spec,), pixels=(40, 30))
    needed = kernels_called(monkeypatch, lambda: [*pictures(request, Cache(), threading.Event())])
    compiled = kernels_called(monkeypatch, lambda: kernel_compile.compile_one(spec.split))
    assert needed
    assert needed - compiled == set()
