"""At every node the better of the best axis split and the ridge split (Menze's outlook, s.6).

Both draw their own m_try features. Where no out-of-bag sample is left to choose lambda, the
axis split stands alone, and growth goes on until the classes are separated.
"""

from ..grow import grow_trees
from ..jit import grower, template
from ..scratch import CUT, GAIN, KIND
from .axis import axis
from .ridge import ridge


@template
def mixed(table, knobs, node, work, split):
    if not axis(table, knobs, node, work, split):
        return ridge(table, knobs, node, work, split)
    kind, cut, gain = split.what[KIND], split.score[CUT], split.score[GAIN]
    if ridge(table, knobs, node, work, split) and split.score[GAIN] > gain:
        return True
    split.what[KIND], split.score[CUT], split.score[GAIN] = kind, cut, gain
    return True


@grower
def grow_mixed(table, knobs, first, trees, block, stop, yard):
    return grow_trees(mixed, table, knobs, first, trees, block, stop, yard)
