"""Connecting the clients on this machine: what is written into their configurations, and taken out again."""
