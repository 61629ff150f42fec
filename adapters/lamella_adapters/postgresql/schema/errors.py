"""Errors of this storage, which are named in `errors.tsv`."""

from lamella_adapters.failures import failures

failure = failures(__file__)
"""Function that returns the error with a name. Keyword arguments replace the placeholders in the error's texts."""
