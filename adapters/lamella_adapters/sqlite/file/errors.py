"""Errors of this storage, by their names in `errors.tsv`."""

from lamella_adapters.failures import failures

failure = failures(__file__)
"""Returns an error, with the values of the placeholders in its texts."""
