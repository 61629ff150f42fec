"""Hooks of clients, which capture events and give context back, and what they leave: the spool and sessions.

Each hook is a process of its own, and the user waits for it. Modules that capture import little of the standard
library and nothing else: `re`, `json`, `typing`, `collections` or `pathlib` each cost as much as all the rest.
Only `clients` knows how a client names things; everything else speaks of an `Event`.
"""
