"""Do, Lenca, Lallich, Pham: random forests of oblique decision trees (2010), run again."""
