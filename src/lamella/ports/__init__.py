"""Ports: protocols for everything outside of the application."""
