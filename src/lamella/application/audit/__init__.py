"""Use cases of the audit trail: show changes of memories, and undo them."""
