"""Generators with known truth. One file per distribution; `explorer.data.listing` lists them."""
