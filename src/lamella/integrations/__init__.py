"""Frameworks for agents, each imported with its module alone."""
