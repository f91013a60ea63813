"""Views: record -> picture. Pure drawing with Bokeh; no forests, no widgets, no state."""
