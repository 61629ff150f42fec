"""The registry, and merges and splits."""
