"""Keys of locations. A key identifies a folder or repository on a machine: a kind, such as `git:`, and a path.

Hooks use this module, so it imports nothing.
"""

EVERYWHERE = "everywhere:"
"""Key of the user's global memories, which belong to no folder. No folder or name has this key."""

FOLDER, REPOSITORY = "dir:", "git:"
"""Prefixes of the keys of folders and repositories, before their paths."""

ROOT, REMOTE, ENTRY = "root:", "remote:", "entry:"
"""Prefixes of traces, which identify a folder after a move.

They are the first commit and the remote of a repository, and hashes of the names and times of old entries.
"""

_NAME = "name:"


def key_of_name(name: str) -> str:
    """Return the key of a project that a caller chose by name before the project existed."""
    return f"{_NAME}{name}"


def is_name(key: str) -> bool:
    """Return True for a key made of a name, which is valid on every machine."""
    return key.startswith(_NAME)


def key_to_bytes(key: str) -> bytes:
    """Encode a key as bytes for storage: text in a database must be valid UTF-8, but paths needn't be."""
    return key.encode(errors="surrogatepass")


def key_from_bytes(stored: bytes) -> str:
    """Decode a stored key."""
    return stored.decode(errors="surrogatepass")


def trace_of(project: str, trace: str) -> str:
    """Return the alias to store for a trace of a project.

    Clones have the same traces, so the alias contains the project's id to keep them separate projects.
    """
    return f"{trace}:{project}"


def is_trace(alias: str) -> bool:
    """Return True if an alias is a trace. Traces aren't used to find the project at a location."""
    return alias.startswith((ROOT, REMOTE, ENTRY))
