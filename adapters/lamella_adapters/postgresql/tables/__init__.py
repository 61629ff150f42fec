"""Rows and index entries that several capabilities share."""
