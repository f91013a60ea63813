"""A plane through feature space: where pictures of forests are taken."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Plane:
    """Points origin + s u + t v for s, t in [0, 1]; s runs along a pixel row, t over the rows."""

    origin: np.ndarray  # float64[P]
    u: np.ndarray  # float64[P]
    v: np.ndarray  # float64[P]

    def __post_init__(self) -> None:
        for name in ("origin", "u", "v"):
            a = np.array(getattr(self, name), dtype=np.float64)
            if a.ndim != 1 or not np.isfinite(a).all():
                raise ValueError(f"A plane's {name} is a list of finite numbers, one per feature.")
            a.flags.writeable = False
            object.__setattr__(self, name, a)
        if not self.origin.size == self.u.size == self.v.size:
            raise ValueError(
                "A plane's origin, u and v need as many numbers as there are features."
            )

    @classmethod
    def axes(
        cls,
        i: int,
        j: int,
        x_range: tuple[float, float],
        y_range: tuple[float, float],
        at: np.ndarray | None = None,
    ) -> "Plane":
        """Feature i across, feature j up, the rest fixed at ``at`` (zeros for two features)."""
        rest = np.zeros(2) if at is None else np.array(at, dtype=np.float64)
        P = rest.size
        if i == j or not (0 <= i < P and 0 <= j < P):
            raise ValueError(
                f"Choose two different features out of 0 ... {P - 1}, not {i} and {j}."
            )
        u, v = np.zeros(P), np.zeros(P)
        rest[i], rest[j] = x_range[0], y_range[0]
        u[i] = x_range[1] - x_range[0]
        v[j] = y_range[1] - y_range[0]
        return cls(rest, u, v)

    @property
    def pair(self) -> tuple[int, int] | None:
        """(i, j) if the plane is spanned by two single features, else None."""
        i, j = np.flatnonzero(self.u), np.flatnonzero(self.v)
        if i.size == 1 and j.size == 1 and i[0] != j[0]:
            return int(i[0]), int(j[0])
        return None

    def points(self, width: int, height: int) -> np.ndarray:
        """Pixel centres, float64[height, width, P]; the first row is at t = 1 / (2 height)."""
        s = (np.arange(width) + 0.5) / width
        t = (np.arange(height) + 0.5) / height
        return self.origin + s[None, :, None] * self.u + t[:, None, None] * self.v
