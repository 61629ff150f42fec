"""Clauses of the contracts, with a module or package for each theme.

Each clause is a test. Its docstring begins with "Fails if" and names the faults that it detects. pytest rewrites
the assertions of clauses, so that a failure shows the compared values.
"""
