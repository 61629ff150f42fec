"""Errors of this storage, by their names in `errors.tsv`."""

from lamella_adapters.failures import failures

failure = failures(__file__)
"""Returns the error with a name. Keyword arguments replace the placeholders in its texts."""
