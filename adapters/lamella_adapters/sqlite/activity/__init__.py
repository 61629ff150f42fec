"""The log of activity."""
