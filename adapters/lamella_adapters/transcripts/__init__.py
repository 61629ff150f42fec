"""Readers of conversations that other programs have recorded: a module for each client, and shared parts."""
