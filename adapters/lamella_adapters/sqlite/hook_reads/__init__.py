"""Reads for hooks, which import little."""
