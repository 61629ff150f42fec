"""Memories of other programs, one module for each."""
