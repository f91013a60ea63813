"""Forest Explorer: see what the splits of random forests and oblique random forests do."""

__version__ = "0.1.0"
