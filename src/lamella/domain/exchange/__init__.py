"""Memories and conversations on their way in and out: import and export."""
