"""Vectors and the calibration of their similarity."""
