"""Scaling of features before a forest is grown (Tomita s.2.5, to the letter).

Fitted on training data, applied to new data. Each acts on one feature at a time and never
reverses an order. A feature that is constant in training is left at zero distance.
"""

from dataclasses import dataclass

import numpy as np

FAR = 1e300  # scaled values stay finite, and so do their sums


@dataclass(frozen=True)
class Scaling:
    """``kind`` is none, percentile, zscore (affine: (x - shift) / scale) or rank.

    rank: in-sample values become their average rank 1 ... n; values between two in-sample ones
    are interpolated; values below all become 0, above all n + 1. The knots of feature f are
    values[at[f]:at[f+1]], strictly ascending, with their ranks.
    """

    kind: str
    shift: np.ndarray  # float64[P]
    scale: np.ndarray  # float64[P], positive
    at: np.ndarray  # int64[P + 1], or [1]
    values: np.ndarray  # float64
    ranks: np.ndarray  # float64
    n: float  # rows, or their weight

    @classmethod
    def fit(cls, kind: str, X: np.ndarray, weight: np.ndarray | None = None) -> "Scaling":
        """Fit on X (float64[n, P], finite); a row of weight 2 counts as two rows."""
        if weight is not None and (weight != 1).any():
            return cls._fit_weighted(kind, X, weight)
        n, P = X.shape
        shift, scale = np.zeros(P), np.ones(P)
        at, values, ranks = np.zeros(1, np.int64), np.empty(0), np.empty(0)
        if kind == "percentile":
            shift = X.min(axis=0)
            scale = X.max(axis=0) - shift
        elif kind == "zscore":
            shift = np.clip(X.mean(axis=0), X.min(axis=0), X.max(axis=0))
            away = X - shift
            reach = np.abs(away).max(axis=0)
            reach[reach == 0] = 1.0
            away /= reach  # squares stay in range
            scale = reach * np.sqrt((away * away).sum(axis=0) / max(n - 1, 1))
        elif kind == "rank":
            knots = [np.unique(X[:, f] + 0.0, return_counts=True) for f in range(P)]
            at = np.concatenate([[0], np.cumsum([v.size for v, _ in knots])]).astype(np.int64)
            values = np.concatenate([v for v, _ in knots])
            ranks = np.concatenate([np.cumsum(c) - (c - 1) / 2 for _, c in knots])
        scale = np.where((scale > 0) & np.isfinite(scale), scale, 1.0)
        for a in (shift, scale, at, values, ranks):
            a.flags.writeable = False
        return cls(kind, shift, scale, at, values, ranks, n)

    @classmethod
    def _fit_weighted(cls, kind: str, X: np.ndarray, weight: np.ndarray) -> "Scaling":
        plain = cls.fit("percentile" if kind == "percentile" else "none", X)
        total = float(weight.sum())
        shift, scale = plain.shift, plain.scale
        at, values, ranks = plain.at, plain.values, plain.ranks
        if kind == "zscore":
            shift = np.clip(weight @ X / total, X.min(axis=0), X.max(axis=0))
            away = X - shift
            reach = np.abs(away).max(axis=0)
            reach[reach == 0] = 1.0
            away /= reach
            free = total - 1.0 if total > 1.0 else total
            scale = reach * np.sqrt(weight @ (away * away) / free)
            scale = np.where((scale > 0) & np.isfinite(scale), scale, 1.0)
        elif kind == "rank":
            knots = [np.unique(X[:, f] + 0.0, return_inverse=True) for f in range(X.shape[1])]
            heavy = [np.bincount(inverse, weight) for _, inverse in knots]
            at = np.concatenate([[0], np.cumsum([v.size for v, _ in knots])]).astype(np.int64)
            values = np.concatenate([v for v, _ in knots])
            ranks = np.concatenate([np.cumsum(w) - (w - 1) / 2 for w in heavy])
        for a in (shift, scale, at, values, ranks):
            a.flags.writeable = False
        return cls(kind, shift, scale, at, values, ranks, total)

    @classmethod
    def fit_known(cls, kind: str, X: np.ndarray, weight: np.ndarray) -> "Scaling":
        """Fit every feature on its known values; one without any is left as it is."""
        n = cls.fit("none", X, weight).n
        known = ~np.isnan(X)
        parts = []
        for f in range(X.shape[1]):
            rows = known[:, f]
            if rows.any():
                parts.append(cls.fit(kind, np.ascontiguousarray(X[rows, f : f + 1]), weight[rows]))
            else:
                parts.append(cls.fit(kind, np.zeros((1, 1))))
        joined = {
            name: np.concatenate([getattr(part, name) for part in parts])
            for name in ("shift", "scale", "values", "ranks")
        }
        sizes = [part.values.size for part in parts]
        at = np.cumsum([0, *sizes]) if kind == "rank" else np.zeros(1)
        joined["at"] = at.astype(np.int64)
        for a in joined.values():
            a.flags.writeable = False
        return cls(kind, n=n, **joined)

    @property
    def affine(self) -> bool:
        return self.kind != "rank"

    def column(self, f: int, x: np.ndarray) -> np.ndarray:
        """Scaled values of feature f."""
        if self.kind == "none":
            return x
        if self.affine:
            with np.errstate(over="ignore"):
                return np.clip((x - self.shift[f]) / self.scale[f], -FAR, FAR)
        a, b = self.at[f], self.at[f + 1]
        return np.interp(x, self.values[a:b], self.ranks[a:b], left=0.0, right=self.n + 1.0)

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Scaled copy of X (X itself for kind none)."""
        if self.kind == "none":
            return X
        if self.affine:
            with np.errstate(over="ignore"):  # far outside a tiny range
                out = (X - self.shift) / self.scale
            return np.clip(out, -FAR, FAR, out=out)
        out = np.empty_like(X)
        for f in range(X.shape[1]):
            out[:, f] = self.column(f, X[:, f])
        return out

    @property
    def nbytes(self) -> int:
        return sum(a.nbytes for a in (self.shift, self.scale, self.at, self.values, self.ranks))
