"""Files that a branch has changed compared to the default branch.

Hooks import this module, so it imports little.
"""

import time

from lamella_adapters.git.repository.asking import Started
from lamella_adapters.git.repository.head import checked_out, default_branch
from lamella_adapters.git.repository.locate import directories

_SECONDS = 0.1
"""Maximum time for git to answer. Git runs while the hook reads memories."""

_MOST_COMMITS, _MOST_BYTES, _MOST_FILES = 200, 256 * 1024, 500
"""Limits: number of a branch's commits to read, bytes of git's output, and number of files."""

_LOG = ("log", "--format=", "--name-only", "-z", "--no-renames", f"--max-count={_MOST_COMMITS}")


class BranchFiles:
    """Files changed on the checked-out branch. The constructor starts git if the branch may have changed files."""

    def __init__(self, root: str, *, program: str = "git") -> None:
        """Start git.

        Args:
            root: The top of the working tree. Without a repository, the branch has no files.
            program: The name or path of git.
        """
        self._log: Started | None = None
        found = directories(root)
        base, name = default_branch(found[1]) if found else ("", "")
        if base and checked_out(root)[0] != name:
            ends_at = time.monotonic() + _SECONDS
            self._log = Started(program, root, *_LOG, f"{base}..HEAD", "--", ends_at=ends_at)

    def get(self) -> frozenset[str]:
        """Return the changed files, relative to the root. The set is empty if git fails or takes too long."""
        if self._log is None:
            return frozenset()
        output, _ = self._log.output(_MOST_BYTES)
        paths = (each.strip("\n") for each in output.decode(errors="replace").split("\0")[:-1])
        return frozenset([*dict.fromkeys(filter(None, paths))][:_MOST_FILES])
