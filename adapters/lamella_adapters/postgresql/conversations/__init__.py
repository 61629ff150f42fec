"""Conversations and their search."""
