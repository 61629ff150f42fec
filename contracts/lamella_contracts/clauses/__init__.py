"""The clauses, by theme. pytest rewrites the assertions in here, so that a failure shows its values."""
