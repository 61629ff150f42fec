"""Paths as a project writes them: relative to its root, with `/`, and inside."""

from lamella.domain.errors import PathOutsideProjectError
from lamella_adapters.git.inside import inside


def relative(root: str, path: str) -> str:
    """`path`, relative to `root` or absolute within it, as the one relative path that stands for the file.

    Folders on the way are resolved, so that two ways to a file give one path, and no way leads out. The last
    component is not: a symbolic link is a file of the project, whatever it points to. Nothing needs to exist.

    Raises:
        PathOutsideProjectError: it leads outside, or can't be a path at all (a NUL, too long, blank).
    """
    try:
        found = inside(root, path)
    except (OSError, ValueError) as error:
        raise PathOutsideProjectError(path=path) from error
    if found is None:
        raise PathOutsideProjectError(path=path)
    return found
