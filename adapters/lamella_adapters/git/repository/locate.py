"""Which repository a directory belongs to, read from the files that git leaves there.

No git process: this runs at the first call of each server and in hooks, on machines without git, and in
repositories of another owner that git refuses to enter (`safe.directory`). Nothing of the repository is executed
or obeyed.

`GIT_DIR`, `GIT_WORK_TREE` and the like are ignored. They are inherited from whoever started the process (git sets
them for its own hooks, from which an agent may be started), and would file the memories of this directory under
another project.
"""

# ruff: noqa: PTH113, PTH115, PTH118, PTH119, PTH120, PTH123 - importing pathlib costs a hook more than the search

import os
import sys
from collections.abc import Iterator

_DELETED = " (deleted)"
"""What Linux appends to the path of a directory that was."""

_MAX_FILE_BYTES = 64 * 1024
"""How much of a pointer file or configuration is read; real ones have a line or a page."""


def find(directory: str) -> tuple[str, str, str]:
    """The key, the name for people and the top of the working tree of the project that `directory` belongs to.

    The key is made of the real path of the git common directory, which all worktrees and subfolders of one
    repository share, or without a repository of the directory's own. So is the name: it must not depend on the
    worktree that one happens to be in. Never fails: what can't be read isn't there.
    """
    start = _real(directory)
    for folder in _upwards(start):
        dot_git = f"{folder}/.git"
        if os.path.isfile(dot_git):
            common = _common_directory(_pointer(dot_git, "gitdir: "))
            # A pointer to nowhere (its repository was moved or is not mounted) still marks the top of something
            # that isn't part of the repository further up.
            return _repository(common, folder) if common else _plain(folder)
        if common := _common_directory(dot_git):
            return _repository(common, folder)
        if common := _common_directory(folder):  # bare, or inside of `.git`
            return _repository(common, os.path.dirname(folder) if _is_dot_git(folder) else folder)
    return _plain(start)


def _repository(common: str, root: str) -> tuple[str, str, str]:
    return f"git:{common}", _name(common), root


def _plain(folder: str) -> tuple[str, str, str]:
    return f"dir:{folder}", os.path.basename(folder) or folder, folder


def _real(directory: str) -> str:
    if path := _known_to_linux(directory):
        return path
    try:
        return os.path.realpath(directory)
    except FileNotFoundError:  # relative to a working directory that has been deleted
        return os.path.normpath(os.path.join(_deleted_directory(), directory))
    except ValueError:  # a NUL, so there is no such directory
        return directory


def _known_to_linux(directory: str) -> str | None:
    """The real path of a directory that is there, in a tenth of the time that a look at each part of it takes."""
    if sys.platform != "linux":
        return None
    try:
        descriptor = os.open(directory, os.O_PATH | os.O_DIRECTORY)
        try:
            path = os.readlink(f"/proc/self/fd/{descriptor}")
        finally:
            os.close(descriptor)
    except (OSError, ValueError):
        return None
    # What is out of reach doesn't begin at the root, and what is no more says so.
    return path if path.startswith("/") and not path.endswith(_DELETED) else None


def _deleted_directory() -> str:
    """Where the working directory was: Linux still knows, elsewhere the root has to do."""
    try:
        return os.readlink("/proc/self/cwd").removesuffix(_DELETED)
    except OSError:
        return "/"


def _upwards(folder: str) -> Iterator[str]:
    yield folder
    while (parent := os.path.dirname(folder)) != folder:
        folder = parent
        yield folder


def _is_dot_git(folder: str) -> bool:
    return os.path.basename(folder) == ".git"


def _common_directory(git_directory: str) -> str | None:
    """The real path of the directory that all worktrees of a repository share; None if this is no repository's."""
    if not git_directory or not _there(git_directory, "HEAD"):
        return None
    common = _pointer(f"{git_directory}/commondir", "") or git_directory
    return _real(common) if _there(common, "objects") and _there(common, "refs") else None


def _there(folder: str, name: str) -> bool:
    """Whether `folder` has an entry `name`. What we are not allowed to see is taken to be there."""
    try:
        os.lstat(f"{folder}/{name}")
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


def _pointer(file: str, prefix: str) -> str:
    """The directory that a one-line file names, relative ones from where the file is; empty if there is none."""
    text = _content(file)
    target = text.removeprefix(prefix).rstrip("\r\n")
    if not target or not text.startswith(prefix):
        return ""
    return os.path.join(os.path.dirname(file), target)


def _content(file: str) -> str:
    try:
        with open(file, "rb") as stream:
            return os.fsdecode(stream.read(_MAX_FILE_BYTES))
    except (OSError, ValueError):
        return ""


def _name(common: str) -> str:
    """What people call a repository: the folder of its main working tree, or `x` for a bare `x.git`."""
    parent, _, base = common.rpartition("/")
    if not base.startswith("."):  # else `.git`, or `.bare` with worktrees around it
        # A submodule's directory is named for where it was first; its configuration says where it is.
        base = os.path.basename(_configured_worktree(common)) or base.removesuffix(".git")
        return base or common
    return parent.rpartition("/")[2] or parent or "/"


def _configured_worktree(common: str) -> str:
    section = ""
    for line in _content(os.path.join(common, "config")).splitlines():
        setting = line.strip()
        if setting.startswith("["):
            section = setting.lower()
        key, _, value = setting.partition("=")
        if section == "[core]" and key.strip().lower() == "worktree":
            return os.path.normpath(os.path.join(common, value.strip().strip('"')))
    return ""
