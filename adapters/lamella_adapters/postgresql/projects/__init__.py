"""Registry of projects, merges and splits."""
