"""Forests as Menze et al. grew them: out-of-bag samples choose lambda (s.2, step 4a).

Our own default leaves them to judge the forest (see ``ForestSpec.tuning``). The studies of this
paper keep to its rule; what they report is cross-validated, so that the rule flatters nobody.
"""

from __future__ import annotations

from typing import Any

from explorer.engine import FAMILIES, ForestSpec


def rule(family: str) -> dict[str, Any]:
    """The knobs by which the paper's forest differs from the family here."""
    spec = FAMILIES[family]
    return {} if spec.tuning is None or spec.bootstrap == "none" else {"tuning": "oob"}


def as_printed(family: str) -> ForestSpec:
    """The family with the paper's rule."""
    return FAMILIES[family].replace(**rule(family))
