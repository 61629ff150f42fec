"""Readers of conversations recorded by other clients: one module for each client, and the parts they share."""
