"""Search for the repository of a directory, by reading git's files.

The search runs in hooks and at the first call of each server. It starts no git process, so it also works on
machines without git, and in repositories of another owner, which git refuses to enter (`safe.directory`). It
executes no file of the repository, and ignores all settings.

The search also ignores `GIT_DIR`, `GIT_WORK_TREE` and similar variables. Git sets them when it runs a git hook,
and such a hook may start an agent. With these variables, the agent's memories could be saved in another project.
"""

# ruff: noqa: PTH111, PTH113, PTH114, PTH115, PTH118, PTH119, PTH120 - importing pathlib takes longer

import os
import stat
import sys
from collections.abc import Iterator

from lamella.domain.projects.key import FOLDER, REPOSITORY

_DELETED = " (deleted)"
"""Suffix of the path of a deleted directory on Linux."""

_MAX_FILE_BYTES = 64 * 1024
"""Maximum bytes of a pointer file or configuration to read. A real pointer has a line, a configuration a page."""


def find(directory: str) -> tuple[str, str, str]:
    """Return the key, the name and the root of a directory's project.

    The key contains the real path of the git common directory, which is the same for all worktrees and subfolders
    of a repository. Outside of repositories, it contains the real path of the directory. The name is derived from
    the same path, so all worktrees have the same name.

    Never raises: unreadable files count as missing.

    Returns:
        The key, the display name, and the top of the working tree.
    """
    start = _real(directory)
    for folder in _upwards(start):
        dot_git = f"{folder}/.git"
        if os.path.isfile(dot_git):
            common = _common_directory(_pointer(dot_git, "gitdir: "))
            # If the target of the pointer is missing, the repository was moved or isn't mounted. Don't search
            # further up: a repository there doesn't contain this folder.
            return _repository(common, folder) if common else _plain(folder)
        if common := _common_directory(dot_git):
            return _repository(common, folder)
        if common := _common_directory(folder):  # bare, or inside of `.git`
            return _repository(common, os.path.dirname(folder) if os.path.basename(folder) == ".git" else folder)
    return _plain(start)


def around(key: str) -> list[str]:
    """Return the keys of the parent folders of a folder without a repository, nearest first.

    The user's home and the folders above it are left out, because nearly every folder of the user is below them.
    """
    if not key.startswith(FOLDER):
        return []
    home = os.path.realpath(os.path.expanduser("~"))
    _, *above = _upwards(key.removeprefix(FOLDER))
    return [f"{FOLDER}{each}" for each in above if not f"{home}/".startswith(each.rstrip("/") + "/")]


def is_gone(key: str) -> bool:
    """Return True if nothing exists at the path of a key; False if something exists, or if the check fails."""
    kind, _, path = key.partition(":")
    try:
        os.lstat(path)
    except (OSError, ValueError) as error:
        return f"{kind}:" in (FOLDER, REPOSITORY) and isinstance(error, (FileNotFoundError, NotADirectoryError))
    return False


def directories(root: str) -> tuple[str, str] | None:
    """Return the git directory of a working tree, and the directory shared by all worktrees of the repository.

    Args:
        root: Root returned by `find`, which has checked the rest of the repository.
    """
    dot_git = f"{root}/.git"
    own = _pointer(dot_git, "gitdir: ") if os.path.isfile(dot_git) else dot_git
    common = own and (_pointer(f"{own}/commondir", "") or own)
    return (own, common) if common and _has(common, "objects", "refs") else None


def _repository(common: str, root: str) -> tuple[str, str, str]:
    """Return key, name and root of a repository.

    The name is the name of the main working tree's folder, or `x` for a bare repository `x.git`.
    """
    if common != f"{root}/.git" or os.path.islink(
        common
    ):  # `.git` in the resolved root is resolved, unless it is a link
        common = _real(common)
    parent, _, base = common.rpartition("/")
    if base.startswith("."):  # `.git`, or `.bare` with worktrees around it
        name = parent.rpartition("/")[2] or parent or "/"
    else:
        # The directory of a submodule is named after the submodule's first location. The present location is in
        # the configuration.
        name = os.path.basename(_configured_worktree(common)) or base.removesuffix(".git") or common
    return f"{REPOSITORY}{common}", name, root


def _plain(folder: str) -> tuple[str, str, str]:
    return f"{FOLDER}{folder}", os.path.basename(folder) or folder, folder


def _real(directory: str) -> str:
    if path := _known_to_linux(directory):
        return path
    try:
        return os.path.realpath(directory)
    except FileNotFoundError:  # relative to a working directory that has been deleted
        return os.path.normpath(os.path.join(_deleted_directory(), directory))
    except ValueError:  # a NUL, so the directory can't exist
        return directory


def _known_to_linux(directory: str) -> str | None:
    """Return the real path of an existing directory. This takes a tenth of the time of `realpath`."""
    if sys.platform != "linux":
        return None
    descriptor = -1
    try:
        descriptor = os.open(directory, os.O_PATH | os.O_DIRECTORY)
        path = os.readlink(f"/proc/self/fd/{descriptor}")
    except (OSError, ValueError):
        return None
    finally:
        if descriptor >= 0:
            os.close(descriptor)
    # Linux gives `(unreachable)/…` for a path outside of the root, and adds ` (deleted)` for a deleted directory.
    return path if path.startswith("/") and not path.endswith(_DELETED) else None


def _deleted_directory() -> str:
    """Return the former path of the deleted working directory. Return the root if the path is unknown.

    Only Linux knows the former path.
    """
    try:
        return os.readlink("/proc/self/cwd").removesuffix(_DELETED)
    except OSError:
        return "/"


def _upwards(folder: str) -> Iterator[str]:
    yield folder
    while (parent := os.path.dirname(folder)) != folder:
        folder = parent
        yield folder


def _common_directory(git_directory: str) -> str | None:
    """Return the directory shared by a repository's worktrees. None without a repository."""
    if not git_directory or not _has(git_directory, "HEAD"):
        return None
    common = _pointer(f"{git_directory}/commondir", "") or git_directory
    return common if _has(common, "objects", "refs") else None


def _has(folder: str, *names: str) -> bool:
    """Return True if `folder` has entries with these names. Entries hidden from this user count as present."""
    try:
        for name in names:
            os.lstat(f"{folder}/{name}")
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


def _pointer(file: str, prefix: str) -> str:
    """Return the directory named in a one-line file, relative to the file's folder; empty for a missing file."""
    text = content(file)
    target = text.removeprefix(prefix).rstrip("\r\n")
    if not target or not text.startswith(prefix):
        return ""
    return os.path.join(os.path.dirname(file), target)


def content(file: str, most: int = _MAX_FILE_BYTES, *, last: bool = False) -> str:
    """Return the first bytes of a regular file, or the last bytes if `last`; empty for an unreadable file.

    The type is checked because a malicious repository may contain a FIFO, which would block, or a link to an
    endless device.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK)
        try:
            status = os.fstat(descriptor)
            start = max(0, status.st_size - most) if last else 0
            return os.fsdecode(os.pread(descriptor, most, start)) if stat.S_ISREG(status.st_mode) else ""
        finally:
            os.close(descriptor)
    except (OSError, ValueError):
        return ""


def _configured_worktree(common: str) -> str:
    section = ""
    for line in content(os.path.join(common, "config")).splitlines():
        setting = line.strip()
        if setting.startswith("["):
            section = setting.lower()
        key, _, value = setting.partition("=")
        if section == "[core]" and key.strip().lower() == "worktree":
            return os.path.normpath(os.path.join(common, value.strip().strip('"')))
    return ""
