"""Tomita, Maggioni, Vogelstein: ROFLMAO (2016), run again."""
