"""Faults in embeddings."""
