"""The papers' names, each with the defaults of its paper."""

import difflib
from typing import Any

from .spec import ForestSpec


class UnknownFamily(KeyError, ValueError):
    """A name that no family has; the text proposes the nearest ones."""

    def __str__(self) -> str:
        return str(self.args[0])


class Families(dict[str, ForestSpec]):
    """Families by name. A name that is not there is answered with the nearest ones."""

    def __missing__(self, name: object) -> ForestSpec:
        near = self.nearest(str(name))
        hint = f" Do you mean {' or '.join(repr(k) for k in near)}?" if near else ""
        raise UnknownFamily(
            f"There is no family named {name!r}.{hint} The families are {', '.join(self)}."
        )

    def nearest(self, name: str) -> list[str]:
        """Up to three names like this one: the same but for case, longer by an ending, or alike."""
        plain = {_plain(key): key for key in self}
        text = _plain(name)
        if text in plain:
            return [plain[text]]
        longer = [key for short, key in plain.items() if text and short.startswith(text)]
        alike = [plain[k] for k in difflib.get_close_matches(text, plain, 3, 0.6)]
        return list(dict.fromkeys(longer + alike))[:3]


def _plain(name: str) -> str:
    return name.casefold().replace("_", "-").replace(" ", "-")


# Tomita s.3.1: nodes of less than 10 samples are leaves, 500 trees, L = 2.
_TOMITA: dict[str, Any] = {"n_tree": 500, "min_leaf": 9}
# Ho s.3: a random subspace per tree, all training samples, posteriors of the leaves averaged.
# s.5 uses 100 or 200 of 400 features: half of them.
_HO: dict[str, Any] = {"bootstrap": "none", "subspace": "tree", "m_try": 0.5, "vote": "posterior"}
# Do s.3.2 and table 3: 50 to 500 trees, n' = sqrt(n).
_DO: dict[str, Any] = {"n_tree": 200}

FAMILIES: Families = Families(
    {
        # Menze s.3
        "CART": ForestSpec(n_tree=1, m_try="all", bootstrap="none", prune=10),
        "RF": ForestSpec(),
        "RF-rnd": ForestSpec(m_try=1),
        # Sazonau Algorithm 2, s.3
        "RF-thresholds": ForestSpec(
            split="thresholds", criterion="entropy", min_leaf=5, n_thresholds=5, n_tree=15
        ),
        "RF-C4.5": ForestSpec(criterion="gain_ratio", **_DO),
        # Menze s.2, Fig. 4, s.5
        "oblique-tree": ForestSpec(split="ridge", n_tree=1, m_try="all", bootstrap="none"),
        "oRF-rnd": ForestSpec(split="random"),
        "oRF-lda": ForestSpec(split="lda"),
        "oRF-ridge": ForestSpec(split="ridge"),
        "oRF-log": ForestSpec(split="logistic"),
        # Tomita s.2.4
        "F-RC": ForestSpec(split="sparse", **_TOMITA),
        "FRANK": ForestSpec(split="sparse", scaling="rank", **_TOMITA),
        "RR-RF": ForestSpec(rotate=True, **_TOMITA),
        "RR-RF(r)": ForestSpec(rotate=True, scaling="rank", **_TOMITA),
        # Do s.2.3
        "RF-ODT": ForestSpec(split="psvm", **_DO),
        # Ho s.2-3; figures 1 and 2 stop at 20 and 10 trees
        "RDF-CAP": ForestSpec(split="cap", n_tree=20, **_HO),
        "RDF-PER": ForestSpec(split="perceptron", n_tree=10, **_HO),
        # the outlooks of Menze s.6 and Tomita s.5
        "oRF-mixed": ForestSpec(split="mixed"),
        "F-RC-sparse": ForestSpec(split="sparse", n_combine=4, vary_combine=True, **_TOMITA),
    }
)
