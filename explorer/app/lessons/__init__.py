"""The lesson player; the lessons themselves are in content/."""
