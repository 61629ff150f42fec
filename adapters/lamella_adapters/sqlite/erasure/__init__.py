"""Erasure of rows, of every index of them, and of the bytes they leave behind."""
