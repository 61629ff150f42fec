"""Files that a branch has changed against the default branch. Hooks use this module, so it imports little."""

# ruff: noqa: PTH113, PTH118, PTH123 - importing pathlib costs a hook more than the rest

import os
import time

from lamella_adapters.git.repository.asking import Started

_SECONDS = 0.1
"""Longest wait for git, which runs while the hook reads memories."""

_MOST_COMMITS, _MOST_BYTES, _MOST_FILES = 200, 256 * 1024, 500
"""Latest commits of a branch that are looked at, and the output and files that are read of them."""

_LOG = ("log", "--format=", "--name-only", "-z", "--no-renames", f"--max-count={_MOST_COMMITS}")

_REF, _BRANCH, _REMOTE = "ref: ", "refs/heads/", "refs/remotes/origin/"
_DEFAULTS = ("main", "master")
"""Default branches of repositories whose remote names none."""

_MOST_REFERENCE_BYTES = 64 * 1024


class BranchFiles:
    """Files of the branch that is checked out. Git begins to look for them at once, if there may be any."""

    def __init__(self, repository: str, root: str, *, program: str = "git") -> None:
        """Start git.

        Args:
            repository: The git common directory.
            root: The top of the working tree.
            program: The name or path of git.
        """
        self._log: Started | None = None
        base = _default_branch(repository)
        head = _reference(_head(root, repository))
        if base and head not in (base, base.replace(_REMOTE, _BRANCH, 1)):
            ends_at = time.monotonic() + _SECONDS
            self._log = Started(program, root, *_LOG, f"{base}..HEAD", "--", ends_at=ends_at)

    def get(self) -> frozenset[str]:
        """Return paths relative to the root; none if git fails or takes too long."""
        if self._log is None:
            return frozenset()
        output, _ = self._log.output(_MOST_BYTES)
        paths = (each.strip("\n") for each in output.decode(errors="replace").split("\0")[:-1])
        return frozenset([*dict.fromkeys(filter(None, paths))][:_MOST_FILES])


def _head(root: str, repository: str) -> str:
    """Return the file that says what is checked out: each working tree has its own."""
    pointer = os.path.join(root, ".git")
    if not os.path.isfile(pointer):
        return os.path.join(repository, "HEAD")
    return os.path.join(root, _content(pointer).removeprefix("gitdir: ").rstrip("\n"), "HEAD")


def _default_branch(repository: str) -> str:
    """Return the reference of the default branch; empty if it is unknown."""
    if named := _reference(os.path.join(repository, _REMOTE, "HEAD")):
        return named
    packed = _content(os.path.join(repository, "packed-refs"))
    for name in _DEFAULTS:
        reference = f"{_BRANCH}{name}"
        if os.path.isfile(os.path.join(repository, reference)) or f" {reference}\n" in packed:
            return reference
    return ""


def _reference(file: str) -> str:
    """Return the reference that a file names; empty if it names none."""
    text = _content(file)
    return text.removeprefix(_REF).rstrip("\n") if text.startswith(_REF) else ""


def _content(file: str) -> str:
    try:
        with open(file, "rb") as stream:
            return os.fsdecode(stream.read(_MOST_REFERENCE_BYTES))
    except (OSError, ValueError):
        return ""
