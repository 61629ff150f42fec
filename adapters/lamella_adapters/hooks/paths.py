"""Paths and environment variables without `os`: its import costs a hook a seventh of its time.

System calls come from `posix`, a part of the interpreter.
"""

import sys

from lamella_adapters.process.calls import Descriptor, posix

_ENCODING = sys.getfilesystemencoding()
_KIND, _LINK, _REGULAR = 0o170000, 0o120000, 0o100000
"""Masks and values in a file's mode: the file type, a symbolic link, and a regular file; see inode(7)."""

_BY_PLACE = frozenset({"", ".", ".."})
"""Names that aren't a folder's own name, but refer to a folder by position."""


def decoded(name: bytes) -> str:
    """Decode a system name. `os.fsencode` restores the same bytes."""
    return name.decode(_ENCODING, "surrogateescape")


def variable(name: str) -> str:
    """Return the value of an environment variable; empty if the variable is unset."""
    return decoded(posix.environ.get(name.encode(), b""))


def is_absolute(path: str) -> bool:
    """Return True if a path begins at the root."""
    return path.startswith("/")


def joined(folder: str, path: str) -> str:
    """Join a folder and a path. Return an absolute path unchanged."""
    if is_absolute(path) or not folder:
        return path
    return f"{folder}{path}" if folder.endswith("/") else f"{folder}/{path}"


def text_of(path: str, most: int) -> str | None:
    """Return the text of a file. Return None if it is larger than `most` bytes, or not a regular file.

    Raises:
        OSError: The file can't be read.
    """
    # Don't block on pipes and devices.
    with Descriptor(posix.open(path, posix.O_RDONLY | posix.O_NONBLOCK)) as descriptor:
        status = posix.fstat(descriptor)
        if status.st_mode & _KIND != _REGULAR or status.st_size > most:
            return None
        return posix.read(descriptor, most).decode(errors="replace")


def make_folders(path: str) -> None:
    """Create a folder that only its owner may access, and missing parents.

    Raises:
        OSError: A folder can't be made.
    """
    try:
        posix.mkdir(path, 0o700)
    except FileExistsError:
        return
    except FileNotFoundError:
        around = path.rstrip("/").rpartition("/")[0]
        if not around:
            raise
        make_folders(around)
        try:
            posix.mkdir(path, 0o700)
        except FileExistsError:
            return  # another hook was faster


def real_path(path: str) -> str:
    """Return the path without symbolic links.

    Raises:
        ValueError: The path has a null character.
    """
    names = path.split("/")
    is_plain = is_absolute(path) and _BY_PLACE.isdisjoint(names[1:])
    if is_plain and not any(_is_link("/".join(names[:end])) for end in range(2, len(names) + 1)):
        return path
    import os  # noqa: PLC0415 - see above

    return os.path.realpath(path)


def _is_link(path: str) -> bool:
    try:
        return posix.lstat(path).st_mode & _KIND == _LINK
    except OSError:
        return False
