"""Copies of projects, files for keeping elsewhere, and the way back."""
