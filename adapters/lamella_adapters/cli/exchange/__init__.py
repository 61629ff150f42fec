"""Commands that move memories and conversations in and out."""
