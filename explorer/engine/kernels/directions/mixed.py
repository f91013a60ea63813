"""At every node the better of the best axis split and the ridge split (Menze's outlook, s.6).

Both draw their own m_try features. Where no out-of-bag sample is left to choose lambda, the
axis split stands alone, and growth goes on until the classes are separated.
"""

from ..grow import grow_trees, make_yard
from ..jit import kernel, step, template
from .axis import axis
from .ridge import ridge


@template
def mixed(table, knobs, node, work, split):
    if not axis(table, knobs, node, work, split):
        return ridge(table, knobs, node, work, split)
    kind, cut, gain = split.kind[0], split.cut[0], split.gain[0]
    if ridge(table, knobs, node, work, split) and split.gain[0] > gain:
        return True
    split.kind[0], split.cut[0], split.gain[0] = kind, cut, gain
    return True


@step
def _mixed_trees(table, knobs, first, trees, block, stop, yard):
    return grow_trees(mixed, table, knobs, first, trees, block, stop, yard)


@kernel
def grow_mixed(table, knobs, first, trees, block, stop):
    yard = make_yard(table, knobs, True)
    return _mixed_trees(table, knobs, first, trees, block, stop, yard)
