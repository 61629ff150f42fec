"""The memory program engram."""
