"""Show the audit trail, and undo changes."""
