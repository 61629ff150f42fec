"""Rows and index entries used by several capabilities."""
