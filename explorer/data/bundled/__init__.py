"""Real data sets: small ones in this folder (ATTRIBUTION.md says whose), others in scikit-learn."""
