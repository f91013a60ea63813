"""Downloads: pictures, numbers, the script, the models and the report."""
