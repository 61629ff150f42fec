"""Hooks of clients: capturing events, giving context, and the files between hooks: the spool and sessions.

Each hook is a process of its own, and the user waits for it. Modules for capturing import little of the standard
library and nothing else: `re`, `json`, `typing`, `collections` or `pathlib` each cost as much as all the rest.
Only `clients` knows the names used by a client; everything else works on an `Event`.
"""
