"""Connecting the clients on this machine: entries in their configurations, and their removal."""
