"""Where in a project a path leads. Hooks use this module, so it imports little."""

# ruff: noqa: PTH118 - pathlib drops `.` and `//` before they can be looked at

import os

_MAX_NAME_BYTES = 255
_MAX_PATH_BYTES = 4096
"""What Linux and macOS can hold at most; a longer path can't be a file."""


def inside(root: str, path: str) -> str | None:
    """`path` as the one relative path that stands for the file, None if it leads outside or is blank.

    See `paths.relative`.

    Raises:
        OSError: it can't be a path, or the way to it can't be followed.
        ValueError: it holds a NUL.
    """
    return _within(os.path.realpath(root), path)


def _within(root: str, path: str) -> str | None:
    given = os.path.join(root, path)
    if len(os.fsencode(given)) > _MAX_PATH_BYTES or any(
        len(os.fsencode(name)) > _MAX_NAME_BYTES for name in given.split("/")
    ):
        return None
    if os.path.realpath(given) == root:  # also by a symbolic link to it
        return "."
    folder, name = os.path.split(given.rstrip("/"))
    while name == ".":
        folder, name = os.path.split(folder.rstrip("/"))
    resolved = os.path.realpath(given) if name == ".." else os.path.join(os.path.realpath(folder), name)
    inside = resolved.removeprefix(root.rstrip("/") + "/")
    return inside if inside != resolved and inside.strip() else None
