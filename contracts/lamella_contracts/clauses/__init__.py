"""The clauses by theme. The docstring of a clause says when it fails, and begins with "Fails if".

pytest rewrites the assertions of clauses, so that a failure shows the compared values.
"""
