"""Embed memories and questions."""
