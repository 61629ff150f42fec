"""Paths relative to a repository, always inside the repository."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

# ruff: noqa: PTH118 - pathlib drops `.` and `//` before they can be seen

_MAX_NAME_BYTES = 255
_MAX_PATH_BYTES = 4096
"""Maximum lengths of a name and of a path on Linux and macOS. No file has a longer name or path."""


def inside(root: str, path: str) -> str | None:
    """Return `path` as `relative` does; None for a blank path, or a path outside of `root`.

    Raises:
        OSError: The path is too long, or a folder in it can't be read.
        ValueError: The path has a NUL.
    """
    root = os.path.realpath(root)
    given = os.path.join(root, path)
    if len(os.fsencode(given)) > _MAX_PATH_BYTES or any(
        len(os.fsencode(name)) > _MAX_NAME_BYTES for name in given.split("/")
    ):
        return None
    if os.path.realpath(given) == root:  # also if `given` is a symbolic link to the root
        return "."
    folder, name = os.path.split(given.rstrip("/"))
    while name == ".":
        folder, name = os.path.split(folder.rstrip("/"))
    resolved = os.path.realpath(given) if name == ".." else os.path.join(os.path.realpath(folder), name)
    inside = resolved.removeprefix(root.rstrip("/") + "/")
    return inside if inside != resolved and inside.strip() else None


def relative(root: str, path: str) -> str:
    """Return the canonical relative path of a file.

    Links among the folders of the path are resolved. So all paths to a file give the same result, and none leads
    outside. The last component is not resolved: a symbolic link is a file of the project, whatever its target. The
    file need not exist.

    Args:
        root: The folder that must contain the path.
        path: A path relative to `root`, or an absolute path within `root`.

    Raises:
        PathOutsideProjectError: The path leads outside, or is invalid (a NUL, too long, blank).
    """
    from lamella.domain.errors import PathOutsideProjectError  # noqa: PLC0415 - imports attrs, and hooks use `inside`

    try:
        found = inside(root, path)
    except (OSError, ValueError) as error:
        raise PathOutsideProjectError(path=path) from error
    if found is None:
        raise PathOutsideProjectError(path=path)
    return found


@contextmanager
def opened_folder(root: str, path: str) -> Iterator[tuple[int, str]]:
    """Open the folder of a file, and yield the folder with the file's name.

    The folders of the path are opened one by one. So no link is followed, even if it was created after the check
    of the path.

    Raises:
        OSError: A folder is missing, or is a file.
        ValueError: The path leads outside of `root`.
    """
    *folders, name = path.split("/")
    if not {"", ".", ".."}.isdisjoint((*folders, name)):
        raise ValueError(path)
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for each in folders:
            inner = os.open(each, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor, name
    finally:
        os.close(descriptor)
