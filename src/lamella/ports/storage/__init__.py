"""Ports of a storage adapter."""
