"""Hooks of clients: capturing events, giving context, and the files that hooks share (spool, session records).

Each hook is a separate process, and the user waits for it. Modules for capturing therefore import little of the
standard library and nothing else. Importing `re`, `json`, `typing`, `collections` or `pathlib` takes as long as
the rest of a hook. Only the package `clients` knows the names that a client uses. All other modules work on an
`Event`.
"""
