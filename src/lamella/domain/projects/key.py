"""Keys of the places where projects live.

Hooks use this module, so it imports nothing.
"""

EVERYWHERE = "everywhere:"
"""Key of the place where memories live that hold in every project of the user. No folder and no name has it."""

FOLDER, REPOSITORY = "dir:", "git:"
"""Beginnings of the keys of a folder, and of a repository, before their paths."""

ROOT, REMOTE = "root:", "remote:"
"""Beginnings of traces of a repository: its first commit, and its remote."""

_NAME = "name:"


def key_of_name(name: str) -> str:
    """Return the key of the place where a project lives that was set by `name` and had no memories then."""
    return f"{_NAME}{name}"


def is_name(key: str) -> bool:
    """Return True if a key is that of a name, which means the same on every machine."""
    return key.startswith(_NAME)


def key_to_bytes(key: str) -> bytes:
    """Return a key as it is stored: a path need not be UTF-8, and text in a database must be."""
    return key.encode(errors="surrogatepass")


def key_from_bytes(stored: bytes) -> str:
    """Return the key that was stored as these bytes."""
    return stored.decode(errors="surrogatepass")


def trace_of(project: str, trace: str) -> str:
    """Return an alias that says what a project's repository is known by. Clones of it are other projects."""
    return f"{trace}:{project}"


def is_trace(alias: str) -> bool:
    """Return True if an alias is a trace of a project's repository, and leads nowhere."""
    return alias.startswith((ROOT, REMOTE))
