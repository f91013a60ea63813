"""Sazonau: Implementation and Evaluation of a Random Forest Machine Learning Algorithm (2012)."""
