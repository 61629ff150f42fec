"""Secrets that a word's look and the words beside it tell of."""
