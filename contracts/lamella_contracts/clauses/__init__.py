"""The clauses by theme. pytest rewrites their assertions, so that a failure shows the compared values."""
