"""Secrets recognised by a word's form and the words beside it."""
