"""Renames that aren't in git's index. Git's rename detection pairs deleted files with untracked files."""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import evolve

from lamella.domain.memories.observation import CodeChange
from lamella_adapters.git.changes.parse_patch import Patch, lines
from lamella_adapters.git.changes.patch import AS_READ
from lamella_adapters.git.repository.process import Git, GitFailedError

_MAX_CANDIDATES = 2_000
_MAX_NAME_BYTES = 512 * 1024
_MAX_TOTAL_BYTES = 256 * 1024 * 1024
"""Maximum total size of all untracked files. If they are larger, renames are not detected."""

_MAX_FILE_BYTES = 2 * 1024 * 1024
"""Maximum size of an untracked file to compare: twice the size of the largest deleted file with a patch."""

_RENAME_LIMIT = 50
"""Git's rename limit.

Git compares at most the square of this number of file pairs. Pairs with equal content or names don't count.
"""

_SHA1_DIGITS = 40
"""Length of an object id in a repository without SHA-256."""

# Ignore carriage returns: git runs without a configuration here, so it doesn't convert line endings.
_DIFF = ("diff", *AS_READ, f"-l{_RENAME_LIMIT}", "--diff-filter=R", "--ignore-cr-at-eol")


def with_renames(git: Git, base: str, changes: Sequence[CodeChange]) -> tuple[CodeChange, ...]:
    """Return `changes` since `base`, with renames in place of the deletions of moved files.

    Raises:
        GitFailedError: Git fails or takes too long.
    """
    deleted = [
        change.path
        for change in changes
        if change.deletions and not os.path.lexists(Path(git.folder, change.path))
    ]
    candidates = _candidates(git) if deleted else []
    if not candidates:
        return tuple(changes)
    patch = Patch()
    with _knowing(git, base, candidates) as (knowing, tree):
        for line in lines(knowing.stream(*_DIFF, tree, "--", *deleted, *candidates)):
            patch.read(line)
    renames = {change.former: change for change in patch.changes()}
    return tuple(renames.get(change.path, change) for change in changes)


def _candidates(git: Git) -> list[str]:
    """Return the untracked files that may be renamed files. Return no files if there are too many."""
    listed = git.ask("ls-files", "-z", "--others", "--exclude-standard")
    if listed is None:
        raise GitFailedError
    if len(listed) > _MAX_NAME_BYTES or listed.count(b"\0") > _MAX_CANDIDATES:
        return []
    sizes = {path: _size(git.folder, path) for path in os.fsdecode(listed).split("\0")[:-1]}
    candidates = [path for path, size in sizes.items() if 0 < size <= _MAX_FILE_BYTES]
    return candidates if sum(sizes[path] for path in candidates) <= _MAX_TOTAL_BYTES else []


def _size(folder: str, path: str) -> int:
    """Return the size of a regular file in bytes; 0 for anything else."""
    try:
        status = Path(folder, path).lstat()
    except OSError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


@contextmanager
def _knowing(git: Git, base: str, untracked: Sequence[str]) -> Iterator[tuple[Git, str]]:
    """Yield a `Git` with only the `untracked` files in its index, and the id of the tree of `base`.

    The index and the configuration are temporary. The user's index stays unchanged, and no filter of the
    repository's configuration runs on untracked files.

    Raises:
        GitFailedError: Git fails or takes too long.
    """
    # `:./` is the tree of the current folder, which need not be the top of the working tree.
    found = git.ask("rev-parse", "--git-path", "objects", f"{base}:./")
    if found is None:
        raise GitFailedError
    objects, _, tree = os.fsdecode(found.removesuffix(b"\n")).rpartition("\n")
    with TemporaryDirectory() as folder:
        Path(folder, "refs").mkdir()
        Path(folder, "HEAD").write_text("ref: refs/heads/main\n")
        object_format = "sha1" if len(tree) == _SHA1_DIGITS else "sha256"
        Path(folder, "config").write_text(
            f"[core]\nrepositoryformatversion = 1\n[extensions]\nobjectFormat = {object_format}\n"
        )
        environment = {
            "GIT_DIR": folder,
            "GIT_OBJECT_DIRECTORY": os.path.join(git.folder, objects),  # noqa: PTH118 - as git printed it
            "GIT_WORK_TREE": git.folder,
            # Don't read the configuration of the system or the user.
            "GIT_CONFIG_NOSYSTEM": "1",
            "HOME": folder,
            "XDG_CONFIG_HOME": folder,
        }
        knowing = evolve(git, environment=environment)
        # Any object id will do: the file looks changed, so git reads the file instead of the object.
        entries = "".join(f"100644 {'1' * len(tree)}\t{path}\0" for path in untracked)
        if knowing.ask("update-index", "-z", "--index-info", given=os.fsencode(entries)) is None:
            raise GitFailedError
        yield knowing, tree
