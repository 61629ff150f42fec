"""Recorded conversations of other clients: one module for each client, and common parts of readers."""
