"""Activity log and audit trail."""
