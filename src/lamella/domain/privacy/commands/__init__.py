"""Secrets on command lines."""
