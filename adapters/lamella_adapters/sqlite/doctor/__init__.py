"""Diagnosis and repair."""
