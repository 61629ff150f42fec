"""Tables, row-level security and migrations."""
