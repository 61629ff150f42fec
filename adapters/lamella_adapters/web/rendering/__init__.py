"""Conversion of values to HTML."""
