"""Export of memories and conversations, and their way back in."""
