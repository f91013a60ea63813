"""Data, transforms, planes, models and uploads in the sidebar."""
