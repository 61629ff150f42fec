"""Commands for moving memories and conversations in and out."""
