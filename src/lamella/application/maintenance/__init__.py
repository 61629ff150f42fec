"""Status, diagnosis and index maintenance."""
