"""Conversations that other clients have recorded: one module for each client, and what their readers share."""
