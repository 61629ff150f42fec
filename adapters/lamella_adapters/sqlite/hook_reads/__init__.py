"""Reads for hooks: quick, read-only and free of slow imports."""
