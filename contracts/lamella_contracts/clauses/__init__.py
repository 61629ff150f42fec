"""The clauses by theme. pytest rewrites their assertions to show the values of a failure."""
