"""Forests in files as nobody saves them: made by code, from fixed seeds.

A forged file is whole as a zip and wrong as a forest. ``forgeries`` makes as many as wanted, each
by one to three changes of the kinds that once got through: numbers at the ends of their types,
nodes that share a child, offsets that disagree, huge ranks.
"""

import io
import json

import numpy as np

WHOLE = (0, 1, -1, 2, -2, 7, 2**31 - 1, 2**31 - 2, -(2**31), 2**62, -(2**63))
REAL = (0.0, -1.0, 1e-320, 1e300, -1e308, 1.7e308, np.inf, -np.inf, np.nan)


def forged(data, **changes):
    """The same file with some arrays replaced: intact as a zip, wrong as a forest."""
    with np.load(io.BytesIO(data)) as file:
        arrays = dict(file)
    for name, change in changes.items():
        if name == "header":
            header = json.loads(arrays["header"].tobytes())
            change(header)
            arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
        else:
            arrays[name] = change(arrays[name].copy())
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def poke(name, value, at=0):
    def change(a):
        a[at] = value
        return a

    return {name: change}


def _odd_value(a, rng):
    a = a.copy()
    if a.size:
        values = REAL if a.dtype.kind == "f" else WHOLE
        value = values[rng.integers(len(values))]
        if a.dtype.kind in "iu":
            info = np.iinfo(a.dtype)
            value = min(max(value, info.min), info.max)
        a.reshape(-1)[rng.integers(a.size)] = value
    return a


def _nearby(a, rng):
    a = a.copy()
    if a.size:
        with np.errstate(over="ignore"):
            a.reshape(-1)[rng.integers(a.size)] += np.array(rng.integers(-3, 4)).astype(a.dtype)
    return a


def _borrowed(a, rng):
    """One place gets what stands in another: nodes that share a child, trees that share a leaf."""
    a = a.copy()
    if a.size:
        flat = a.reshape(-1)
        flat[rng.integers(a.size)] = flat[rng.integers(a.size)]
    return a


def _shorter(a, rng):
    return a[: rng.integers(len(a) + 1)]


def _longer(a, rng):
    return np.concatenate([a, a[:1]])


def _shuffled(a, rng):
    return rng.permutation(a)


CHANGES = (_odd_value, _odd_value, _nearby, _nearby, _borrowed, _borrowed, _shorter, _longer)
CHANGES += (_shuffled,)


def _changed_header(arrays, rng):
    header = json.loads(arrays["header"].tobytes())
    name = ["n_features", "scaling_n", "version", "scaling", "digest"][rng.integers(5)]
    values = [0, 1, -1, 2**31, 2**63, 1e308, "rank", "none", None, [], {}]
    header[name] = values[rng.integers(len(values))]
    return np.frombuffer(json.dumps(header).encode(), np.uint8)


def forgeries(samples, count, seed):
    """(what was done, the bytes of the file), ``count`` times, from saved forests."""
    rng = np.random.default_rng(seed)
    opened = []
    for data in samples:
        with np.load(io.BytesIO(data)) as file:
            opened.append(dict(file))
    for _ in range(count):
        arrays = dict(opened[rng.integers(len(opened))])
        done = []
        for _ in range(rng.integers(1, 4)):
            name = sorted(arrays)[rng.integers(len(arrays))]
            if name == "header":
                arrays[name] = _changed_header(arrays, rng)
                done.append(name)
                continue
            if arrays[name].dtype.kind not in "iuf":
                continue
            change = CHANGES[rng.integers(len(CHANGES))]
            arrays[name] = change(arrays[name], rng)
            done.append(f"{change.__name__} {name}")
        out = io.BytesIO()
        np.savez(out, **arrays)
        yield ", ".join(done), out.getvalue()
