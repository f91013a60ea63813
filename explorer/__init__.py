"""Forest Explorer: see what the splits of random forests and oblique random forests do."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .estimators import ForestClassifier

__version__ = "0.1.0"
__all__ = ["ForestClassifier", "__version__"]


def __getattr__(name: str) -> Any:
    # on demand, because the engine must not pull in scikit-learn
    if name == "ForestClassifier":
        from .estimators import ForestClassifier

        return ForestClassifier
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
