"""Menze, Kelm, Splitthoff, Koethe, Hamprecht: On Oblique Random Forests (2011), run again."""
