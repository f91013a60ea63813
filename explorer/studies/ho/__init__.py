"""Ho: Random Decision Forests (1995), run again."""
