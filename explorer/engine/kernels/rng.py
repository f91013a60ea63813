"""Random numbers of one tree: xoshiro256++ on an explicit state of four uint64.

The state is seeded from (seed, t) through splitmix64, so tree t draws the same numbers
whatever thread, chunk or machine grows it. numba's own ``np.random`` is per thread.
"""

import numpy as np

from .jit import step

U = np.uint64
_GOLDEN = U(0x9E3779B97F4A7C15)
_MIX1 = U(0xBF58476D1CE4E5B9)
_MIX2 = U(0x94D049BB133111EB)
_TREE = U(0xD1342543DE82EF95)
_S11, _S17, _S23, _S27, _S30, _S31, _S32 = U(11), U(17), U(23), U(27), U(30), U(31), U(32)
_S41, _S45, _S19 = U(41), U(45), U(19)
_UNIT = 1.0 / 9007199254740992.0  # 2**-53
_TRIES = 1000  # each try succeeds with probability pi / 4


@step
def _splitmix(x):
    z = x
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return z ^ (z >> _S31)


@step
def seed_tree(state, seed, t):
    """Fill ``state`` (uint64[4]) for tree ``t`` of a forest with ``seed``."""
    x = _splitmix(U(seed) + _GOLDEN) ^ _splitmix((U(t) + U(1)) * _TREE)
    for i in range(4):
        x = x + _GOLDEN
        state[i] = _splitmix(x)


@step
def draw(state):
    """The next uint64."""
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    mixed = s0 + s3
    out = ((mixed << _S23) | (mixed >> _S41)) + s0
    t = s1 << _S17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = (s3 << _S45) | (s3 >> _S19)
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    return out


@step
def uniform(state):
    """A float64 in [0, 1)."""
    return np.float64(draw(state) >> _S11) * _UNIT


@step
def below(state, n):
    """An int64 in 0 .. n-1, for n < 2**32 (bias below 2**-32)."""
    return np.int64(((draw(state) >> _S32) * U(n)) >> _S32)


@step
def normal(state):
    """A standard normal float64 (polar method, one of the pair)."""
    for _ in range(_TRIES):
        a = 2.0 * uniform(state) - 1.0
        b = 2.0 * uniform(state) - 1.0
        r = a * a + b * b
        if 0.0 < r < 1.0:
            return a * np.sqrt(-2.0 * np.log(r) / r)
    return 0.0


@step
def draw_features(state, pool, m):
    """Move a random m-subset of ``pool`` (int32) to its front, without replacement."""
    n = pool.size
    for i in range(m):
        j = i + below(state, n - i)
        pool[i], pool[j] = pool[j], pool[i]
